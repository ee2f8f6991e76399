//! Strict mode for tools that ask for it, as Anthropic and Bedrock have it.
//!
//! | `strict` | schema | sent as strict |
//! |---|---|---|
//! | `Some(false)`, `None` | tidied: titles and the like go, the meaning stays | never |
//! | `Some(true)` | bent, with losses: objects are closed, what strict mode does not know is only described | yes |
//!
//! What cannot be bent without losing what the tool needs (an open map, a tuple, recursion, something of no type) is not: then
//! `Some(true)` is taken as `Some(false)`, and the losses say why. Properties may stay optional.

use serde_json::{Map, Value};

use super::Strict;
use super::node::{accepts_anything, definition, describe, is_of_type, is_typed, looks_around, spelled_out};
use super::path::Path;
use crate::error::{Error, Result};
use crate::output::{OutputFormat, OutputMode};
use crate::schema::all_of::with_single_all_of;

/// Annotations that no model sees.
const DROPPED: [&str; 2] = ["title", "$schema"];
const SCHEMA_MAPS: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];
const SCHEMA_LISTS: [&str; 4] = ["prefixItems", "anyOf", "oneOf", "allOf"];
const SCHEMAS: [&str; 3] = ["items", "additionalProperties", "not"];
/// What Anthropic's takes besides constraints of single types.
const KEPT: [&str; 8] = ["$ref", "$defs", "definitions", "type", "enum", "anyOf", "allOf", "description"];
const FORMATS: [&str; 10] =
    ["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];
/// Deeper schemas are left as they are below; no real one comes near.
const MAX_DEPTH: usize = 100;

/// Whose strict mode it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "full"), allow(dead_code, reason = "each is one provider's"))]
pub(crate) enum OptIn {
    /// Takes few constraints, and says everything in its own way.
    Anthropic,
    /// Takes all but some constraints.
    Bedrock,
}

impl Strict {
    /// The schema that a model's text is held to; none where the text is not held to one.
    ///
    /// # Errors
    ///
    /// Misuse, when the schema has no strict form.
    pub(crate) fn of_output(format: &OutputFormat, whose: OptIn) -> Result<Option<Value>> {
        if format.mode != OutputMode::Native {
            return Ok(None);
        }
        let made = Self::opted_in(&format.schema, Some(true), whose);
        if made.strict && format.strict != Some(false) {
            return Ok(Some(made.schema));
        }
        let why = if made.strict { "`strict` is `false`".to_owned() } else { made.losses.join(", ") };
        Err(Error::misuse(format!(
            "the output `{}` cannot be native here, where text is held to every word of a schema: {why}; use `.prompted()` in \
             place of `.native()`, or an output tool",
            format.name
        )))
    }

    /// The form of `schema` for a tool with this `strict`, where only asking for it makes a tool strict.
    pub(crate) fn opted_in(schema: &Value, strict: Option<bool>, whose: OptIn) -> Self {
        let root = spelled_out(schema);
        let loose = |losses| Self { schema: tidied(&root, 0), strict: false, losses };
        if strict != Some(true) {
            return loose(Vec::new());
        }
        let mut bending = Bending { root: &root, whose, losses: Vec::new(), obstacles: Vec::new() };
        let schema = bending.node(&root, &Path::root());
        if !is_of_type(schema.as_object().unwrap_or(&Map::new()), "object") {
            bending.obstacle(&Path::root(), "is no plain object");
        }
        if is_recursive(&root) {
            bending.obstacle(&Path::root(), "is recursive");
        }
        match bending.obstacles.is_empty() {
            true => Self { schema, strict: true, losses: bending.losses },
            false => loose(bending.obstacles),
        }
    }
}

/// A schema without what no model sees.
fn tidied(schema: &Value, depth: usize) -> Value {
    let Value::Object(map) = schema else { return schema.clone() };
    if depth > MAX_DEPTH {
        return schema.clone();
    }
    let below = |schema: &Value| tidied(schema, depth + 1);
    let keyword = |key: &str, value: &Value| match value {
        Value::Object(members) if SCHEMA_MAPS.contains(&key) => {
            members.iter().map(|(name, member)| (name.clone(), below(member))).collect()
        }
        Value::Array(members) if SCHEMA_LISTS.contains(&key) => members.iter().map(below).collect(),
        Value::Object(_) if SCHEMAS.contains(&key) => below(value),
        other => other.clone(),
    };
    let entries = with_single_all_of(map).into_iter().filter(|(key, _)| !DROPPED.contains(&key.as_str()));
    Value::Object(entries.map(|(key, value)| (key.clone(), keyword(key, value))).collect())
}

/// Makes a schema strict.
struct Bending<'a> {
    root: &'a Value,
    whose: OptIn,
    /// What is given up.
    losses: Vec<String>,
    /// What cannot be.
    obstacles: Vec<String>,
}

