//! Schemas with definitions in place of references to them, for models that do not follow references.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::subschemas::map_subschemas;

/// Deeper schemas are left as they are; no real one comes near.
const MAX_DEPTH: usize = 100;
/// The most nodes that are written: references to references grow without end, or nearly so.
const MAX_NODES: usize = 50_000;
const DEFINITIONS: &str = "#/$defs/";

/// The schema with definitions in place of references to them.
///
/// What refers to itself cannot be written out: it stays a definition, and the schema becomes another one. A schema that
/// refers to what is not there, or that would become too large, stays as it is.
pub(crate) fn inlined(schema: &Value) -> Cow<'_, Value> {
    if !has_references(schema, 0) {
        return Cow::Borrowed(schema);
    }
    Inliner { root: schema, within: Vec::new(), recursive: Vec::new(), depth: 0, nodes: 0, is_impossible: false }.run()
}

fn has_references(schema: &Value, depth: usize) -> bool {
    match schema {
        _ if depth > MAX_DEPTH => false,
        Value::Object(map) => map.iter().any(|(key, value)| key == "$ref" || has_references(value, depth + 1)),
        Value::Array(list) => list.iter().any(|item| has_references(item, depth + 1)),
        _ => false,
    }
}

struct Inliner<'s> {
    root: &'s Value,
    /// The references whose definitions are being written.
    within: Vec<&'s str>,
    /// Those that were met within themselves.
    recursive: Vec<&'s str>,
    depth: usize,
    nodes: usize,
    is_impossible: bool,
}

impl<'s> Inliner<'s> {
    fn run(mut self) -> Cow<'s, Value> {
        let mut written = self.node(self.root);
        if !self.recursive.is_empty() {
            written = self.with_definitions(written);
        }
        if self.is_impossible { Cow::Borrowed(self.root) } else { Cow::Owned(written) }
    }

    fn node(&mut self, schema: &'s Value) -> Value {
        let Value::Object(map) = schema else { return schema.clone() };
        self.nodes += 1;
        self.is_impossible |= self.nodes > MAX_NODES || self.depth > MAX_DEPTH;
        if self.is_impossible {
            return Value::Null;
        }
        self.depth += 1;
        let written = match map.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.referred(reference, map),
            None => self.keywords(map).into(),
        };
        self.depth -= 1;
        written
    }

    /// What a reference stands for, under what is said beside it.
    fn referred(&mut self, reference: &'s str, map: &'s Map<String, Value>) -> Value {
        if self.within.contains(&reference) && !self.recursive.contains(&reference) {
            self.recursive.push(reference);
        }
        if self.recursive.contains(&reference) {
            self.is_impossible |= !reference.starts_with(DEFINITIONS);
            return map.clone().into();
        }
        let definition = self.definition(reference);
        let mut beside = self.keywords(map);
        beside.shift_remove("$ref");
        match definition {
            Value::Object(mut definition) => {
                definition.extend(beside);
                definition.into()
            }
            definition => definition,
        }
    }

    fn definition(&mut self, reference: &'s str) -> Value {
        let Some(definition) = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) else {
            self.is_impossible = true;
            return Value::Null;
        };
        self.within.push(reference);
        let written = self.node(definition);
        self.within.pop();
        written
    }

    fn keywords(&mut self, map: &'s Map<String, Value>) -> Map<String, Value> {
        let is_kept = |key: &str| !matches!(key, "$defs" | "definitions");
        let kept = map.iter().filter(|(key, _)| is_kept(key));
        kept.map(|(key, value)| (key.clone(), self.keyword(key, value))).collect()
    }

    fn keyword(&mut self, key: &str, value: &'s Value) -> Value {
        map_subschemas(key, value, |schema| self.node(schema))
    }

    /// The schema as one of the definitions that refer to themselves.
    fn with_definitions(&mut self, written: Value) -> Value {
        let mut definitions = Map::new();
        let mut next = 0;
        while let Some(reference) = self.recursive.get(next).copied() {
            next += 1;
            definitions.insert(name_of(reference), self.definition(reference));
        }
        let root = self.root.get("$ref").and_then(Value::as_str).filter(|root| self.recursive.contains(root));
        if let Some(root) = root {
            return json!({"$defs": definitions, "$ref": root});
        }
        let mut name = self.root.get("title").and_then(Value::as_str).unwrap_or("root").to_owned();
        while definitions.contains_key(&name) {
            name.push_str("_root");
        }
        let reference = format!("{DEFINITIONS}{}", name.replace('~', "~0").replace('/', "~1"));
        definitions.insert(name, written);
        json!({"$defs": definitions, "$ref": reference})
    }
}

