//! Questions about single nodes of a schema, and what is done to them.

use std::borrow::Cow;

use serde_json::{Map, Value};

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

/// The entries of a schema, with those of an only member of `allOf` in its place.
pub(super) fn with_single_all_of(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    while let Some(index) = entries.iter().position(|(key, _)| *key == "allOf")
        && let Some([Value::Object(member)]) = entries[index].1.as_array().map(Vec::as_slice)
    {
        let has = |key: &String| key != "allOf" && entries.iter().any(|(own, _)| *own == key);
        if member.keys().any(|key| has(key) && !is_annotation(key)) {
            break;
        }
        let inherited: Vec<_> = member.iter().filter(|(key, _)| !has(key)).collect();
        entries.splice(index..=index, inherited);
    }
    entries
}

/// Whether a keyword constrains nothing.
pub(super) fn is_annotation(key: &str) -> bool {
    matches!(key, "title" | "description" | "default" | "examples" | "deprecated")
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
