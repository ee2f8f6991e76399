//! What conversations hold, as the conventions write it: JSON texts, since a field of a span is no tree.

mod message;
mod part;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use self::message::{Messages, OutputMessage};
use self::part::{Part, ResultContent};
use crate::json::compact;
use crate::message::{Arguments, History, ModelResponse, ToolContent};
use crate::tool::ToolDefinition;

/// The JSON text of a value that always has one.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// What the model is told before the conversation.
pub(super) fn instructions(text: &str) -> String {
    json(&[Part::Text { content: text.into() }])
}

/// The conversation, as the model is given it.
pub(super) fn input_messages(history: &History) -> String {
    json(&Messages(history))
}

/// What the model answered.
pub(super) fn output_messages(response: &ModelResponse) -> String {
    json(&[OutputMessage::new(response)])
}

/// The tools the model is offered.
pub(super) fn definitions<'a>(tools: impl Iterator<Item = &'a ToolDefinition>) -> String {
    #[derive(Serialize)]
    struct Definition<'a> {
        r#type: &'static str,
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        parameters: &'a Value,
    }
    let definition = |tool: &'a ToolDefinition| Definition {
        r#type: "function",
        name: tool.name(),
        description: tool.description(),
        parameters: tool.parameters(),
    };
    json(&tools.map(definition).collect::<Vec<_>>())
}

/// The arguments of a call, without white space where they are JSON.
pub(super) fn arguments(args: &Arguments) -> Cow<'_, str> {
    if args.is_whole() { compact(args.text()) } else { Cow::Borrowed(args.text()) }
}

/// What a call gave back: a text as it is, all else as JSON.
pub(super) fn result(content: &ToolContent) -> String {
    let text = match content {
        ToolContent::Json(json) => json.as_str(),
        _ => None,
    };
    text.unwrap_or_else(|| json(&ResultContent(content)))
}
