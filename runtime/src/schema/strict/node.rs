//! Questions about single nodes of a schema, and what is done to them.

use std::borrow::Cow;

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

/// The schema, with a definition in place of the reference that it is nothing but: providers want the root spelled out.
pub(super) fn spelled_out(root: &Value) -> Cow<'_, Value> {
    let target = root.get("$ref").and_then(Value::as_str).and_then(|name| definition(root, name));
    let (Value::Object(root_node), Some(Value::Object(target))) = (root, target) else { return Cow::Borrowed(root) };
    let mut spelled_out = root_node.clone();
    spelled_out.shift_remove("$ref");
    spelled_out.extend(target.iter().map(|(key, value)| (key.clone(), value.clone())));
    Cow::Owned(Value::Object(spelled_out))
}

/// Moves keywords of a node into its description.
pub(super) fn describe(node: &mut Map<String, Value>, keywords: &[String]) {
    let notes: Vec<_> = keywords
        .iter()
        .filter_map(|key| node.shift_remove(key).map(|value| (key, value)))
        .map(|(key, value)| match value {
            Value::String(text) => format!("{key}={text}"),
            value => format!("{key}={value}"),
        })
        .collect();
    let notes = notes.join(", ");
    let description = match node.get("description").and_then(Value::as_str) {
        Some(text) if !text.is_empty() => format!("{text} ({notes})"),
        _ => notes,
    };
    node.insert("description".to_owned(), description.into());
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
