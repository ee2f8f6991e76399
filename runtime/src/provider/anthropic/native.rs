//! Tools that the provider runs itself, as the Messages API has them (specification: behaviours 5).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::SYSTEM;
use super::decode::CallBlock;
use crate::error::{Error, Result};
use crate::json::{Json, append};
use crate::message::{Arguments, BuiltinToolCallPart, BuiltinToolReturnPart};
use crate::model::ModelInput;
use crate::native::{CodeExecution, Located, NativeTask, NativeTool, Sites, WebFetch};

/// Under which names a part keeps what only the API understands. Other programs store it there, too.
const RUNNER: &str = "anthropic_tool_name";
const CALLER: &str = "anthropic_caller";

/// How the kind of a block ends that holds a result.
const RESULT: &str = "_tool_result";

/// What of the API must be asked for to read pages.
const FETCH_BETA: &str = "web-fetch-2025-09-10";

#[derive(Serialize)]
struct Definition<'a> {
    r#type: &'static str,
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_uses: Option<u32>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    allowed_domains: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    blocked_domains: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    user_location: Option<Located<'a>>,
}

impl<'a> Definition<'a> {
    fn of(r#type: &'static str, name: &'static str, sites: &'a Sites, max_uses: Option<u32>) -> Self {
        let Sites { allowed, blocked } = sites;
        Self { r#type, name, max_uses, allowed_domains: allowed, blocked_domains: blocked, user_location: None }
    }
}

/// Whether the provider has the tool, within its limits.
pub(super) fn is_there(tool: &NativeTool) -> bool {
    match tool.task() {
        NativeTask::WebSearch(search) => takes(&search.sites),
        NativeTask::WebFetch(fetch) => takes(&fetch.sites),
        NativeTask::CodeExecution(_) => true,
        NativeTask::Provider(own) => own.provider() == SYSTEM,
    }
}

/// The API takes one list of sites.
fn takes(sites: &Sites) -> bool {
    sites.allowed.is_empty() || sites.blocked.is_empty()
}

/// Refuses function tools that are called what a tool of the provider's is called.
///
/// # Errors
///
/// Misuse.
pub(super) fn check_names(input: &ModelInput) -> Result<()> {
    let clash = input.native_tools.iter().find(|native| input.tools().any(|tool| tool.name() == native.kind()));
    match clash {
        None => Ok(()),
        Some(native) => Err(Error::misuse(format!(
            "a tool is named `{name}`, which is what Anthropic calls its own; rename it, or let it step aside with \
             `unless_native = \"{name}\"`",
            name = native.kind()
        ))),
    }
}

/// What of the API must be asked for to have these tools.
pub(super) fn betas(tools: &[NativeTool]) -> impl Iterator<Item = &'static str> {
    let fetches = tools.iter().any(|tool| tool.kind() == WebFetch::KIND);
    fetches.then_some(FETCH_BETA).into_iter()
}

/// Appends the definitions of these tools, each followed by a comma.
pub(super) fn append_definitions(out: &mut Vec<u8>, tools: &[NativeTool]) {
    for tool in tools {
        match tool.task() {
            NativeTask::WebSearch(search) => {
                let user_location = search.user_location.as_ref();
                let user_location = user_location.map(Located::at);
                let definition = Definition::of("web_search_20250305", "web_search", &search.sites, search.max_uses);
                append(out, &Definition { user_location, ..definition });
            }
            NativeTask::WebFetch(fetch) => {
                append(out, &Definition::of("web_fetch_20250910", "web_fetch", &fetch.sites, fetch.max_uses));
            }
            NativeTask::CodeExecution(_) => {
                let everywhere = Sites::default();
                append(out, &Definition::of("code_execution_20250825", "code_execution", &everywhere, None));
            }
            NativeTask::Provider(own) => out.extend_from_slice(own.definition().text().as_bytes()),
        }
        out.push(b',');
    }
}

/// A block with what a tool came to.
#[derive(Deserialize)]
struct ResultBlock {
    r#type: String,
    tool_use_id: String,
    content: Json,
    caller: Option<Json>,
}

