//! Searches for tools in replies: those that the provider has run, and those that it asks for (specification: "Tool Search").

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::json::Json;
use crate::message::{Arguments, BuiltinToolCallPart, BuiltinToolReturnPart, ResponsePart, ToolCallPart};
use crate::provider::name::WireNames;
use crate::search::{SEARCH_KIND, SEARCH_TOOL};

/// What says that the application is to search. Whoever else has searched has done so already.
pub(super) const BY_CLIENT: &str = "client";

/// A search.
#[derive(Deserialize)]
pub(super) struct SearchCall {
    id: Option<String>,
    call_id: Option<String>,
    execution: Option<String>,
    status: Option<String>,
    arguments: Option<Json>,
}

/// What a search found.
#[derive(Deserialize)]
pub(super) struct SearchOutput {
    id: Option<String>,
    call_id: Option<String>,
    execution: Option<String>,
    status: Option<String>,
    tools: Option<Vec<Found>>,
}

/// A definition that was found; of what is no function, there is no name.
#[derive(Deserialize)]
struct Found {
    name: Option<String>,
}

/// The searches of a reply that the provider ran, and whose results have not come yet.
#[derive(Default)]
pub(super) struct Searches {
    /// The ids by which their parts go.
    unanswered: VecDeque<String>,
}

impl Searches {
    /// The part for a search of this provider's: a call of the application's tool, where that is to search.
    pub(super) fn call(&mut self, call: SearchCall, system: &str) -> ResponsePart {
        let SearchCall { id, call_id, execution, status, arguments } = call;
        let known_as = call_id.clone().or(id.clone()).unwrap_or_default();
        let arguments = arguments.map_or_else(Arguments::absent, with_queries);
        if execution.as_deref() == Some(BY_CLIENT) {
            let part = ToolCallPart::new(SEARCH_TOOL, arguments).with_id(known_as);
            let (tool_kind, provider_name) = (Some(SEARCH_KIND.to_owned()), Some(system.to_owned()));
            return ToolCallPart { id, tool_kind, provider_name, ..part }.into();
        }
        let mut part = BuiltinToolCallPart::search(system, known_as.clone(), &[]);
        part.args = arguments;
        part.provider_details = Some(json!({"call_id": call_id, "execution": execution, "status": status}).into());
        part.id = id;
        self.unanswered.push_back(known_as);
        ResponsePart::BuiltinToolCall(part)
    }

    /// The part for what a search found; none for what the application found, which it knows. Results without the id of a
    /// search are those of the searches in their order.
    pub(super) fn output(&mut self, output: SearchOutput, system: &str, names: &WireNames<'_>) -> Option<ResponsePart> {
        let SearchOutput { id, call_id, execution, status, tools } = output;
        if execution.as_deref() == Some(BY_CLIENT) {
            return None;
        }
        let answered = match &call_id {
            Some(call_id) => self.unanswered.iter().position(|known| known == call_id),
            None => (!self.unanswered.is_empty()).then_some(0),
        };
        let of_call = answered.and_then(|place| self.unanswered.remove(place));
        let known_as = of_call.or(call_id.clone()).or(id.clone()).unwrap_or_default();
        let found = tools.into_iter().flatten().filter_map(|tool| tool.name);
        let found: Vec<_> = found.map(|name| names.original(&name).to_owned()).collect();
        let mut part = BuiltinToolReturnPart::found(system, known_as, &found);
        let details = json!({"id": id, "call_id": call_id, "execution": execution, "status": status});
        part.provider_details = Some(details.into());
        Some(ResponsePart::BuiltinToolReturn(part))
    }
}

/// The arguments in the form that searches have everywhere: the provider's own searches say `paths` for `queries`.
fn with_queries(arguments: Json) -> Arguments {
    let given = match arguments.as_str() {
        Some(text) => serde_json::from_str(&text).unwrap_or_default(),
        None => arguments.to_value(),
    };
    let Value::Object(mut given) = given else { return Arguments::from_json(arguments) };
    let list = ["queries", "paths"].into_iter().find_map(|key| given.remove(key).filter(Value::is_array));
    match list {
        Some(queries) => json!({"queries": queries}).into(),
        None if given.is_empty() => json!({"queries": []}).into(),
        None => Arguments::from_json(arguments),
    }
}
