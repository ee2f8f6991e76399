//! Tools that the provider runs itself, as the Responses API has them (specification: behaviours 5).
//!
//! An item of the API holds both what such a tool was asked and what it came to; in a history these are two parts.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::json::{Json, append};
use crate::message::{BuiltinToolCallPart, BuiltinToolReturnPart, ToolContent, new_call_id};
use crate::native::{CodeExecution, Located, NativeTask, NativeTool, WebSearch};

/// The items of tools that the provider runs, and the kinds of those tools.
const ITEMS: [(&str, &str); 5] = [
    (SEARCHED, WebSearch::KIND),
    (INTERPRETED, CodeExecution::KIND),
    ("file_search_call", "file_search"),
    ("image_generation_call", "image_generation"),
    ("mcp_call", "mcp"),
];

const SEARCHED: &str = "web_search_call";
const INTERPRETED: &str = "code_interpreter_call";

/// What of an item is what the tool came to.
const RESULTS: [&str; 6] = ["status", "outputs", "results", "result", "output", "error"];

/// What a web search looked up and found, and where: the API tells the places, but does not take them back.
const ACTION: &str = "action";
const SOURCES: &str = "sources";

/// Whether the provider `system` has the tool, within its limits.
pub(super) fn is_there(tool: &NativeTool, system: &str) -> bool {
    match tool.task() {
        NativeTask::WebSearch(search) => search.max_uses.is_none() && search.sites.blocked.is_empty(),
        NativeTask::WebFetch(_) => false,
        NativeTask::CodeExecution(_) => true,
        NativeTask::Provider(own) => own.provider() == system,
    }
}

/// Appends the definitions of these tools, each followed by a comma.
pub(super) fn append_definitions(out: &mut Vec<u8>, tools: &[NativeTool]) {
    for tool in tools {
        match tool.task() {
            NativeTask::WebSearch(search) => append(out, &Search::of(search)),
            NativeTask::CodeExecution(_) => {
                out.extend_from_slice(br#"{"type":"code_interpreter","container":{"type":"auto"}}"#);
            }
            NativeTask::Provider(own) => out.extend_from_slice(own.definition().text().as_bytes()),
            // The API does not have it.
            NativeTask::WebFetch(_) => continue,
        }
        out.push(b',');
    }
}

#[derive(Serialize)]
struct Search<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    filters: Option<Filters<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_location: Option<Located<'a>>,
}

#[derive(Serialize)]
struct Filters<'a> {
    allowed_domains: &'a [String],
}

impl<'a> Search<'a> {
    fn of(search: &'a WebSearch) -> Self {
        let allowed_domains = &search.sites.allowed;
        Self {
            r#type: "web_search",
            filters: (!allowed_domains.is_empty()).then_some(Filters { allowed_domains }),
            user_location: search.user_location.as_ref().map(Located::at),
        }
    }
}

/// A call of a tool that the provider ran, and what it came to.
pub(super) struct NativeCall {
    kind: &'static str,
    id: Option<String>,
    args: Map<String, Value>,
    result: Map<String, Value>,
}

impl NativeCall {
    /// What an item of this type holds, if it is one of a tool that the provider ran.
    pub(super) fn read(item_type: &str, item: &Json) -> serde_json::Result<Option<Self>> {
        let Some((_, kind)) = ITEMS.iter().find(|(known, _)| *known == item_type) else { return Ok(None) };
        let mut args: Map<String, Value> = item.read()?;
        args.remove("type");
        let id = args.remove("id").and_then(|id| Some(id.as_str()?.to_owned())).filter(|id| !id.is_empty());
        let mut result = Map::new();
        for key in RESULTS {
            result.extend(args.remove(key).map(|value| (key.to_owned(), value)));
        }
        if let Some(Value::Object(mut action)) = args.remove(ACTION).filter(|_| item_type == SEARCHED) {
            result.extend(action.remove(SOURCES).map(|sources| (SOURCES.to_owned(), sources)));
            action.retain(|_, value| !value.is_null());
            args = action;
        }
        Ok(Some(Self { kind, id, args, result }))
    }

    /// The parts for it.
    pub(super) fn parts(self, system: &str) -> (BuiltinToolCallPart, BuiltinToolReturnPart) {
        let Self { kind, id, args, result } = self;
        let call_id = id.clone().unwrap_or_else(new_call_id);
        let call = BuiltinToolCallPart {
            tool_name: kind.to_owned(),
            args: Value::Object(args).into(),
            tool_call_id: call_id.clone(),
            id,
            ..BuiltinToolCallPart::of(system)
        };
        let result = BuiltinToolReturnPart {
            tool_name: kind.to_owned(),
            content: Value::Object(result).into(),
            tool_call_id: call_id,
            ..BuiltinToolReturnPart::of(system)
        };
        (call, result)
    }
}

/// Appends the item that a call and its result came in, if it is one of a tool that the provider runs, and a comma.
pub(super) fn append_item(out: &mut Vec<u8>, call: &BuiltinToolCallPart, result: &BuiltinToolReturnPart) {
    let Some((item_type, _)) = ITEMS.iter().find(|(_, kind)| *kind == call.tool_name) else { return };
    let id = call.id.as_deref().unwrap_or(&call.tool_call_id);
    let mut item = Map::from_iter([("type".to_owned(), json!(item_type)), ("id".to_owned(), json!(id))]);
    match call.args.to_object() {
        action if *item_type == SEARCHED && action.is_empty() => {}
        action if *item_type == SEARCHED => item.extend([(ACTION.to_owned(), Value::Object(action))]),
        args => item.extend(args),
    }
    let result = match &result.content {
        ToolContent::Json(json) => json.read::<Map<String, Value>>().unwrap_or_default(),
        ToolContent::File(_) | ToolContent::List(_) => Map::new(),
    };
    item.extend(result.into_iter().filter(|(key, _)| RESULTS.contains(&key.as_str())));
    item.entry("status").or_insert_with(|| "completed".into());
    if *item_type == INTERPRETED {
        item.entry("outputs").or_insert(Value::Null);
    }
    append(out, &item);
    out.push(b',');
}
