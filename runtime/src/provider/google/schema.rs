//! JSON schemas in the form that Gemini takes (specification: "Strict Mode"; decision 7).
//!
//! Gemini reads JSON Schema but for some keywords. What constrains goes on in words; what only annotates goes.

use serde_json::{Map, Value, json};

use crate::schema::{map_subschemas, with_single_all_of};

/// Deeper schemas are left as they are below; no real one comes near.
const MAX_DEPTH: usize = 100;
/// Keywords that no model sees.
const DROPPED: [&str; 4] = ["$schema", "title", "discriminator", "examples"];
/// Constraints that Gemini does not know: they are described.
const DESCRIBED: [&str; 2] = ["exclusiveMinimum", "exclusiveMaximum"];

/// The form of `schema` for Gemini.
pub(super) fn for_gemini(schema: &Value) -> Value {
    node(schema, 0)
}

fn node(schema: &Value, depth: usize) -> Value {
    let Value::Object(map) = schema else { return schema.clone() };
    if depth > MAX_DEPTH {
        return schema.clone();
    }
    let mut node = Map::new();
    for (key, value) in with_single_all_of(map) {
        if !DROPPED.contains(&key.as_str()) {
            node.insert(key.clone(), map_subschemas(key, value, |schema| self::node(schema, depth + 1)));
        }
    }
    spell_out_constant(&mut node);
    join_described_options(&mut node);
    describe_constraints(&mut node);
    Value::Object(node)
}

/// Makes a constant the one value of an enumeration, which has a type.
fn spell_out_constant(node: &mut Map<String, Value>) {
    let Some(constant) = node.shift_remove("const") else { return };
    let kind = match &constant {
        Value::String(_) => Some("string"),
        Value::Bool(_) => Some("boolean"),
        Value::Number(number) if number.is_f64() => Some("number"),
        Value::Number(_) => Some("integer"),
        Value::Null => Some("null"),
        Value::Array(_) | Value::Object(_) => None,
    };
    // To be null says it all.
    if !constant.is_null() {
        node.insert("enum".to_owned(), json!([constant]));
    }
    if let Some(kind) = kind {
        node.entry("type").or_insert_with(|| kind.into());
    }
}

/// Makes one enumeration of a choice between single values, with what each means in its description: models keep to that
/// better.
fn join_described_options(node: &mut Map<String, Value>) {
    let Some(options) = node.get("anyOf").and_then(Value::as_array).and_then(|list| single_values(list)) else {
        return;
    };
    let kind = options[0].kind.cloned();
    let is_one_kind = options.iter().all(|option| option.kind == kind.as_ref());
    if !is_one_kind || node.contains_key("enum") || node.get("type").is_some_and(|own| Some(own) != kind.as_ref()) {
        return;
    }
    let meanings: Vec<String> = options
        .iter()
        .filter_map(|option| option.description.map(|meaning| format!("{}: {meaning}", shown(option.value))))
        .collect();
    let values: Vec<Value> = options.iter().map(|option| option.value.clone()).collect();
    node.shift_remove("anyOf");
    node.insert("enum".to_owned(), values.into());
    if let Some(kind) = kind {
        node.insert("type".to_owned(), kind);
    }
    if !meanings.is_empty() {
        let lines: Vec<_> = description(node).map(str::to_owned).into_iter().chain(meanings).collect();
        node.insert("description".to_owned(), lines.join("\n").into());
    }
}

/// One of the values to choose from.
struct SingleValue<'v> {
    value: &'v Value,
    kind: Option<&'v Value>,
    description: Option<&'v str>,
}

/// The options, if each is a single value and there are any.
fn single_values(options: &[Value]) -> Option<Vec<SingleValue<'_>>> {
    let single = |option| {
        let option: &Map<String, Value> = Value::as_object(option)?;
        let [value] = option.get("enum")?.as_array()?.as_slice() else { return None };
        let is_plain = option.keys().all(|key| matches!(key.as_str(), "enum" | "type" | "description"));
        is_plain.then(|| SingleValue { value, kind: option.get("type"), description: description(option) })
    };
    let values: Vec<_> = options.iter().map(single).collect::<Option<_>>()?;
    (!values.is_empty()).then_some(values)
}

