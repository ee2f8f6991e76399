//! Questions about single nodes of a schema.

use serde_json::{Map, Value};

use crate::schema::all_of::is_annotation;

/// Keywords by which a node says what fits it.
const TYPING: [&str; 7] = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"];

/// The definition a reference names.
pub(super) fn definition<'v>(root: &'v Value, reference: &str) -> Option<&'v Value> {
    let pointer = reference.strip_prefix('#')?;
    let name = pointer.strip_prefix("/$defs/").or_else(|| pointer.strip_prefix("/definitions/"))?;
    if name.contains('/') { None } else { root.pointer(pointer) }
}

/// Whether a node takes values of a type, among others or not.
pub(super) fn is_of_type(node: &Map<String, Value>, wanted: &str) -> bool {
    match node.get("type") {
        Some(Value::String(kind)) => kind == wanted,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == wanted),
        _ => wanted == "object" && node.contains_key("properties"),
    }
}

/// Whether a schema says what fits it.
pub(super) fn is_typed(schema: &Value) -> bool {
    schema.as_object().is_some_and(|node| TYPING.iter().any(|keyword| node.contains_key(*keyword)))
}

/// Whether every value fits a schema.
pub(super) fn accepts_anything(schema: &Value) -> bool {
    match schema {
        Value::Bool(anything) => *anything,
        Value::Object(node) => node.keys().all(|key| is_annotation(key)),
        _ => false,
    }
}

/// Whether a regular expression looks ahead or behind, which strict mode's engine cannot.
pub(super) fn looks_around(pattern: &str) -> bool {
    let mut characters = pattern.char_indices();
    while let Some((index, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|token| pattern[index..].starts_with(token)) {
            return true;
        }
    }
    false
}