impl Bending<'_> {
    fn obstacle(&mut self, path: &Path<'_>, what: &str) {
        self.obstacles.push(format!("{path} {what}"));
    }

    fn lose(&mut self, path: &Path<'_>, what: &str) {
        self.losses.push(format!("{path} {what}"));
    }

    fn node(&mut self, schema: &Value, path: &Path<'_>) -> Value {
        let Value::Object(map) = schema else {
            self.obstacle(path, "may be anything");
            return schema.clone();
        };
        if path.depth > MAX_DEPTH {
            self.obstacle(path, "is nested too deeply");
            return schema.clone();
        }
        if !is_typed(schema) {
            self.obstacle(path, "may be anything");
        }
        let entries = with_single_all_of(map).into_iter().filter(|(key, _)| !DROPPED.contains(&key.as_str()));
        let mut node: Map<String, Value> =
            entries.map(|(key, value)| (key.clone(), self.keyword(key, value, path))).collect();
        if node.contains_key("$ref") {
            self.reference(&mut node, path);
            return Value::Object(node);
        }
        self.unite(&mut node, path);
        if self.whose == OptIn::Anthropic {
            name_values(&mut node);
        }
        if is_of_type(&node, "object") {
            self.object(&mut node, path);
        }
        if node.contains_key("prefixItems") || node.get("items").is_some_and(Value::is_array) {
            self.obstacle(path, "is a tuple");
        }
        self.describe_constraints(&mut node, path);
        Value::Object(node)
    }

    fn keyword(&mut self, key: &str, value: &Value, path: &Path<'_>) -> Value {
        match value {
            Value::Object(map) if matches!(key, "properties" | "$defs" | "definitions") => {
                let of_member = |name| if key == "properties" { path.property(name) } else { path.definition(name) };
                map.iter().map(|(name, member)| (name.clone(), self.node(member, &of_member(name)))).collect()
            }
            Value::Array(list) if matches!(key, "anyOf" | "oneOf" | "allOf") => {
                list.iter().map(|member| self.node(member, &path.below(key))).collect()
            }
            Value::Object(_) | Value::Bool(_) if key == "items" => self.node(value, &path.below(key)),
            other => other.clone(),
        }
    }

    /// Anthropic's takes nothing beside a reference but, at the root, the definitions.
    fn reference(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        let target = node.get("$ref").and_then(Value::as_str).unwrap_or_default();
        if definition(self.root, target).is_none() {
            self.obstacle(path, "refers to something other than a definition");
        }
        if self.whose == OptIn::Bedrock {
            return;
        }
        let before = node.len();
        node.retain(|key, _| matches!(key.as_str(), "$ref" | "$defs" | "definitions"));
        if node.len() < before {
            self.lose(path, "says nothing beside its reference any more");
        }
    }

    /// Anthropic's has one kind of union.
    fn unite(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        if ["anyOf", "oneOf", "allOf"].iter().filter(|kind| node.contains_key(**kind)).count() > 1 {
            self.obstacle(path, "is two unions at once");
        }
        if self.whose == OptIn::Anthropic
            && let Some(variants) = node.shift_remove("oneOf")
        {
            self.lose(path, "takes what fits several of its variants, too");
            node.insert("anyOf".to_owned(), variants);
        }
    }

    fn object(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        let properties = node.get("properties").and_then(Value::as_object);
        let is_empty = properties.is_none_or(Map::is_empty);
        let is_map = match node.get("additionalProperties") {
            Some(Value::Bool(false)) => false,
            None => properties.is_none() && !path.is_root(),
            Some(rest) if is_typed(rest) || is_empty || !accepts_anything(rest) => true,
            Some(_) => {
                self.lose(path, "takes no other keys any more");
                false
            }
        };
        if is_map || node.contains_key("patternProperties") {
            self.obstacle(path, "is an open map");
        }
        node.entry("properties").or_insert_with(|| Map::new().into());
        node.insert("additionalProperties".to_owned(), false.into());
    }

    /// Moves what strict mode does not take into the description.
    fn describe_constraints(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        let is_kept = |key: &str, value: &Value| match self.whose {
            OptIn::Anthropic => anthropic_takes(node, key, value),
            OptIn::Bedrock => bedrock_takes(node, key, value),
        };
        let unknown: Vec<String> =
            node.iter().filter(|(key, value)| !is_kept(key, value)).map(|(key, _)| key.clone()).collect();
        if !unknown.is_empty() {
            self.lose(path, "has constraints that are only described");
            describe(node, &unknown);
        }
    }
}

