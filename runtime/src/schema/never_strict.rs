//! What no provider can be strict about, whatever form its schemas have: open maps and tuples (decision 7).

use std::fmt;

use serde_json::{Map, Value};

/// How deep a schema is looked into: one that is deeper was made by no type.
const DEEPEST: usize = 64;

/// What of a tool's parameters no provider can be strict about: where it is, and what.
pub(crate) fn never_strict(parameters: &Value) -> Vec<String> {
    let mut found = Vec::new();
    look(parameters, &Place::Root, 0, &mut found);
    found
}

/// A place in a schema, as it is told.
enum Place<'a> {
    Root,
    /// A property, or a definition, of what is around it.
    Named(&'a Place<'a>, &'a str),
    /// The items of a list, or the values of a map.
    Items(&'a Place<'a>),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Named(Self::Root, name) => f.write_str(name),
            Self::Named(around, name) => write!(f, "{around}.{name}"),
            Self::Items(around) => write!(f, "{around}[]"),
        }
    }
}

fn look(schema: &Value, place: &Place<'_>, depth: usize, found: &mut Vec<String>) {
    let Some(schema) = schema.as_object().filter(|_| depth < DEEPEST) else { return };
    if let Some(what) = fault(schema) {
        found.push(format!("`{place}` is {what}"));
        return;
    }
    for key in ["properties", "$defs", "definitions"] {
        for (name, inner) in schema.get(key).and_then(Value::as_object).into_iter().flatten() {
            // A definition is told by its own name: it may be used in many places.
            let around = if key == "properties" { place } else { &Place::Root };
            look(inner, &Place::Named(around, name), depth + 1, found);
        }
    }
    if let Some(items) = schema.get("items") {
        look(items, &Place::Items(place), depth + 1, found);
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for inner in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
            look(inner, place, depth + 1, found);
        }
    }
}

fn fault(schema: &Map<String, Value>) -> Option<&'static str> {
    let has_properties = schema.get("properties").and_then(Value::as_object).is_some_and(|map| !map.is_empty());
    let is_open = match schema.get("additionalProperties") {
        Some(Value::Object(_)) => true,
        Some(Value::Bool(true)) => !has_properties,
        _ => schema.contains_key("patternProperties"),
    };
    let is_tuple = schema.contains_key("prefixItems") || schema.get("items").is_some_and(Value::is_array);
    match (is_open, is_tuple) {
        (true, _) => Some("an open map"),
        (_, true) => Some("a tuple"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_nested_is_told_by_its_path() {
        let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
        let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}]});
        let schema = json!({"type": "object", "properties": {
            "a": {"type": "object", "properties": {"b": {"type": "array", "items": map}}},
            "c": {"anyOf": [tuple, {"type": "null"}]},
            "d": {"$ref": "#/$defs/D"},
        }, "$defs": {"D": {"type": "object", "properties": {"e": map}}}});
        assert_eq!(never_strict(&schema), ["`a.b[]` is an open map", "`c` is a tuple", "`D.e` is an open map"]);
    }

    #[test]
    fn what_can_be_closed_passes() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}, "additionalProperties": true},
            "items": {"type": "array", "items": {"type": "string"}}}, "additionalProperties": false});
        assert!(never_strict(&schema).is_empty());
    }

    #[test]
    fn a_schema_without_end_is_looked_into_for_a_while() {
        let mut schema = json!({});
        for _ in 0..1000 {
            schema = json!({"items": schema});
        }
        assert!(never_strict(&schema).is_empty());
    }
}
