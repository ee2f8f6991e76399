//! Messages, as the conventions write them.

use serde::{Serialize, Serializer};

use super::part::{Part, Role, of_request, of_response};
use crate::message::{FinishReason, History, Message, ModelRequest, ModelResponse};

/// A conversation.
pub(super) struct Messages<'a>(pub(super) &'a History);

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flat_map(|message| match message {
            Message::Request(request) => from_request(request),
            Message::Response(response) => vec![ChatMessage { role: Role::Assistant, parts: of_response(response) }],
        }))
    }
}

/// One message: who says what.
#[derive(Serialize)]
struct ChatMessage<'a> {
    role: Role,
    parts: Vec<Part<'a>>,
}

/// A request as messages: a new one wherever another speaks.
fn from_request(request: &ModelRequest) -> Vec<ChatMessage<'_>> {
    let mut messages: Vec<ChatMessage<'_>> = Vec::new();
    for (role, parts) in request.parts.iter().filter_map(of_request) {
        match messages.last_mut() {
            Some(last) if last.role == role => last.parts.extend(parts),
            _ => messages.push(ChatMessage { role, parts }),
        }
    }
    messages
}

/// What a model answered, and why it stopped.
#[derive(Serialize)]
pub(super) struct OutputMessage<'a> {
    role: Role,
    parts: Vec<Part<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finish_reason: Option<FinishReason>,
}

impl<'a> OutputMessage<'a> {
    pub(super) fn new(response: &'a ModelResponse) -> Self {
        Self { role: Role::Assistant, parts: of_response(response), finish_reason: response.finish_reason }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::{input_messages, output_messages};
    use crate::message::{
        BinaryContent, History, ImageUrl, ModelRequest, ModelResponse, Outcome, RequestPart, ResponsePart,
        SystemPromptPart, TextPart, ThinkingPart, ToolAvailabilityDeltaPart, ToolCallPart, ToolContent, ToolReturnPart,
        UserContent, UserPromptPart,
    };

    fn tree(text: &str) -> Value {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn a_request_becomes_a_message_for_each_who_speaks() {
        let call = ToolCallPart::new("look", json!({})).with_id("1");
        let delta = ToolAvailabilityDeltaPart::new(vec!["more".to_owned()], None);
        let request = ModelRequest::new(vec![
            RequestPart::SystemPrompt(SystemPromptPart::new("Be brief.")),
            RequestPart::ToolReturn(ToolReturnPart::answer(
                &call,
                ToolContent::from(json!({"a": 1})),
                Outcome::Success,
            )),
            RequestPart::ToolReturn(ToolReturnPart::answer(&call, ToolContent::text("plain"), Outcome::Failed)),
            RequestPart::ToolAvailabilityDelta(delta),
            RequestPart::UserPrompt(UserPromptPart::new("Go on.")),
        ]);
        let mut history = History::new();
        history.push(request);
        history.push(ModelResponse::text("Yes."));
        let response =
            |response: Value| json!({"type": "tool_call_response", "id": "1", "name": "look", "response": response});
        assert_eq!(
            tree(&input_messages(&history)),
            json!([
                {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]},
                {"role": "tool", "parts": [response(json!({"a": 1})), response(json!("plain"))]},
                {"role": "system", "parts": [{"type": "tool_availability", "added": ["more"]}]},
                {"role": "user", "parts": [{"type": "text", "content": "Go on."}]},
                {"role": "assistant", "parts": [{"type": "text", "content": "Yes."}]},
            ])
        );
    }

    #[test]
    fn the_bytes_of_files_stay_where_they_are() {
        let picture = BinaryContent::new(b"very secret".to_vec(), "image/png").with_identifier("face");
        let pieces: Vec<UserContent> =
            vec!["See:".into(), picture.clone().into(), ImageUrl::new("https://example.com/a.png").into()];
        let call = ToolCallPart::new("draw", json!({})).with_id("1");
        let mut history = History::new();
        history.push(ModelRequest::new(vec![
            RequestPart::UserPrompt(UserPromptPart::new(pieces)),
            RequestPart::ToolReturn(ToolReturnPart::answer(&call, ToolContent::from(picture), Outcome::Success)),
        ]));
        let blob = json!({"type": "blob", "modality": "image", "mime_type": "image/png", "identifier": "face"});
        let text = input_messages(&history);
        assert_eq!(
            tree(&text),
            json!([
                {"role": "user", "parts": [
                    {"type": "text", "content": "See:"},
                    blob,
                    {"type": "uri", "modality": "image", "mime_type": "image/png", "uri": "https://example.com/a.png"},
                ]},
                {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "name": "draw", "response": blob}]},
            ])
        );
    }

    #[test]
    fn what_the_model_wrote_stays_as_it_wrote_it() {
        let broken = crate::message::Arguments::from_text("{\"a\": ");
        let response = ModelResponse::new(vec![
            ResponsePart::Thinking(ThinkingPart::new("Hm.")),
            ResponsePart::Thinking(ThinkingPart::new("")),
            ResponsePart::Text(TextPart::new("Let me see.")),
            ResponsePart::ToolCall(ToolCallPart::new("look", broken).with_id("1")),
            ResponsePart::ToolCall(ToolCallPart::new("look", json!({"b": 2})).with_id("2")),
        ]);
        assert_eq!(
            tree(&output_messages(&response)),
            json!([{"role": "assistant", "parts": [
                {"type": "reasoning", "content": "Hm."},
                {"type": "text", "content": "Let me see."},
                {"type": "tool_call", "id": "1", "name": "look", "arguments": "{\"a\": "},
                {"type": "tool_call", "id": "2", "name": "look", "arguments": {"b": 2}},
            ]}])
        );
    }
}
