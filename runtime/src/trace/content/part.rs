//! Parts of messages, as the conventions write them.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::message::{
    Arguments, BinaryContent, File, FileClass, ModelResponse, RequestPart, ResponsePart, RetryFeedbackPart,
    ToolContent, ToolContentItem, UserContent,
};

/// Who speaks.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    System,
    User,
    Assistant,
    Tool,
}

/// One part of a message. Those the conventions do not name are of types of our own, as the conventions allow.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Part<'a> {
    Text {
        content: Cow<'a, str>,
    },
    Reasoning {
        content: &'a str,
    },
    ToolCall {
        id: &'a str,
        name: &'a str,
        arguments: &'a Arguments,
    },
    ToolCallResponse {
        id: &'a str,
        name: &'a str,
        response: ResultContent<'a>,
    },
    ServerToolCall {
        id: &'a str,
        name: &'a str,
        server_tool_call: ServerToolCall<'a>,
    },
    ServerToolCallResponse {
        id: &'a str,
        name: &'a str,
        server_tool_call_response: ServerToolResult<'a>,
    },
    Uri {
        modality: &'static str,
        mime_type: &'a str,
        uri: &'a str,
    },
    /// Without its bytes: they are too many for a span.
    Blob {
        modality: &'static str,
        mime_type: &'a str,
        identifier: &'a str,
    },
    ToolAvailability {
        added: &'a [String],
    },
    CapabilityLoad {
        loaded: &'a [String],
    },
}

/// A call of a provider's own tool.
#[derive(Serialize)]
pub(super) struct ServerToolCall<'a> {
    r#type: &'a str,
    arguments: &'a Arguments,
}

/// What a provider's own tool gave back.
#[derive(Serialize)]
pub(super) struct ServerToolResult<'a> {
    r#type: &'a str,
    response: ResultContent<'a>,
}

/// What a tool gave back; files without their bytes.
pub(super) struct ResultContent<'a>(pub(super) &'a ToolContent);

impl Serialize for ResultContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Item<'a> {
            Json(&'a crate::json::Json),
            File(Part<'a>),
        }
        match self.0 {
            ToolContent::Json(json) => json.serialize(serializer),
            ToolContent::File(file) => of_file(file).serialize(serializer),
            ToolContent::List(items) => serializer.collect_seq(items.iter().map(|item| match item {
                ToolContentItem::Json(json) => Item::Json(json),
                ToolContentItem::File(file) => Item::File(of_file(file)),
            })),
        }
    }
}

/// A part of a request, and who says it; none where this version does not know the part.
pub(super) fn of_request(part: &RequestPart) -> Option<(Role, Vec<Part<'_>>)> {
    let (role, part) = match part {
        RequestPart::SystemPrompt(part) => (Role::System, Part::Text { content: (&part.content).into() }),
        RequestPart::UserPrompt(part) => {
            return Some((Role::User, part.content.pieces().iter().filter_map(of_piece).collect()));
        }
        RequestPart::ToolReturn(part) => {
            let (id, name, response) = (&part.tool_call_id, &part.tool_name, ResultContent(&part.content));
            (Role::Tool, Part::ToolCallResponse { id, name, response })
        }
        RequestPart::RetryFeedback(part) => (Role::User, of_feedback(part)),
        RequestPart::ToolAvailabilityDelta(part) => (Role::System, Part::ToolAvailability { added: &part.tools_added }),
        RequestPart::CapabilityLoadDelta(part) => (Role::System, Part::CapabilityLoad { loaded: &part.loaded }),
        RequestPart::Unknown(_) => return None,
    };
    Some((role, vec![part]))
}

fn of_piece(piece: &UserContent) -> Option<Part<'_>> {
    match piece {
        UserContent::Text(text) => Some(Part::Text { content: text.into() }),
        UserContent::File(file) => Some(of_file(file)),
        UserContent::CachePoint(_) | UserContent::Unknown(_) => None,
    }
}

fn of_feedback(part: &RetryFeedbackPart) -> Part<'_> {
    let content = part.content.as_str().map_or_else(|| Cow::Borrowed(part.content.text()), Cow::Owned);
    Part::Text { content }
}

fn of_file(file: &File) -> Part<'_> {
    let modality = modality(file.class());
    let mime_type = file.media_type();
    match file.url() {
        Some(uri) => Part::Uri { modality, mime_type, uri },
        None => Part::Blob { modality, mime_type, identifier: file.identifier() },
    }
}

fn of_bytes(file: &BinaryContent) -> Part<'_> {
    let modality = modality(FileClass::of(&file.media_type));
    Part::Blob { modality, mime_type: &file.media_type, identifier: &file.identifier }
}

fn modality(class: FileClass) -> &'static str {
    match class {
        FileClass::Image => "image",
        FileClass::Audio => "audio",
        FileClass::Video => "video",
        FileClass::Document => "document",
    }
}

/// The parts of a response; what its provider alone understands is left out.
pub(super) fn of_response(response: &ModelResponse) -> Vec<Part<'_>> {
    response.parts.iter().filter_map(of_response_part).collect()
}

fn of_response_part(part: &ResponsePart) -> Option<Part<'_>> {
    Some(match part {
        ResponsePart::Text(part) => Part::Text { content: (&part.content).into() },
        ResponsePart::Thinking(part) if part.content.is_empty() => return None,
        ResponsePart::Thinking(part) => Part::Reasoning { content: &part.content },
        ResponsePart::File(part) => of_bytes(&part.content),
        ResponsePart::ToolCall(call) => {
            Part::ToolCall { id: &call.tool_call_id, name: &call.tool_name, arguments: &call.args }
        }
        ResponsePart::BuiltinToolCall(call) => Part::ServerToolCall {
            id: &call.tool_call_id,
            name: &call.tool_name,
            server_tool_call: ServerToolCall { r#type: &call.tool_name, arguments: &call.args },
        },
        ResponsePart::BuiltinToolReturn(part) => Part::ServerToolCallResponse {
            id: &part.tool_call_id,
            name: &part.tool_name,
            server_tool_call_response: ServerToolResult {
                r#type: &part.tool_name,
                response: ResultContent(&part.content),
            },
        },
        ResponsePart::Unknown(_) => return None,
    })
}
