//! Intersections of a schema with nothing.

use serde_json::{Map, Value};

/// The entries of a schema, with those of an only member of `allOf` in its place.
pub(crate) fn with_single_all_of(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
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
