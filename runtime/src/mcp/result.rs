//! A call's result, as models are given it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, InputRequiredResult, ResourceContents, ServerResult};
use serde_json::{Map, Value, json};

use super::failure::Failure;
use crate::json::Json;
use crate::message::{BinaryContent, File, ToolContent, ToolContentItem};
use crate::tool::ToolReturn;

/// What a call came to, by its server.
#[derive(Debug)]
pub(super) struct CallOutcome {
    items: Vec<ToolContentItem>,
    structured: Option<Value>,
    metadata: Option<Map<String, Value>>,
    pub(super) is_error: bool,
}

impl CallOutcome {
    /// The outcome in a result; or what the server asks for first.
    ///
    /// # Errors
    ///
    /// When it is the result of something else.
    pub(super) fn of(result: ServerResult) -> Result<Result<Self, InputRequiredResult>, Failure> {
        match result {
            ServerResult::CallToolResult(result) => Ok(Ok(result.into())),
            ServerResult::InputRequiredResult(asked) => Ok(Err(asked)),
            // Servers may leave out everything there is to say.
            ServerResult::EmptyResult(_) => Ok(Ok(CallToolResult::default().into())),
            ServerResult::CustomResult(result) => Self::of_value(result.0).map(Ok),
            ServerResult::CreateTaskResult(_) => {
                Err(Failure::Refused("it runs the tool as a task, which nobody has asked it to".to_owned()))
            }
            _ => Err(Failure::Refused("its answer is no result of a tool".to_owned())),
        }
    }

    /// The outcome in a result which the client library cannot read whole.
    fn of_value(mut result: Value) -> Result<Self, Failure> {
        let is_error = result.get("isError") == Some(&Value::Bool(true));
        let structured = result.get_mut("structuredContent").map(Value::take);
        let metadata = match result.get_mut("_meta").map(Value::take) {
            Some(Value::Object(metadata)) => Some(metadata),
            _ => None,
        };
        let items = match result.get_mut("content").map(Value::take) {
            Some(Value::Array(blocks)) => blocks.into_iter().map(item_of_value).collect(),
            None if structured.is_some() || metadata.is_some() => Vec::new(),
            _ => return Err(Failure::Refused("its answer is no result of a tool".to_owned())),
        };
        Ok(Self { items, structured: structured.filter(is_something), metadata, is_error })
    }

    /// What is said in it: for an error, why.
    pub(super) fn text(&self) -> String {
        let texts: Vec<_> = self.items.iter().filter_map(text_of).collect();
        match (&self.structured, texts.is_empty()) {
            (Some(structured), true) => structured.to_string(),
            (None, true) => "The tool has failed, and its server has not said why.".to_owned(),
            _ => texts.join("\n"),
        }
    }

    /// The result as models are given it. What is structured is given in place of the texts, which repeat it.
    pub(super) fn into_return(self) -> ToolReturn {
        let mut items = self.items;
        if let Some(structured) = self.structured {
            items.retain(|item| text_of(item).is_none());
            items.insert(0, ToolContentItem::Json(structured.into()));
        }
        let result = ToolReturn::new(content(items));
        match self.metadata {
            Some(metadata) => result.metadata(json!({"_meta": metadata})),
            None => result,
        }
    }
}

impl From<CallToolResult> for CallOutcome {
    fn from(result: CallToolResult) -> Self {
        Self {
            items: result.content.into_iter().map(item).collect(),
            structured: result.structured_content.filter(is_something),
            metadata: result.meta.map(|meta| meta.0),
            is_error: result.is_error == Some(true),
        }
    }
}

/// Servers say null where they have nothing structured to say.
fn is_something(structured: &Value) -> bool {
    !structured.is_null()
}

fn text_of(item: &ToolContentItem) -> Option<String> {
    match item {
        ToolContentItem::Json(json) => json.as_str(),
        ToolContentItem::File(_) => None,
    }
}

/// One item stands alone, several are a list.
fn content(mut items: Vec<ToolContentItem>) -> ToolContent {
    if items.len() > 1 {
        if items.iter().any(|item| matches!(item, ToolContentItem::File(_))) {
            return ToolContent::List(items);
        }
        let texts: Vec<_> = items
            .iter()
            .filter_map(|item| match item {
                ToolContentItem::Json(json) => Some(json),
                ToolContentItem::File(_) => None,
            })
            .collect();
        return ToolContent::Json(Json::of(&texts).unwrap_or_else(|_| Json::null()));
    }
    match items.pop() {
        Some(ToolContentItem::Json(json)) => ToolContent::Json(json),
        Some(ToolContentItem::File(file)) => ToolContent::File(file),
        None => ToolContent::Json(Json::null()),
    }
}

fn item_of_value(block: Value) -> ToolContentItem {
    match serde_json::from_value(block.clone()) {
        Ok(block) => item(block),
        Err(_) => ToolContentItem::Json(block.into()),
    }
}

fn item(block: ContentBlock) -> ToolContentItem {
    match block {
        ContentBlock::Text(text) => ToolContentItem::Json(text.text.as_str().into()),
        ContentBlock::Image(image) => file(&image.data, &image.mime_type),
        ContentBlock::Audio(audio) => file(&audio.data, &audio.mime_type),
        ContentBlock::Resource(resource) => match resource.resource {
            ResourceContents::TextResourceContents { text, .. } => ToolContentItem::Json(text.as_str().into()),
            ResourceContents::BlobResourceContents { blob, mime_type, .. } => {
                file(&blob, mime_type.as_deref().unwrap_or("application/octet-stream"))
            }
            _ => unreadable("a resource of an unknown form"),
        },
        // Nothing is fetched because a server says so; the model can ask for it.
        ContentBlock::ResourceLink(link) => {
            let mut link = serde_json::to_value(&link).unwrap_or_default();
            if let Value::Object(link) = &mut link {
                link.shift_insert(0, "type".to_owned(), "resource_link".into());
            }
            ToolContentItem::Json(link.into())
        }
        _ => unreadable("content of an unknown form"),
    }
}

fn file(data: &str, media_type: &str) -> ToolContentItem {
    match binary(data, media_type) {
        Ok(file) => ToolContentItem::File(file),
        Err(_) => unreadable("a file that cannot be read"),
    }
}

fn unreadable(what: &str) -> ToolContentItem {
    ToolContentItem::Json(format!("[{what}]").as_str().into())
}

/// A file whose bytes are in a message.
pub(super) fn binary(data: &str, media_type: &str) -> Result<File, base64::DecodeError> {
    Ok(File::Binary(BinaryContent::new(STANDARD.decode(data)?, media_type)))
}
