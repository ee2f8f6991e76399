//! What an assistant said, as far as it can be sent back.

use std::borrow::Cow;

use crate::json::{Json, append};
use crate::message::{ModelResponse, ThinkingPart};
use crate::provider::name::wire_name;
use crate::provider::turn::SentCall;

/// What goes into one message of an assistant.
#[derive(Default)]
pub(crate) struct Said<'s> {
    pub(crate) texts: Vec<&'s str>,
    /// The provider's own thoughts.
    pub(crate) thoughts: Vec<&'s ThinkingPart>,
    pub(crate) calls: Vec<SaidCall<'s>>,
    /// The provider that the response came from.
    pub(super) provider: Option<&'s str>,
    /// What only that provider understands of the response.
    pub(super) details: Option<&'s Json>,
}

/// A call as it is sent.
pub(crate) struct SaidCall<'s> {
    pub(crate) id: &'s str,
    pub(crate) name: Cow<'s, str>,
    pub(crate) arguments: Cow<'s, str>,
}

impl<'s> Said<'s> {
    /// Nothing yet of a response.
    pub(super) fn of(response: &'s ModelResponse) -> Self {
        Self {
            provider: response.provider_name.as_deref(),
            details: response.provider_details.as_ref(),
            ..Self::default()
        }
    }

    /// Whether thoughts are this provider's: they say so, or else the response does that they are of.
    pub(super) fn is_of(&self, provider: &str, thoughts: &ThinkingPart) -> bool {
        thoughts.provider_name.as_deref().or(self.provider) == Some(provider)
    }

    /// What this provider keeps of the response.
    pub(crate) fn details_of(&self, provider: &str) -> Option<&'s Json> {
        self.details.filter(|_| self.provider == Some(provider))
    }

    /// Appends the calls as an array; `beside` stands in each before what all APIs take.
    pub(crate) fn append_calls(&self, out: &mut Vec<u8>, beside: &str) {
        out.push(b'[');
        for (index, call) in self.calls.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(br#"{"type":"function","#);
            out.extend_from_slice(beside.as_bytes());
            out.extend_from_slice(br#""id":"#);
            append(out, call.id);
            out.extend_from_slice(br#","function":{"name":"#);
            append(out, &*call.name);
            out.extend_from_slice(br#","arguments":"#);
            append(out, &*call.arguments);
            out.extend_from_slice(b"}}");
        }
        out.push(b']');
    }
}

impl<'s> SaidCall<'s> {
    pub(super) fn of(sent: &'s SentCall<'_>) -> Self {
        Self { id: &sent.id, name: wire_name(&sent.call.tool_name), arguments: sent.call.args.replay_text() }
    }
}
