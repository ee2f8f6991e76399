//! Tools that the provider runs itself, as the Gemini API has them (specification: behaviours 5).
//!
//! The model's parts tell of them as calls and responses where functions are declared beside such tools, and of code that
//! ran always; of a search alone, only the reply's metadata does.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::SYSTEM;
use super::decode::SIGNATURE;
use super::profile::GoogleProfile;
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::{Arguments, BuiltinToolCallPart, BuiltinToolReturnPart, ResponsePart, new_call_id};
use crate::model::ModelInput;
use crate::native::{CodeExecution, NativeTask, NativeTool, WebFetch, WebSearch};

/// Where a part keeps which of the provider's tools it is of, as the API calls it.
const TOOL_TYPE: &str = "tool_type";

/// Whether the provider has the tool, within its limits: none can be set.
pub(super) fn is_there(tool: &NativeTool, profile: &GoogleProfile) -> bool {
    let has_limits = match tool.task() {
        NativeTask::WebSearch(search) => search.sites.are_limited() || search.max_uses.is_some(),
        NativeTask::WebFetch(fetch) => fetch.sites.are_limited() || fetch.max_uses.is_some(),
        NativeTask::CodeExecution(_) => false,
        NativeTask::Provider(own) => return own.provider() == SYSTEM,
    };
    profile.native_tools && !has_limits
}

/// Refuses functions beside tools of the provider's, where the model cannot have both.
///
/// # Errors
///
/// Misuse.
pub(super) fn check(model: &str, profile: &GoogleProfile, input: &ModelInput) -> Result<()> {
    if profile.native_beside_functions || input.native_tools.is_empty() || input.tools().next().is_none() {
        return Ok(());
    }
    Err(Error::misuse(format!(
        "the model `{model}` cannot have tools of Google's, such as `{}`, beside functions or output tools; leave out one or the \
         other, or use a model from Gemini 3 on",
        input.native_tools[0].kind()
    )))
}

/// Appends the definitions of these tools, each followed by a comma.
pub(super) fn append_definitions(out: &mut Vec<u8>, tools: &[NativeTool]) {
    for tool in tools {
        match tool.task() {
            NativeTask::WebSearch(_) => out.extend_from_slice(br#"{"googleSearch":{}}"#),
            NativeTask::WebFetch(_) => out.extend_from_slice(br#"{"urlContext":{}}"#),
            NativeTask::CodeExecution(_) => out.extend_from_slice(br#"{"codeExecution":{}}"#),
            NativeTask::Provider(own) => out.extend_from_slice(own.definition().text().as_bytes()),
        }
        out.push(b',');
    }
}

/// What a part says of a tool that the provider ran: one of these.
pub(super) struct NativePart {
    pub(super) executable_code: Option<Json>,
    pub(super) code_execution_result: Option<Json>,
    pub(super) tool_call: Option<Invocation>,
    pub(super) tool_response: Option<Invocation>,
}

/// A call of a tool, or its response.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    id: Option<String>,
    tool_type: Option<String>,
    args: Option<Json>,
    response: Option<Json>,
}

impl NativePart {
    /// The part for it, with the proof of the thoughts behind it; `running` is the id of the code that ran last, which the API
    /// gives none.
    pub(super) fn read(self, signature: Option<&String>, running: &mut String) -> Option<ResponsePart> {
        let details = |tool_type: Option<String>| {
            let kept = [(SIGNATURE, signature.cloned()), (TOOL_TYPE, tool_type)];
            let kept = kept.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Value::from(text?))));
            let kept: Map<_, _> = kept.collect();
            (!kept.is_empty()).then(|| Value::Object(kept).into())
        };
        if let Some(code) = self.executable_code {
            *running = new_call_id();
            return Some(call(CodeExecution::KIND, running.clone(), Arguments::from_json(code), details(None)));
        }
        if let Some(came_to) = self.code_execution_result {
            return Some(result(CodeExecution::KIND, running.clone(), came_to, details(None)));
        }
        if let Some(Invocation { id, tool_type, args, .. }) = self.tool_call {
            let kind = kind_of(tool_type.as_deref()).to_owned();
            let args = args.map_or_else(Arguments::absent, Arguments::from_json);
            return Some(call(&kind, id.unwrap_or_default(), args, details(tool_type)));
        }
        let Invocation { id, tool_type, response, .. } = self.tool_response?;
        let kind = kind_of(tool_type.as_deref()).to_owned();
        Some(result(&kind, id.unwrap_or_default(), response.unwrap_or_else(Json::null), details(tool_type)))
    }
}

