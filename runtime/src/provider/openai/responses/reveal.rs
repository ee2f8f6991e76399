//! Tools that the conversation reveals: searches, what they found, and tools that were added (specification: "Tool
//! availability history portability").

use serde_json::Value;

use super::items::append_field;
use super::message::ItemForm;
use super::search::BY_CLIENT;
use crate::discovery::{found, is_of};
use crate::json::{Json, append};
use crate::message::{Arguments, BuiltinToolCallPart, BuiltinToolReturnPart, Outcome, ToolContent, ToolReturnPart};
use crate::provider::availability::Standing;
use crate::provider::body::append_list;
use crate::provider::name::{made_up_id, wire_name};
use crate::provider::tools::{DEFERRED, JoinedTools};
use crate::provider::transcript::Draft;
use crate::search::SEARCH_KIND;
use crate::tool::ToolDefinition;

/// How the tools of a request concern its messages.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Revealable {
    /// Whether searches are told as such, as the request has a tool of the API's for them.
    pub(super) has_search: bool,
    /// The definitions that the messages can reveal.
    pub(super) tools: Vec<ToolDefinition>,
}

/// By what the provider knows a search or what it found, and how that went.
#[derive(Default)]
struct Identity<'a> {
    execution: &'static str,
    id: Option<&'a str>,
    call_id: Option<&'a str>,
    status: Option<&'a str>,
}

impl<'a> Identity<'a> {
    /// A search by the application.
    fn of_client(call_id: &'a str) -> Self {
        Self { execution: BY_CLIENT, call_id: Some(call_id), ..Self::default() }
    }

    /// A search that the provider ran: what it said is in `details`.
    fn of_server(details: &'a Value, id: Option<&'a str>, call_id: &'a str) -> Self {
        let text = |key: &str| details.get(key).and_then(Value::as_str);
        let call_id = match details.get("call_id") {
            Some(told) => told.as_str(),
            None => Some(call_id),
        };
        Self { execution: "server", id, call_id, status: text("status") }
    }

    fn append_to(&self, out: &mut Vec<u8>) {
        append_field(out, "execution", self.execution);
        for (name, value) in [("id", self.id), ("call_id", self.call_id)] {
            value.into_iter().for_each(|value| append_field(out, name, value));
        }
        let status = self.status.filter(|status| matches!(*status, "in_progress" | "incomplete"));
        append_field(out, "status", status.unwrap_or("completed"));
    }
}

/// Appends a search by the application, and a comma; `id` is the provider's of the item.
pub(super) fn append_search(out: &mut Vec<u8>, call_id: &str, id: Option<&str>, arguments: &Arguments) {
    append_call(out, &Identity { id, ..Identity::of_client(call_id) }, arguments);
}

/// Appends a search that the provider ran, as it was.
pub(super) fn append_own_search(out: &mut Vec<u8>, call: &BuiltinToolCallPart, by_id: bool) {
    let details = call.provider_details.as_ref().map(Json::to_value).unwrap_or_default();
    let id = call.id.as_deref().filter(|id| by_id && !id.is_empty());
    append_call(out, &Identity::of_server(&details, id, &call.tool_call_id), &call.args);
}

fn append_call(out: &mut Vec<u8>, identity: &Identity<'_>, arguments: &Arguments) {
    out.extend_from_slice(br#"{"type":"tool_search_call""#);
    identity.append_to(out);
    out.extend_from_slice(br#","arguments":"#);
    out.extend_from_slice(arguments.replay_text().as_bytes());
    out.extend_from_slice(b"},");
}

/// Appends what a search by the application found, and a comma.
pub(super) fn append_found(draft: &mut Draft<'_>, call_id: &str, content: &ToolContent, form: &ItemForm) {
    append_output(draft, &Identity::of_client(call_id), &found(content), form);
}

/// Appends what the provider found, as far as the tools are in this request.
pub(super) fn append_own_found(draft: &mut Draft<'_>, part: &BuiltinToolReturnPart, by_id: bool, form: &ItemForm) {
    let details = part.provider_details.as_ref().map(Json::to_value).unwrap_or_default();
    let id = details.get("id").and_then(Value::as_str).filter(|id| by_id && !id.is_empty());
    append_output(draft, &Identity::of_server(&details, id, &part.tool_call_id), &found(&part.content), form);
}

fn append_output(draft: &mut Draft<'_>, identity: &Identity<'_>, names: &[String], form: &ItemForm) {
    let mut tools = JoinedTools::default();
    for tool in form.revealable.among(names) {
        match draft.standing(tool.name()) {
            Standing::Deferred => tools.push(tool, &form.profile, DEFERRED),
            Standing::InMessages => {
                draft.adds(tool.name());
                tools.push(tool, &form.profile, "");
            }
            Standing::Open | Standing::Absent => {}
        }
    }
    draft.messages.extend_from_slice(br#"{"type":"tool_search_output""#);
    identity.append_to(draft.messages);
    draft.messages.extend_from_slice(br#","tools":"#);
    append_list(draft.messages, &tools.text);
    draft.messages.extend_from_slice(b"},");
}

/// Whether the answer tells what a search found, in the form that says so.
pub(super) fn is_found(answer: &ToolReturnPart) -> bool {
    answer.outcome == Outcome::Success
        && is_of(&answer.tool_kind, SEARCH_KIND)
        && matches!(answer.content, ToolContent::Json(_))
}

/// Appends that tools were added, with the definitions that have not been added before, and a comma.
pub(super) fn append_additions(draft: &mut Draft<'_>, names: &[String], form: &ItemForm) {
    let mut tools = JoinedTools::default();
    for tool in form.revealable.among(names) {
        let is_kept_from_it = matches!(draft.standing(tool.name()), Standing::Deferred | Standing::InMessages);
        if is_kept_from_it && draft.adds(tool.name()) {
            tools.push(tool, &form.profile, "");
        }
    }
    if !tools.text.is_empty() {
        draft.messages.extend_from_slice(br#"{"type":"additional_tools","role":"developer","tools":"#);
        append_list(draft.messages, &tools.text);
        draft.messages.extend_from_slice(b"},");
    }
}

/// Appends a search that was never made, and that found these tools: what shows them to the model where nothing else can.
pub(super) fn append_reveal(draft: &mut Draft<'_>, names: &[String], form: &ItemForm) {
    let position = draft.messages.len().to_string();
    let id = made_up_id(std::iter::once(&*position).chain(names.iter().map(String::as_str)));
    append_search(draft.messages, &id, None, &serde_json::json!({"queries": names}).into());
    append_output(draft, &Identity::of_client(&id), names, form);
}

/// Appends the namespace of a call to a tool that the conversation reveals: such a tool is in one of its own name.
pub(super) fn append_namespace(draft: &mut Draft<'_>, name: &str, form: &ItemForm) {
    let is_revealed = form.revealable.find(name).is_some()
        && matches!(draft.standing(name), Standing::Deferred | Standing::InMessages);
    if is_revealed {
        let namespace = wire_name(name);
        draft.messages.extend_from_slice(br#","namespace":"#);
        append(draft.messages, &*namespace);
    }
}

impl Revealable {
    fn find(&self, name: &str) -> Option<&ToolDefinition> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    /// The definitions of these names, as far as there are some.
    fn among(&self, names: &[String]) -> impl Iterator<Item = &ToolDefinition> {
        names.iter().filter_map(|name| self.find(name))
    }
}
