//! The schemas within a schema.

use serde_json::Value;

const MAPS: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];
const LISTS: [&str; 5] = ["prefixItems", "anyOf", "oneOf", "allOf", "items"];
const SINGLE: [&str; 6] =
    ["items", "additionalProperties", "propertyNames", "contains", "not", "unevaluatedProperties"];

/// The value of a keyword, with what `map` makes of the schemas in it.
pub(crate) fn map_subschemas<'v>(key: &str, value: &'v Value, mut map: impl FnMut(&'v Value) -> Value) -> Value {
    match value {
        Value::Object(members) if MAPS.contains(&key) => {
            members.iter().map(|(name, member)| (name.clone(), map(member))).collect()
        }
        Value::Array(members) if LISTS.contains(&key) => members.iter().map(map).collect(),
        Value::Object(_) if SINGLE.contains(&key) => map(value),
        other => other.clone(),
    }
}