/// The name of the definition that a reference names.
fn name_of(reference: &str) -> String {
    reference.trim_start_matches(DEFINITIONS).replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_stand_in_place_of_references() {
        let schema = json!({
            "type": "object", "properties": {
                "a": {"$ref": "#/$defs/P", "description": "The first."},
                "b": {"type": "array", "items": {"$ref": "#/$defs/P"}},
                "c": {"anyOf": [{"$ref": "#/definitions/a~1b"}, {"type": "null"}]},
                "d": {"$ref": "#/properties/b"},
                "$ref": {"const": {"$ref": "no reference"}},
            },
            "$defs": {"P": {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}}, "X": {"type": "integer"}},
            "definitions": {"a/b": {"type": "string"}},
        });
        let p = json!({"type": "object", "properties": {"x": {"type": "integer"}}});
        let mut first = p.clone();
        first["description"] = "The first.".into();
        let expected = json!({
            "type": "object", "properties": {
                "a": first, "b": {"type": "array", "items": p},
                "c": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "d": {"type": "array", "items": p},
                "$ref": {"const": {"$ref": "no reference"}},
            },
        });
        assert_eq!(*inlined(&schema), expected);
        let plain = json!({"type": "object", "properties": {"a": true}});
        assert!(matches!(inlined(&plain), Cow::Borrowed(_)));
    }

    #[test]
    fn what_refers_to_itself_stays_a_definition() {
        let node =
            json!({"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}}});
        let schema = json!({"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": node}});
        let expected = json!({
            "$ref": "#/$defs/root",
            "$defs": {"N": node, "root": {"type": "object", "properties": {"n": node}}},
        });
        assert_eq!(*inlined(&schema), expected);
        let itself = json!({"$ref": "#/$defs/N", "$defs": {"N": node, "unused": {}}});
        assert_eq!(*inlined(&itself), json!({"$ref": "#/$defs/N", "$defs": {"N": node}}));
        let named = json!({
            "title": "N", "properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": node},
        });
        assert_eq!(inlined(&named)["$ref"], "#/$defs/N_root");
        let by_way =
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"items": {"$ref": "#/$defs/A"}}}});
        let expected = json!({"$ref": "#/$defs/A", "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}}});
        assert_eq!(*inlined(&by_way), expected);
    }

    #[test]
    fn what_cannot_be_written_out_stays_as_it_is() {
        let doubling: Map<_, _> = (0..40)
            .map(|index| {
                let next = json!({"$ref": format!("#/$defs/{}", index + 1)});
                (index.to_string(), json!({"properties": {"a": next, "b": next}}))
            })
            .chain([("40".to_owned(), json!({}))])
            .collect();
        for schema in [
            json!({"$ref": "#/$defs/absent"}),
            json!({"$ref": "https://example.com/schema"}),
            json!({"properties": {"a": {"items": {"$ref": "#/properties/a"}}}}),
            json!({"$ref": "#/$defs/0", "$defs": doubling}),
        ] {
            assert_eq!(*inlined(&schema), schema);
        }
        let deep = (0..500).fold(json!({"$ref": "#/$defs/P"}), |inner, _| json!({"items": inner}));
        assert_eq!(*inlined(&deep), deep);
    }
}
