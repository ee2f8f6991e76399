//! Whether a tool's parameters fit what its kind says of them, as far as their schemas show.

use std::collections::BTreeSet;

use serde_json::Value;

/// How the schema of a tool's parameters does not fit the one of its kind's arguments; nothing if it fits.
///
/// Every field that the kind requires has to be one that the tool requires. Where both name the JSON types of a field at
/// its top, one of them has to be the same. What else a schema can say is not compared.
pub(super) fn misfits(kind: &Value, tool: &Value) -> Vec<String> {
    let parameter = |name: &str| tool.get("properties")?.get(name);
    let mut misfits = Vec::new();
    for name in required(kind) {
        if parameter(name).is_none() {
            misfits.push(format!("there is no parameter `{name}`"));
        } else if !required(tool).any(|required| required == name) {
            misfits.push(format!("the parameter `{name}` is not required"));
        }
    }
    for (name, field) in kind.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if let (Some(wanted), Some(given)) = (types(field), parameter(name).and_then(types))
            && wanted.is_disjoint(&given)
        {
            misfits.push(format!("the parameter `{name}` is of the type {}, not {}", words(&given), words(&wanted)));
        }
    }
    misfits
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The JSON types that a schema names at its top, those of unions included; nothing where one of them is not named.
fn types(schema: &Value) -> Option<BTreeSet<&str>> {
    let options = ["anyOf", "oneOf"].iter().find_map(|union| schema.get(union)?.as_array());
    let mut types = match options {
        Some(options) => options
            .iter()
            .map(types)
            .try_fold(BTreeSet::new(), |all, some| Some(all.into_iter().chain(some?).collect()))?,
        None => match schema.get("type")? {
            Value::String(one) => BTreeSet::from([one.as_str()]),
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => return None,
        },
    };
    if types.contains("number") {
        types.insert("integer");
    }
    (!types.is_empty()).then_some(types)
}

fn words(types: &BTreeSet<&str>) -> String {
    let words: Vec<_> = types.iter().map(|name| format!("`{name}`")).collect();
    words.join(" or ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(kind: &Value, tool: &Value) -> Vec<String> {
        let object = |field: &Value| json!({"properties": {"x": field}, "required": ["x"]});
        misfits(&object(kind), &object(tool))
    }

    #[test]
    fn what_the_kind_requires_the_tool_requires() {
        let kind = json!({"properties": {"a": {}, "b": {}, "c": {}, "d": {}}, "required": ["a", "b", "c"]});
        let tool = json!({"properties": {"a": {}, "b": {}, "e": {}}, "required": ["a", "e"]});
        let expected = ["the parameter `b` is not required", "there is no parameter `c`"];
        assert_eq!(misfits(&kind, &tool), expected);
        assert!(misfits(&json!({}), &tool).is_empty());
        assert_eq!(misfits(&kind, &json!({})).len(), 3);
    }

    #[test]
    fn types_at_the_top_of_a_field_have_to_overlap() {
        let [string, integer, number] = ["string", "integer", "number"].map(|name| json!({"type": name}));
        assert_eq!(field(&integer, &string), ["the parameter `x` is of the type `string`, not `integer`"]);
        assert!(field(&number, &integer).is_empty() && field(&integer, &number).is_empty());
        assert!(field(&json!({"type": ["string", "null"]}), &json!({"anyOf": [string, integer]})).is_empty());
        let nested = json!({"oneOf": [{"anyOf": [string, {"type": "boolean"}]}, {"type": "null"}]});
        assert_eq!(
            field(&nested, &number),
            ["the parameter `x` is of the type `integer` or `number`, not `boolean` or `null` or `string`"]
        );
    }

    #[test]
    fn a_field_that_the_kind_does_not_require_has_its_type_all_the_same() {
        let kind = json!({"properties": {"x": {"type": "string"}}});
        assert!(misfits(&kind, &json!({"properties": {}})).is_empty());
        assert_eq!(misfits(&kind, &json!({"properties": {"x": {"type": "array"}}})).len(), 1);
    }

    #[test]
    fn what_names_no_type_fits() {
        let string = json!({"type": "string"});
        for unknown in [json!({}), json!(true), json!({"$ref": "#/$defs/A"}), json!({"type": 3}), json!({"type": []})] {
            assert!(field(&string, &unknown).is_empty() && field(&unknown, &string).is_empty(), "{unknown}");
        }
        assert!(field(&string, &json!({"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/A"}]})).is_empty());
        assert!(misfits(&json!(1), &json!([])).is_empty());
    }
}