/// What tools are called in histories: the several that run code are one.
fn kind_of(name: &str) -> &str {
    match name {
        "bash_code_execution" | "text_editor_code_execution" => CodeExecution::KIND,
        other => other,
    }
}

/// A call of a tool that the provider runs, and that is no search for tools.
pub(super) fn call(block: CallBlock) -> BuiltinToolCallPart {
    let CallBlock { id, name, input, caller } = block;
    BuiltinToolCallPart {
        tool_name: kind_of(&name).to_owned(),
        args: input.map_or_else(Arguments::absent, Arguments::from_json),
        tool_call_id: id,
        provider_details: details(&name, caller),
        ..BuiltinToolCallPart::of(SYSTEM)
    }
}

/// Whether blocks of this kind hold what a tool of the provider's came to: one whose calls are read, too.
pub(super) fn is_result(kind: &str) -> bool {
    kind.ends_with(RESULT) && kind != "mcp_tool_result"
}

/// What a tool of the provider's came to; none, if the block is of a form that is not known.
pub(super) fn result(block: &Json) -> Option<BuiltinToolReturnPart> {
    let ResultBlock { r#type, tool_use_id, content, caller } = block.read().ok()?;
    let name = r#type.strip_suffix(RESULT).unwrap_or(&r#type);
    Some(BuiltinToolReturnPart {
        tool_name: kind_of(name).to_owned(),
        content: content.into(),
        tool_call_id: tool_use_id,
        provider_details: details(name, caller),
        ..BuiltinToolReturnPart::of(SYSTEM)
    })
}

/// What the API wants to have back: which of the tools that run code it was, and who called it, unless the model did.
fn details(name: &str, caller: Option<Json>) -> Option<Json> {
    let runner = (kind_of(name) != name).then(|| (RUNNER.to_owned(), Value::from(name)));
    let caller =
        caller.map(|caller| caller.to_value()).filter(|caller| caller["type"] != "direct" && !caller.is_null());
    let kept: Map<_, _> = runner.into_iter().chain(caller.map(|caller| (CALLER.to_owned(), caller))).collect();
    (!kept.is_empty()).then(|| Value::Object(kept).into())
}

/// Appends a call as it came.
pub(super) fn append_call(out: &mut Vec<u8>, id: &str, call: &BuiltinToolCallPart) {
    let kept = Kept::of(call.provider_details.as_ref());
    out.extend_from_slice(br#"{"type":"server_tool_use","id":"#);
    append(out, id);
    out.extend_from_slice(br#","name":"#);
    append(out, kept.runner.as_deref().unwrap_or(&call.tool_name));
    out.extend_from_slice(br#","input":"#);
    out.extend_from_slice(call.args.replay_text().as_bytes());
    kept.append_caller(out);
    out.extend_from_slice(b"},");
}

/// Appends what a tool came to, as it came.
pub(super) fn append_result(out: &mut Vec<u8>, id: &str, part: &BuiltinToolReturnPart) {
    let kept = Kept::of(part.provider_details.as_ref());
    let name = kept.runner.as_deref().unwrap_or(&part.tool_name);
    out.extend_from_slice(br#"{"type":"#);
    append(out, &format!("{name}{RESULT}"));
    out.extend_from_slice(br#","tool_use_id":"#);
    append(out, id);
    out.extend_from_slice(br#","content":"#);
    out.extend_from_slice(part.content.to_json().text().as_bytes());
    kept.append_caller(out);
    out.extend_from_slice(b"},");
}

/// What is kept beside a part for the API alone.
#[derive(Default, Deserialize)]
struct Kept {
    #[serde(rename = "anthropic_tool_name")]
    runner: Option<String>,
    #[serde(rename = "anthropic_caller")]
    caller: Option<Json>,
}

impl Kept {
    fn of(details: Option<&Json>) -> Self {
        details.and_then(|details| details.read().ok()).unwrap_or_default()
    }

    fn append_caller(&self, out: &mut Vec<u8>) {
        if let Some(caller) = &self.caller {
            out.extend_from_slice(br#","caller":"#);
            out.extend_from_slice(caller.text().as_bytes());
        }
    }
}