/// Whether Anthropic's takes a keyword of a node.
fn anthropic_takes(node: &Map<String, Value>, key: &str, value: &Value) -> bool {
    match key {
        "properties" | "required" | "additionalProperties" => is_of_type(node, "object"),
        "items" => is_of_type(node, "array"),
        "minItems" => is_of_type(node, "array") && matches!(value.as_u64(), Some(0 | 1)),
        "format" => is_of_type(node, "string") && value.as_str().is_some_and(|format| FORMATS.contains(&format)),
        // What `name_values` could not turn into an `enum` is kept only where it is `null`.
        "const" => value.is_null(),
        _ => KEPT.contains(&key),
    }
}

/// Whether Bedrock's takes a keyword of a node.
fn bedrock_takes(node: &Map<String, Value>, key: &str, value: &Value) -> bool {
    match key {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            !is_of_type(node, "number") && !is_of_type(node, "integer")
        }
        "maxItems" | "contains" => !is_of_type(node, "array"),
        "minItems" => !is_of_type(node, "array") || matches!(value.as_u64(), Some(0 | 1)),
        "pattern" => !value.as_str().is_some_and(|pattern| looks_around(pattern) || refers_back(pattern)),
        _ => true,
    }
}

/// Whether a regular expression refers to what it has found, which strict mode's engine cannot.
fn refers_back(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.next().is_some_and(|escaped| escaped.is_ascii_digit()) {
            return true;
        }
    }
    pattern.contains("(?P=")
}

/// Makes a constant a list of one value. Values speak for their type.
fn name_values(node: &mut Map<String, Value>) {
    let is_scalar = |value: &Value| value.is_string() || value.is_number() || value.is_boolean();
    if node.get("const").is_some_and(is_scalar)
        && let Some(value) = node.shift_remove("const")
    {
        node.insert("enum".to_owned(), Value::Array(vec![value]));
    }
    let is_plain = |value: &Value| is_scalar(value) || value.is_null();
    let has_values = node.get("enum").and_then(Value::as_array).is_some_and(|values| values.iter().all(is_plain));
    if has_values || node.get("const").is_some_and(Value::is_null) {
        node.shift_remove("type");
    }
}

