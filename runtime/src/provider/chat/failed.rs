//! Responses that a server does not let pass, as a call in them does not fit its tool. It says what the model wrote, which
//! is told to the model like any other call that does not fit.

use serde::Deserialize;

use crate::json::Json;
use crate::message::{Arguments, ResponsePart, TextPart, ToolCallPart};
use crate::provider::name::WireNames;

/// The server's word for it.
pub(super) const CODE: &str = "tool_use_failed";

/// What a model wrote.
#[derive(Debug, PartialEq)]
pub(super) enum FailedGeneration {
    Call { name: String, arguments: Json },
    Text(String),
}

impl FailedGeneration {
    /// What the model wrote, by the JSON of a refusal, if that is why it was refused.
    pub(super) fn of(refusal: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Refusal {
            error: Failed,
        }
        #[derive(Deserialize)]
        struct Failed {
            code: String,
            failed_generation: String,
        }
        #[derive(Deserialize)]
        struct Call {
            name: String,
            arguments: Json,
        }
        let Refusal { error } = serde_json::from_slice(refusal).ok()?;
        if error.code != CODE {
            return None;
        }
        let call =
            serde_json::from_str::<Call>(&error.failed_generation).ok().filter(|call| call.arguments.is_object());
        Some(match call {
            Some(Call { name, arguments }) => Self::Call { name, arguments },
            None => Self::Text(error.failed_generation),
        })
    }

    /// The same as a part of a response, if it is anything.
    pub(super) fn part(self, names: &WireNames<'_>) -> Option<ResponsePart> {
        match self {
            Self::Call { name, arguments } => {
                Some(ToolCallPart::new(names.original(&name), Arguments::from_json(arguments)).into())
            }
            Self::Text(text) if text.is_empty() => None,
            Self::Text(text) => Some(TextPart::new(text).into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn refusals_tell_what_was_written() {
        let of = |code: &str, written: &str| {
            let refusal = json!({"error": {"message": "no", "code": code, "failed_generation": written}});
            FailedGeneration::of(refusal.to_string().as_bytes())
        };
        let call = of(CODE, r#"{"name": "t", "arguments": {"x": 1}}"#);
        assert_eq!(call, Some(FailedGeneration::Call { name: "t".to_owned(), arguments: json!({"x": 1}).into() }));
        for written in ["maybe", "", r#"{"name": "t", "arguments": "x"}"#, r#"[{"name": "t"}]"#] {
            assert_eq!(of(CODE, written), Some(FailedGeneration::Text(written.to_owned())));
        }
        assert_eq!(of("invalid_request", "maybe"), None);
        for refusal in [r#"{"error": {"code": "tool_use_failed"}}"#, r#"{"error": "tool_use_failed"}"#, "<html>", ""] {
            assert_eq!(FailedGeneration::of(refusal.as_bytes()), None);
        }
    }
}
