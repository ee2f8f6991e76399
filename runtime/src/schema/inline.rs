//! Schemas without definitions, for models that do not see those.

use serde_json::{Map, Value};

/// How many values the copies of definitions may come to; a larger schema keeps its definitions.
const LARGEST: usize = 250_000;
/// Deeper schemas keep their definitions; no real one comes near.
const MAX_DEPTH: usize = 100;

/// The schema with every definition where it is referred to. What would have no end, or be very large, is left as it is.
pub(crate) fn with_definitions_inlined(schema: &Value) -> Value {
    let has_definitions = ["$defs", "definitions"].iter().any(|key| schema.get(key).is_some());
    let mut inlining = Inlining { root: schema, within: Vec::new(), copied: 0 };
    match has_definitions.then(|| inlining.node(schema, 0)).flatten() {
        Some(Value::Object(mut inlined)) => {
            inlined.shift_remove("$defs");
            inlined.shift_remove("definitions");
            Value::Object(inlined)
        }
        _ => schema.clone(),
    }
}

struct Inlining<'a> {
    root: &'a Value,
    /// The definitions that are being written out.
    within: Vec<&'a str>,
    copied: usize,
}

impl<'a> Inlining<'a> {
    /// A value with its references written out; `None` where that cannot be.
    fn node(&mut self, value: &'a Value, depth: usize) -> Option<Value> {
        if depth > MAX_DEPTH || self.copied > LARGEST {
            return None;
        }
        if !self.within.is_empty() {
            self.copied += 1;
        }
        Some(match value {
            Value::Object(map) => match map.get("$ref").and_then(Value::as_str) {
                Some(reference) => self.reference(reference, map, depth)?,
                None => Value::Object(self.members(map, depth, "")?),
            },
            Value::Array(list) => {
                list.iter().map(|item| self.node(item, depth + 1)).collect::<Option<Vec<_>>>()?.into()
            }
            other => other.clone(),
        })
    }

    /// The members of an object but for one, and but for the definitions of the whole schema.
    fn members(&mut self, map: &'a Map<String, Value>, depth: usize, but: &str) -> Option<Map<String, Value>> {
        let is_definitions = |key: &str| depth == 0 && matches!(key, "$defs" | "definitions");
        let members = map.iter().filter(|(key, _)| *key != but && !is_definitions(key));
        members.map(|(key, member)| Some((key.clone(), self.node(member, depth + 1)?))).collect()
    }

    /// A definition, and what stands beside the reference to it over that.
    fn reference(&mut self, reference: &'a str, beside: &'a Map<String, Value>, depth: usize) -> Option<Value> {
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer))?;
        if self.within.contains(&reference) {
            return None;
        }
        self.within.push(reference);
        let definition = self.node(target, depth + 1);
        self.within.pop();
        match definition? {
            Value::Object(mut definition) => {
                definition.extend(self.members(beside, depth, "$ref")?);
                Some(Value::Object(definition))
            }
            other => Some(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema(properties: Value, definitions: Value) -> Value {
        json!({"type": "object", "title": "T", "properties": properties, "$defs": definitions})
    }

    #[test]
    fn definitions_stand_where_they_are_referred_to() {
        let definitions = json!({
            "P": {"type": "object", "description": "A place.", "properties": {"x": {"$ref": "#/$defs/N"}}},
            "N": {"type": "integer"},
        });
        let properties = json!({
            "a": {"$ref": "#/$defs/P"}, "b": {"$ref": "#/$defs/P", "description": "The second."},
            "c": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]},
        });
        let place =
            |said: &str| json!({"type": "object", "description": said, "properties": {"x": {"type": "integer"}}});
        let expected = json!({
            "type": "object", "title": "T",
            "properties": {"a": place("A place."), "b": place("The second."), "c": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
        });
        assert_eq!(with_definitions_inlined(&schema(properties, definitions)), expected);
    }

    #[test]
    fn what_has_no_end_is_left_as_it_is() {
        let circle = json!({"N": {"type": "object", "properties": {"next": {"$ref": "#/$defs/N"}}}});
        let doubling: Map<_, _> = (0..40)
            .map(|level| {
                let below = json!({"$ref": format!("#/$defs/L{}", level + 1)});
                (format!("L{level}"), json!({"anyOf": [below, below]}))
            })
            .chain([("L40".to_owned(), json!({"type": "null"}))])
            .collect();
        for (reference, definitions) in [
            ("#/$defs/N", circle),
            ("#/$defs/L0", doubling.into()),
            ("#/$defs/nowhere", json!({})),
            ("https://example.com/schema", json!({})),
        ] {
            let schema = schema(json!({"a": {"$ref": reference}}), definitions);
            assert_eq!(with_definitions_inlined(&schema), schema);
        }
        for schema in [json!(true), json!({"type": "object"})] {
            assert_eq!(with_definitions_inlined(&schema), schema);
        }
    }
}
