//! Which functions a model may call, and how strictly (specification: "Strict Mode", "Tool Choice"; decision 16).
//!
//! | choice | mode |
//! |---|---|
//! | auto | `VALIDATED`; `AUTO` where the model does not know it, or a tool of the request is `strict = false` |
//! | auto, some tools | the same, with their names; `AUTO` takes no names, so then only those tools are sent |
//! | required | `ANY` |
//! | required, some tools | `ANY`, with their names |
//! | none | `NONE` |

use super::profile::GoogleProfile;
use super::tools::NAMES;
use crate::choice::{ChoiceMode, ResolvedChoice};
use crate::json::append;
use crate::model::ModelInput;

/// Which functions a model may call.
pub(super) struct Calling<'a> {
    mode: &'static str,
    allowed: Option<&'a [&'a str]>,
    /// The only tools to send, where the API cannot be told otherwise.
    pub(super) only: Option<&'a [&'a str]>,
    /// Whether a tool's opt-out keeps the model from being held to any schema.
    is_loosened: bool,
}

impl<'a> Calling<'a> {
    /// What comes of a choice; `opted_out` says whether a tool of the request is never to be strict.
    pub(super) fn of(choice: &'a ResolvedChoice<'a>, profile: &GoogleProfile, opted_out: bool) -> Self {
        let names = choice.names.as_deref();
        let mode = |mode, allowed| Self { mode, allowed, only: None, is_loosened: false };
        match choice.mode {
            ChoiceMode::None => mode("NONE", None),
            ChoiceMode::Required => mode("ANY", names),
            ChoiceMode::Auto if profile.validated_calls && !opted_out => mode("VALIDATED", names),
            ChoiceMode::Auto => Self { only: names, is_loosened: profile.validated_calls, ..mode("AUTO", None) },
        }
    }

    /// What tools asked for and did not get because of others, for the step's report.
    pub(super) fn notes(&self, input: &ModelInput) -> impl Iterator<Item = String> {
        let strict = input.tools().filter(|tool| self.is_loosened && tool.strict() == Some(true));
        strict.map(|tool| {
            format!(
                "tool `{}` is not strict: the mode is the whole request's, and another tool of it is `strict = false`",
                tool.name()
            )
        })
    }

    /// Appends it as a value.
    pub(super) fn append_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"mode":""#);
        out.extend_from_slice(self.mode.as_bytes());
        out.push(b'"');
        if let Some(names) = self.allowed {
            out.extend_from_slice(br#","allowedFunctionNames":["#);
            for (index, name) in names.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                append(out, &*NAMES.wire(name));
            }
            out.push(b']');
        }
        out.push(b'}');
    }
}
