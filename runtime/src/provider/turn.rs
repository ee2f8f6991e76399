//! A turn of a conversation: what a model said, and what it was told after that.

use std::borrow::Cow;
use std::sync::Arc;

use super::name::wire_id;
use crate::message::{Message, ModelResponse, RequestPart, ResponsePart, ToolCallPart, ToolReturnPart};

/// A response and the requests up to the next one, in which the answers to its calls stand; the first turn of a
/// conversation mostly has no response.
pub(crate) struct Turn<'t> {
    pub(crate) response: Option<&'t ModelResponse>,
    requests: &'t [Arc<Message>],
}

/// A call as it is sent, and its answer; a call that nothing answered was interrupted.
pub(crate) struct SentCall<'t> {
    pub(crate) call: &'t ToolCallPart,
    /// The call's id as it is sent.
    pub(crate) id: Cow<'t, str>,
    pub(crate) answer: Option<&'t ToolReturnPart>,
}

impl<'t> Turn<'t> {
    /// The turn of these messages, of which at most the first is a response.
    pub(super) fn of(messages: &'t [Arc<Message>]) -> Self {
        match messages {
            [first, requests @ ..] if let Message::Response(response) = &**first => {
                Self { response: Some(response), requests }
            }
            requests => Self { response: None, requests },
        }
    }

    /// The parts of the requests, in order.
    pub(crate) fn request_parts(&self) -> impl Iterator<Item = &'t RequestPart> + use<'t> {
        self.requests.iter().flat_map(|message| match &**message {
            Message::Request(request) => request.parts.as_slice(),
            Message::Response(_) => &[],
        })
    }

    /// The calls, in order: every one has an id of its own and one answer, the first that has not gone to a call before.
    pub(crate) fn calls(&self) -> Vec<SentCall<'t>> {
        self.calls_named(wire_id)
    }

    /// The calls like [`calls`](Self::calls), with ids as `wire_id` makes them: of a call's id, and how many calls before it
    /// have the same.
    pub(crate) fn calls_named(&self, wire_id: fn(&'t str, usize) -> Cow<'t, str>) -> Vec<SentCall<'t>> {
        let Some(response) = self.response else { return Vec::new() };
        let mut answers: Vec<_> = self
            .request_parts()
            .filter_map(|part| match part {
                RequestPart::ToolReturn(answer) => Some(Some(answer)),
                _ => None,
            })
            .collect();
        let mut sent: Vec<SentCall<'t>> = Vec::new();
        for part in &response.parts {
            let ResponsePart::ToolCall(call) = part else { continue };
            let earlier = sent.iter().filter(|sent| sent.call.tool_call_id == call.tool_call_id).count();
            let is_its_own =
                |answer: &&mut Option<&ToolReturnPart>| answer.is_some_and(|it| it.tool_call_id == call.tool_call_id);
            let answer = answers.iter_mut().find(is_its_own).and_then(Option::take);
            sent.push(SentCall { call, id: wire_id(&call.tool_call_id, earlier), answer });
        }
        sent
    }
}