/// Whether a definition refers to itself, in however many steps.
fn is_recursive(root: &Value) -> bool {
    let maps = ["$defs", "definitions"].into_iter().filter_map(|key| Some((key, root.get(key)?.as_object()?)));
    let mut edges: Vec<(String, Vec<&str>)> = Vec::new();
    for (key, map) in maps {
        for (name, member) in map {
            let mut targets = Vec::new();
            references(member, 0, &mut targets);
            edges.push((format!("#/{key}/{}", name.replace('~', "~0").replace('/', "~1")), targets));
        }
    }
    // What refers to nothing that is left cannot be part of a circle.
    loop {
        let names: Vec<String> = edges.iter().map(|(name, _)| name.clone()).collect();
        let before = edges.len();
        edges.retain(|(_, targets)| {
            targets.iter().any(|target| *target == "#" || names.iter().any(|name| name == target))
        });
        if edges.len() == before {
            return !edges.is_empty();
        }
    }
}

fn references<'v>(value: &'v Value, depth: usize, found: &mut Vec<&'v str>) {
    if depth > 2 * MAX_DEPTH {
        return;
    }
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str));
            map.values().for_each(|member| references(member, depth + 1, found));
        }
        Value::Array(list) => list.iter().for_each(|member| references(member, depth + 1, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn bent(property: Value) -> (Value, bool, Vec<String>) {
        bent_for(OptIn::Anthropic, property)
    }

    fn bent_for(whose: OptIn, property: Value) -> (Value, bool, Vec<String>) {
        let made = Strict::opted_in(&object(property), Some(true), whose);
        (made.schema["properties"]["a"].clone(), made.strict, made.losses)
    }

    fn object(property: Value) -> Value {
        json!({"type": "object", "properties": {"a": property}, "required": ["a"], "additionalProperties": false})
    }

    #[test]
    fn only_asking_makes_strict() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "T", "type": "object",
            "properties": {"title": {"type": "string", "title": "Title", "minLength": 2}, "b": {"anyOf": [{"title": "B"}]}},
        });
        let expected = json!({
            "type": "object", "properties": {"title": {"type": "string", "minLength": 2}, "b": {"anyOf": [{}]}},
        });
        for strict in [None, Some(false)] {
            let made = Strict::opted_in(&schema, strict, OptIn::Anthropic);
            assert_eq!((made.schema, made.strict, made.losses.len()), (expected.clone(), false, 0));
        }
    }

    #[test]
    fn what_strict_mode_does_not_know_is_described() {
        for (property, expected) in [
            (
                json!({"type": "string", "minLength": 2, "pattern": "^a", "description": "An a."}),
                json!({"type": "string", "description": "An a. (minLength=2, pattern=^a)"}),
            ),
            (json!({"type": "integer", "minimum": 1}), json!({"type": "integer", "description": "minimum=1"})),
            (
                json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3}),
                json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "description": "maxItems=3"}),
            ),
            (
                json!({"type": "array", "items": {"type": "string"}, "minItems": 2}),
                json!({"type": "array", "items": {"type": "string"}, "description": "minItems=2"}),
            ),
            (json!({"type": "string", "default": "C"}), json!({"type": "string", "description": "default=C"})),
            (json!({"type": "string", "format": "date"}), json!({"type": "string", "format": "date"})),
            (json!({"type": "string", "format": "phone"}), json!({"type": "string", "description": "format=phone"})),
            (json!({"type": "string", "enum": ["x", "y"]}), json!({"enum": ["x", "y"]})),
            (json!({"const": "only"}), json!({"enum": ["only"]})),
            (json!({"const": null}), json!({"const": null})),
            (json!({"type": ["string", "null"]}), json!({"type": ["string", "null"]})),
            (
                json!({"oneOf": [{"type": "string"}, {"type": "integer"}], "discriminator": {"propertyName": "k"}}),
                json!({"anyOf": [{"type": "string"}, {"type": "integer"}],
                       "description": r#"discriminator={"propertyName":"k"}"#}),
            ),
            (
                json!({"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": true}),
                json!({"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": false}),
            ),
        ] {
            let (schema, strict, _) = bent(property.clone());
            assert_eq!((schema, strict), (expected, true), "{property}");
        }
    }

    #[test]
    fn what_cannot_be_strict_without_loss_is_not() {
        let recursive = json!({"N": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/M"}]}}},
                               "M": {"$ref": "#/$defs/N"}});
        for (property, defs) in [
            (json!({"type": "object", "additionalProperties": {"type": "integer"}}), json!({})),
            (json!({"type": "object", "additionalProperties": true}), json!({})),
            (json!({"type": "object"}), json!({})),
            (json!({"type": "object", "properties": {}, "patternProperties": {"^a": {}}}), json!({})),
            (json!({"type": "array", "prefixItems": [{"type": "integer"}], "maxItems": 1}), json!({})),
            (json!({"type": "array", "items": {}}), json!({})),
            (json!({"description": "Anything."}), json!({})),
            (json!(true), json!({})),
            (json!({"$ref": "#/properties/b"}), json!({})),
            (json!({"$ref": "#/$defs/N"}), recursive),
        ] {
            let mut schema = object(property.clone());
            schema["$defs"] = defs;
            let made = Strict::opted_in(&schema, Some(true), OptIn::Anthropic);
            assert!(!made.strict && !made.losses.is_empty(), "{property}");
            assert_eq!(made.schema, schema, "{property}");
        }
        assert!(!Strict::opted_in(&json!({"type": "string"}), Some(true), OptIn::Anthropic).strict);
        assert!(!Strict::opted_in(&json!(true), Some(true), OptIn::Anthropic).strict);
    }

    #[test]
    fn bedrock_knows_more_than_anthropic() {
        for (property, expected) in [
            (
                json!({"type": "string", "minLength": 2, "pattern": "^a", "description": "An a.", "title": "A"}),
                json!({"type": "string", "minLength": 2, "pattern": "^a", "description": "An a."}),
            ),
            (
                json!({"type": "string", "pattern": "(?=a)b"}),
                json!({"type": "string", "description": "pattern=(?=a)b"}),
            ),
            (
                json!({"type": "string", "pattern": r"(a)\1"}),
                json!({"type": "string", "description": r"pattern=(a)\1"}),
            ),
            (json!({"type": "integer", "minimum": 1}), json!({"type": "integer", "description": "minimum=1"})),
            (
                json!({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 3}),
                json!({"type": "array", "items": {"type": "string"}, "description": "minItems=2, maxItems=3"}),
            ),
            (json!({"const": "only", "default": "only"}), json!({"const": "only", "default": "only"})),
            (
                json!({"oneOf": [{"type": "string"}, {"type": "integer"}], "discriminator": {"propertyName": "k"}}),
                json!({"oneOf": [{"type": "string"}, {"type": "integer"}], "discriminator": {"propertyName": "k"}}),
            ),
            (
                json!({"type": "object", "properties": {"x": {"type": "integer"}}}),
                json!({"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": false}),
            ),
        ] {
            let (schema, strict, _) = bent_for(OptIn::Bedrock, property.clone());
            assert_eq!((schema, strict), (expected, true), "{property}");
        }
        assert!(!bent_for(OptIn::Bedrock, json!({"type": "object", "additionalProperties": {"type": "integer"}})).1);
    }

    #[test]
    fn references_stay_and_the_root_is_spelled_out() {
        let defs = json!({"P": {"type": "object", "properties": {"x": {"type": "integer", "title": "X"}}}});
        let schema = json!({"$ref": "#/$defs/R", "$defs": {
            "R": {"type": "object", "properties": {"a": {"$ref": "#/$defs/P", "description": "One."}}}, "P": defs["P"],
        }});
        let made = Strict::opted_in(&schema, Some(true), OptIn::Anthropic);
        assert!(made.strict, "{:?}", made.losses);
        assert_eq!(made.schema["properties"]["a"], json!({"$ref": "#/$defs/P"}));
        assert_eq!(made.schema["$defs"]["P"]["additionalProperties"], false);
        assert_eq!(made.schema["$defs"]["P"]["properties"]["x"], json!({"type": "integer"}));
        assert_eq!((&made.schema["type"], made.schema.get("$ref")), (&json!("object"), None));
    }
}