/// Moves what Gemini does not know into the description.
fn describe_constraints(node: &mut Map<String, Value>) {
    let mut notes = Vec::new();
    if node.get("type").is_some_and(|kind| kind == "string")
        && let Some(format) = node.shift_remove("format")
    {
        notes.push(format!("format: {}", shown(&format)));
    }
    for key in DESCRIBED {
        notes.extend(node.shift_remove(key).map(|limit| format!("{key}: {}", shown(&limit))));
    }
    if notes.is_empty() {
        return;
    }
    let notes = notes.join(", ");
    let text = match description(node) {
        Some(text) => format!("{text} ({notes})"),
        None => notes,
    };
    node.insert("description".to_owned(), text.into());
}

fn description(node: &Map<String, Value>) -> Option<&str> {
    node.get("description").and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_annotates_goes_and_names_stay() {
        let schema = json!({
            "$schema": "x", "title": "Args", "type": "object", "examples": [{}], "additionalProperties": false,
            "properties": {
                "title": {"type": "string", "title": "T", "default": "x"},
                "either": {"oneOf": [{"type": "string", "title": "S"}, {"type": "integer"}], "discriminator": {"propertyName": "k"}},
                "pair": {"type": "array", "prefixItems": [{"title": "A", "type": "integer"}], "items": {"title": "B"}},
                "map": {"type": "object", "additionalProperties": {"title": "V", "type": "integer"}},
                "any": true,
            },
            "$defs": {"title": {"type": ["object", "null"], "title": "D", "properties": {"x": {"title": "X"}}}},
        });
        let expected = json!({
            "type": "object", "additionalProperties": false,
            "properties": {
                "title": {"type": "string", "default": "x"},
                "either": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
                "pair": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {}},
                "map": {"type": "object", "additionalProperties": {"type": "integer"}},
                "any": true,
            },
            "$defs": {"title": {"type": ["object", "null"], "properties": {"x": {}}}},
        });
        assert_eq!(for_gemini(&schema), expected);
        assert_eq!(for_gemini(&expected), expected);
    }

    #[test]
    fn what_gemini_does_not_know_is_put_otherwise() {
        for (schema, expected) in [
            (json!({"const": "only"}), json!({"enum": ["only"], "type": "string"})),
            (json!({"const": true}), json!({"enum": [true], "type": "boolean"})),
            (json!({"const": 2, "type": "number"}), json!({"enum": [2], "type": "number"})),
            (json!({"const": 2}), json!({"enum": [2], "type": "integer"})),
            (json!({"const": 2.5}), json!({"enum": [2.5], "type": "number"})),
            (json!({"const": null}), json!({"type": "null"})),
            (json!({"const": [1]}), json!({"enum": [[1]]})),
            (json!({"type": "string", "format": "date"}), json!({"type": "string", "description": "format: date"})),
            (
                json!({"type": "string", "format": "date", "description": "When."}),
                json!({"type": "string", "description": "When. (format: date)"}),
            ),
            (json!({"type": "integer", "format": "int32"}), json!({"type": "integer", "format": "int32"})),
            (
                json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5, "minimum": 0}),
                json!({"type": "number", "minimum": 0, "description": "exclusiveMinimum: 0, exclusiveMaximum: 1.5"}),
            ),
            (json!({"allOf": [{"$ref": "#/$defs/P"}], "title": "T"}), json!({"$ref": "#/$defs/P"})),
        ] {
            assert_eq!(for_gemini(&schema), expected);
        }
    }

    #[test]
    fn described_options_become_one_enumeration() {
        let option = |value: &str, meaning: &str| json!({"const": value, "description": meaning});
        let schema = json!({"description": "How fast.", "anyOf": [option("now", "At once."), option("later", "")]});
        let expected = json!({"description": "How fast.\nnow: At once.", "enum": ["now", "later"], "type": "string"});
        assert_eq!(for_gemini(&schema), expected);
        let kept = [
            json!({"anyOf": []}),
            json!({"anyOf": [{"enum": [1], "type": "integer"}, {"enum": ["a"], "type": "string"}]}),
            json!({"anyOf": [{"enum": ["a", "b"], "type": "string"}, {"enum": ["c"], "type": "string"}]}),
            json!({"anyOf": [{"enum": ["a"], "type": "string", "minLength": 1}, {"enum": ["b"], "type": "string"}]}),
            json!({"anyOf": [{"enum": ["a"], "type": "string"}], "type": "integer"}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ];
        for schema in kept {
            assert_eq!(for_gemini(&schema), schema);
        }
    }

    #[test]
    fn depth_has_an_end() {
        let deep = (0..500).fold(json!({"title": "T"}), |inner, _| json!({"items": inner}));
        assert!(for_gemini(&deep).pointer(&"/items".repeat(500)).is_some());
    }
}
