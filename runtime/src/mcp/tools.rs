//! A server's tools, as models are told of them.

use std::collections::HashSet;
use std::fmt::Write;
use std::io;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::settings::Settings;
use crate::message::Metadata;
use crate::tool::ToolDefinition;
use crate::wording::shortened;

/// The longest name of a tool, in characters, as the protocol has it.
const LONGEST_NAME: usize = 128;
/// How deep a schema may be nested.
const DEEPEST_SCHEMA: usize = 64;
/// What a tool's definition says of it in its metadata, and of its result's `_meta`.
const METADATA: [&str; 3] = ["title", "annotations", "_meta"];

/// A tool of a server.
pub(super) struct RemoteTool {
    /// What its server calls it.
    pub(super) name: String,
    /// What models are told of it.
    pub(super) definition: ToolDefinition,
}

/// The tools in what a server lists. Without a name there is no tool, and of two with one name there is the first. What `known`
/// has of them already is used again.
pub(super) fn remote_tools(listed: Vec<Value>, settings: &Settings, known: &[Arc<RemoteTool>]) -> Vec<Arc<RemoteTool>> {
    let (mut names, mut exposed) = (HashSet::new(), HashSet::new());
    let mut tools = Vec::with_capacity(listed.len());
    for tool in listed {
        let Some(name) = tool.get("name").and_then(Value::as_str).map(str::to_owned) else { continue };
        if !names.insert(name.clone()) {
            continue;
        }
        let mut shown = shown_name(&name);
        if exposed.contains(&shown) {
            shown = stand_in(&name);
        }
        while !exposed.insert(shown.clone()) {
            shown = stand_in(&shown);
        }
        let definition = definition(&shown, tool, settings);
        let before = known.iter().find(|known| known.name == name && known.definition == definition);
        tools.push(before.cloned().unwrap_or_else(|| Arc::new(RemoteTool { name, definition })));
    }
    tools
}

/// The name as it is, unless it has what no name should: white space, control characters, nothing at all, or too much.
fn shown_name(name: &str) -> String {
    let is_odd = |character: char| character.is_whitespace() || character.is_control();
    if name.is_empty() || name.chars().any(is_odd) || name.chars().count() > LONGEST_NAME {
        stand_in(name)
    } else {
        name.to_owned()
    }
}

/// A name that always is the same and, by its digest, nobody else's.
fn stand_in(name: &str) -> String {
    let readable = name.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' });
    let mut shown: String = readable.take(40).collect();
    shown.push('_');
    for byte in Sha256::digest(name).iter().take(4) {
        // Writing to a string does not fail.
        let _ = write!(shown, "{byte:02x}");
    }
    shown
}

fn definition(name: &str, mut tool: Value, settings: &Settings) -> ToolDefinition {
    let limits = &settings.limits;
    let mut definition = ToolDefinition::new(name);
    if let Some(id) = &settings.id {
        definition = definition.with_toolset_id(id);
    }
    if let Some(description) = tool.get("description").or(tool.get("title")).and_then(Value::as_str) {
        definition = definition.with_description(shortened(description, limits.description_chars));
    }
    definition =
        definition.with_parameters(parameters(tool.get_mut("inputSchema").map(Value::take), limits.schema_bytes));
    if let Some(schema @ Value::Object(_)) = tool.get_mut("outputSchema").map(Value::take)
        && is_bounded(&schema, limits.schema_bytes)
    {
        definition = definition.with_return_schema(schema);
    }
    let mut metadata = Metadata::new();
    for key in METADATA {
        match tool.get_mut(key).map(Value::take) {
            None | Some(Value::Null) => {}
            Some(value) if is_bounded(&value, limits.schema_bytes) => drop(metadata.insert(key.to_owned(), value)),
            Some(_) => {}
        }
    }
    if metadata.is_empty() { definition } else { definition.with_metadata(metadata) }
}

/// The schema of an object. Whatever else a server gives becomes one that takes any object: it finds out by itself what does
/// not fit.
fn parameters(schema: Option<Value>, longest: usize) -> Value {
    let any = || json!({"type": "object", "properties": {}});
    match schema {
        Some(Value::Object(schema)) => match object_schema(schema) {
            Some(schema) if is_bounded(&schema, longest) => schema,
            _ => any(),
        },
        _ => any(),
    }
}

fn object_schema(mut schema: Map<String, Value>) -> Option<Value> {
    match schema.get("type") {
        Some(Value::String(kind)) if kind == "object" => {}
        None => drop(schema.shift_insert(0, "type".to_owned(), "object".into())),
        Some(_) => return None,
    }
    match schema.get("properties") {
        Some(Value::Object(_)) => {}
        None => drop(schema.insert("properties".to_owned(), json!({}))),
        Some(_) => return None,
    }
    Some(Value::Object(schema))
}

fn is_bounded(value: &Value, longest: usize) -> bool {
    is_shallow(value, DEEPEST_SCHEMA) && serde_json::to_writer(Room(longest), value).is_ok()
}

fn is_shallow(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else { return false };
    match value {
        Value::Array(items) => items.iter().all(|item| is_shallow(item, below)),
        Value::Object(map) => map.values().all(|item| is_shallow(item, below)),
        _ => true,
    }
}

/// Room for so many bytes.
struct Room(usize);

impl io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_that_is_another_one_s_stand_in_stays_apart() {
        let odd = stand_in("a b");
        let listed = [stand_in(&odd), "a b".to_owned(), odd.clone()];
        let listed = listed.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        let tools = remote_tools(listed, &Settings::default(), &[]);
        let names: HashSet<_> = tools.iter().map(|tool| tool.definition.name().to_owned()).collect();
        assert_eq!(names.len(), 3, "{names:?}");
    }
}
