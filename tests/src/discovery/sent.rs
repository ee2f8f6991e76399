//! What a request says of calls and tools, whichever API it is of.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// The calls, results and tools of a request.
#[derive(Debug, Default)]
pub(super) struct Sent {
    /// Ids of calls and of results, in the order in which they stand.
    exchanges: Vec<Exchange>,
    /// The names of tools, as they are listed.
    tools: Vec<String>,
    /// The names of tools whose definitions stand in messages.
    in_messages: Vec<String>,
    /// The tool that must be called.
    forced: Option<String>,
    /// Whether the provider searches.
    pub(super) searches: bool,
}

#[derive(Debug, PartialEq)]
enum Exchange {
    Call(String),
    Result(String),
}

impl Sent {
    pub(super) fn of(body: &Value) -> Self {
        let mut sent = Self::default();
        for key in ["messages", "input", "contents"] {
            sent.walk(&body[key]);
        }
        for tool in list(&body["tools"]).chain(list(&body["toolConfig"]["tools"])) {
            let kind = tool["type"].as_str().unwrap_or_default();
            sent.searches |= kind.starts_with("tool_search") && tool["execution"] != "client";
            let nested = list(&tool["functionDeclarations"]).filter_map(name);
            sent.tools.extend(nested.chain(name(tool)));
        }
        let choice = [&body["tool_choice"], &body["toolConfig"]["toolChoice"]["tool"]];
        sent.forced = choice.into_iter().find_map(name);
        sent
    }

    /// Whether a tool of this name is listed.
    pub(super) fn lists(&self, tool: &str) -> bool {
        self.tools.iter().any(|name| name == tool)
    }

    /// # Errors
    ///
    /// What does not keep together.
    pub(super) fn check(&self) -> Result<(), String> {
        let mut open = Vec::new();
        for exchange in &self.exchanges {
            match exchange {
                Exchange::Call(id) => open.push(id),
                Exchange::Result(id) => {
                    let call = open.iter().position(|call| *call == id);
                    open.remove(call.ok_or_else(|| format!("the result `{id}` has no call"))?);
                }
            }
        }
        if let Some(id) = open.first() {
            return Err(format!("the call `{id}` has no result"));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self.tools.iter().find(|name| !seen.insert(*name)) {
            return Err(format!("`{twice}` is listed twice"));
        }
        match &self.forced {
            Some(name) if !self.tools.contains(name) && !self.in_messages.contains(name) => {
                Err(format!("`{name}` must be called, but is not there"))
            }
            _ => Ok(()),
        }
    }

    fn walk(&mut self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            Value::Object(fields) => {
                self.look_at(fields);
                fields.values().for_each(|field| self.walk(field));
            }
            _ => {}
        }
    }

    fn look_at(&mut self, fields: &Map<String, Value>) {
        let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
        let inside =
            |outer: &str, key: &str| fields.get(outer).and_then(|inner| inner[key].as_str()).map(str::to_owned);
        let call = match text("type").as_deref() {
            Some("function") if fields.contains_key("function") => text("id"),
            Some("function_call" | "tool_search_call") => text("call_id"),
            Some("tool_use") => text("id"),
            _ => inside("toolUse", "toolUseId").or_else(|| inside("functionCall", "name")),
        };
        let result = match (text("role").as_deref(), text("type").as_deref()) {
            (Some("tool"), _) => text("tool_call_id"),
            (_, Some("function_call_output" | "tool_search_output")) => text("call_id"),
            (_, Some("tool_result")) => text("tool_use_id"),
            _ => inside("toolResult", "toolUseId").or_else(|| inside("functionResponse", "name")),
        };
        self.exchanges.extend(call.map(Exchange::Call));
        self.exchanges.extend(result.map(Exchange::Result));
        if text("type").as_deref() == Some("additional_tools") {
            self.in_messages.extend(fields.get("tools").into_iter().flat_map(list).filter_map(name));
        }
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A tool's name, however its API nests it.
fn name(tool: &Value) -> Option<String> {
    let places = [&tool["name"], &tool["function"]["name"], &tool["toolSpec"]["name"]];
    places.into_iter().find_map(Value::as_str).map(str::to_owned)
}