/// What the kind of a tool is that the API calls so.
fn kind_of(tool_type: Option<&str>) -> &str {
    match tool_type {
        Some("GOOGLE_SEARCH_WEB") => WebSearch::KIND,
        Some("URL_CONTEXT") => WebFetch::KIND,
        Some("FILE_SEARCH") => "file_search",
        Some(other) => other,
        None => "unknown",
    }
}

fn call(kind: &str, id: String, args: Arguments, details: Option<Json>) -> ResponsePart {
    ResponsePart::BuiltinToolCall(BuiltinToolCallPart {
        tool_name: kind.to_owned(),
        args,
        tool_call_id: id,
        provider_details: details,
        ..BuiltinToolCallPart::of(SYSTEM)
    })
}

fn result(kind: &str, id: String, content: Json, details: Option<Json>) -> ResponsePart {
    ResponsePart::BuiltinToolReturn(BuiltinToolReturnPart {
        tool_name: kind.to_owned(),
        content: content.into(),
        tool_call_id: id,
        provider_details: details,
        ..BuiltinToolReturnPart::of(SYSTEM)
    })
}

/// What a reply says of the searches behind it, beside its parts.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Grounding {
    web_search_queries: Vec<String>,
    grounding_chunks: Vec<Json>,
}

impl Grounding {
    /// The parts for the searches: a call and its result, unless there were none.
    pub(super) fn parts(self) -> Option<[ResponsePart; 2]> {
        let Self { web_search_queries: queries, grounding_chunks: chunks } = self;
        if queries.is_empty() {
            return None;
        }
        let id = new_call_id();
        let sources: Vec<_> = chunks.iter().map(Json::to_value).collect();
        let args = json!({"queries": queries}).into();
        Some([
            call(WebSearch::KIND, id.clone(), args, None),
            result(WebSearch::KIND, id, Value::Array(sources).into(), None),
        ])
    }
}

/// How a call of a tool of the provider's goes back, or what it came to: a field of a part, and its value.
pub(super) fn wire_call(call: &BuiltinToolCallPart, profile: &GoogleProfile) -> Option<(&'static str, Json)> {
    if call.tool_name == CodeExecution::KIND {
        return Some(("executableCode", Value::Object(call.args.to_object()).into()));
    }
    let tool_type = tool_type(call.provider_details.as_ref()).filter(|_| profile.native_beside_functions)?;
    let args = call.args.to_object();
    Some(("toolCall", json!({"id": call.tool_call_id, "toolType": tool_type, "args": args}).into()))
}

/// How what a tool of the provider's came to goes back: a field of a part, and its value.
pub(super) fn wire_result(result: &BuiltinToolReturnPart, profile: &GoogleProfile) -> Option<(&'static str, Json)> {
    let content = result.content.to_json();
    if result.tool_name == CodeExecution::KIND {
        return content.is_object().then_some(("codeExecutionResult", content));
    }
    let tool_type = tool_type(result.provider_details.as_ref()).filter(|_| profile.native_beside_functions)?;
    let response = if content.is_object() { content.to_value() } else { json!({"result": content}) };
    Some(("toolResponse", json!({"id": result.tool_call_id, "toolType": tool_type, "response": response}).into()))
}

/// Which of the provider's tools a part is of, as the API calls it: none, where the API told of it in other ways.
fn tool_type(details: Option<&Json>) -> Option<String> {
    #[derive(Deserialize)]
    struct Kept {
        tool_type: Option<String>,
    }
    details?.read::<Kept>().ok()?.tool_type
}
