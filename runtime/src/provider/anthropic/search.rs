//! Tools that are searched, found and added, as the Messages API has it (specification: "Tool Search").

use serde::Deserialize;

use super::SYSTEM;
use super::content::append_text;
use super::decode::CallBlock;
use crate::discovery::found;
use crate::json::{Json, append};
use crate::message::{BuiltinToolCallPart, BuiltinToolReturnPart, ToolContent};
use crate::model::SearchStrategy;
use crate::provider::availability::Standing;
use crate::provider::name::{WireNames, wire_name};
use crate::provider::transcript::Draft;
use crate::search::SEARCH_TOOL;

/// The provider's tools that search, by the names in calls of them.
const BM25: &str = "tool_search_tool_bm25";
const REGEX: &str = "tool_search_tool_regex";

/// Their definitions.
pub(super) fn definition(strategy: SearchStrategy) -> &'static [u8] {
    match strategy {
        SearchStrategy::Regex => br#"{"type":"tool_search_tool_regex_20251119","name":"tool_search_tool_regex"},"#,
        _ => br#"{"type":"tool_search_tool_bm25_20251119","name":"tool_search_tool_bm25"},"#,
    }
}

/// A `tool_search_tool_result` block.
#[derive(Deserialize)]
pub(super) struct FoundBlock {
    #[serde(default)]
    tool_use_id: String,
    content: Found,
}

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    tool_references: Vec<Reference>,
    error_code: Option<String>,
    error_message: Option<String>,
}

#[derive(Deserialize)]
struct Reference {
    #[serde(default)]
    tool_name: String,
}

/// A search that the provider runs.
///
/// # Errors
///
/// The block as it is, if it calls another tool of the provider's.
pub(super) fn call(block: CallBlock) -> Result<BuiltinToolCallPart, CallBlock> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Input {
        query: Option<String>,
        pattern: Option<String>,
    }
    let strategy = match block.name.as_str() {
        BM25 => SearchStrategy::Bm25,
        REGEX => SearchStrategy::Regex,
        _ => return Err(block),
    };
    let input: Input = block.input.and_then(|input| input.read().ok()).unwrap_or_default();
    let query = if strategy == SearchStrategy::Regex { input.pattern } else { input.query };
    let mut part = BuiltinToolCallPart::search(SYSTEM, block.id, &query.into_iter().collect::<Vec<_>>());
    part.provider_details = Some(serde_json::json!({"strategy": strategy.as_str()}).into());
    Ok(part)
}

/// What the provider found.
pub(super) fn result(block: FoundBlock, names: &WireNames<'_>) -> BuiltinToolReturnPart {
    let Found { tool_references, error_code, error_message } = block.content;
    let found: Vec<_> =
        tool_references.iter().map(|reference| names.original(&reference.tool_name).to_owned()).collect();
    let mut part = BuiltinToolReturnPart::found(SYSTEM, block.tool_use_id, &found);
    if let Some(code) = error_code {
        part.provider_details = Some(serde_json::json!({"error_code": code, "error_message": error_message}).into());
    }
    part
}

/// Appends a search that the provider ran, as it was.
pub(super) fn append_call(out: &mut Vec<u8>, id: &str, call: &BuiltinToolCallPart) {
    let is_regex = detail(call.provider_details.as_ref(), "strategy").as_deref() == Some("regex");
    let (name, field) = if is_regex { (REGEX, "pattern") } else { (BM25, "query") };
    out.extend_from_slice(br#"{"type":"server_tool_use","id":"#);
    append(out, id);
    out.extend_from_slice(br#","name":"#);
    append(out, name);
    out.extend_from_slice(br#","input":{"#);
    append(out, field);
    out.push(b':');
    append(out, &call.queries().join(" "));
    out.extend_from_slice(b"}},");
}

/// Appends what the provider found, as far as the tools are in this request.
pub(super) fn append_found(draft: &mut Draft<'_>, out: &mut Vec<u8>, id: &str, part: &BuiltinToolReturnPart) {
    out.extend_from_slice(br#"{"type":"tool_search_tool_result","tool_use_id":"#);
    append(out, id);
    match detail(part.provider_details.as_ref(), "error_code") {
        Some(code) => {
            out.extend_from_slice(br#","content":{"type":"tool_search_tool_result_error","error_code":"#);
            append(out, &code);
        }
        None => {
            out.extend_from_slice(br#","content":{"type":"tool_search_tool_search_result","tool_references":["#);
            append_references(draft, out, &found(&part.content));
            out.push(b']');
        }
    }
    out.extend_from_slice(b"}},");
}

/// Appends what a search found as a result of a call; whether it is of the form that a search's result has.
pub(super) fn append_result(draft: &mut Draft<'_>, out: &mut Vec<u8>, id: &str, content: &ToolContent) -> bool {
    let ToolContent::Json(json) = content else { return false };
    let names = found(content);
    if names.is_empty() {
        // Words on why there is nothing are shown as they are.
        return false;
    }
    open_result(out, id);
    let begin = out.len();
    append_references(draft, out, &names);
    if out.len() == begin {
        append_text(out, &format!("{} None of these tools can be called now.", json.text()));
        out.pop();
    }
    close_result(out);
    true
}

/// Appends a search that was never made, and its result: what shows the model tools that are sent hidden, where nothing else
/// can.
pub(super) fn append_reveal(call: &mut Vec<u8>, result: &mut Vec<u8>, id: &str, names: &[&str]) {
    call.extend_from_slice(br#"{"type":"tool_use","id":"#);
    append(call, id);
    call.extend_from_slice(br#","name":"#);
    append(call, SEARCH_TOOL);
    call.extend_from_slice(br#","input":{"queries":"#);
    append(call, names);
    call.extend_from_slice(b"}},");
    open_result(result, id);
    append_names(result, names.iter().copied());
    close_result(result);
}

/// Appends that a tool was added, as a block of a system message, and a comma.
pub(super) fn append_addition(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(br#"{"type":"tool_addition","tool":{"type":"tool_reference","name":"#);
    append(out, &*wire_name(name));
    out.extend_from_slice(b"}},");
}

fn open_result(out: &mut Vec<u8>, id: &str) {
    out.extend_from_slice(br#"{"type":"tool_result","tool_use_id":"#);
    append(out, id);
    out.extend_from_slice(br#","content":["#);
}

fn close_result(out: &mut Vec<u8>) {
    out.extend_from_slice(br#"],"is_error":false},"#);
}

/// Appends references to those of the tools that are among the request's.
fn append_references(draft: &mut Draft<'_>, out: &mut Vec<u8>, names: &[String]) {
    let declared = names.iter().filter(|name| matches!(draft.standing(name), Standing::Open | Standing::Deferred));
    append_names(out, declared.map(String::as_str));
}

fn append_names<'n>(out: &mut Vec<u8>, names: impl Iterator<Item = &'n str>) {
    let begin = out.len();
    for name in names {
        if out.len() > begin {
            out.push(b',');
        }
        out.extend_from_slice(br#"{"type":"tool_reference","tool_name":"#);
        append(out, &*wire_name(name));
        out.push(b'}');
    }
}

/// A text among what only the provider understands.
fn detail(details: Option<&Json>, key: &str) -> Option<String> {
    details?.to_value().get(key)?.as_str().map(str::to_owned)
}
