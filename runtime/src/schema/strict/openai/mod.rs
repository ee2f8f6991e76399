//! Strict mode as OpenAI has it (specification: "Strict Mode", behaviours 17, decision 7).
//!
//! A strict schema closes every object, requires every property, types everything, and uses only some keywords. What is
//! asked of a tool decides how far its schema is bent to that:
//!
//! | `strict` | schema | sent as strict |
//! |---|---|---|
//! | `Some(false)` | tidied: titles and the like go, the meaning stays | never |
//! | `None` | tidied, and objects that say nothing about other keys are closed | if nothing more had to change |
//! | `Some(true)` | bent, with losses: optional properties become required, defaults go, constraints are only described | yes |
//!
//! What cannot be bent without losing what the tool needs (an open map, a tuple, something of no type) is not: then
//! `Some(true)` is taken as `Some(false)`, and the losses say why. The schema that came in is never changed, and nothing is
//! inlined, so recursion stays as finite as it was.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use super::Strict;
use super::node::{accepts_anything, definition, describe, is_of_type, is_typed, looks_around, spelled_out};
use super::path::Path;
use crate::schema::all_of::with_single_all_of;

/// Which keywords strict mode takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keywords {
    /// Those of OpenAI's own models, lengths of strings among them.
    WithLengths,
    /// Those that every server takes.
    WithoutLengths,
}

impl Strict {
    /// The form of `schema` for a tool with this `strict`.
    pub(crate) fn of(schema: &Value, strict: Option<bool>, keywords: Keywords) -> Self {
        let rewrite = |mode| Rewriter::rewrite(schema, mode, keywords);
        let unchanged_meaning = |losses| Self { schema: rewrite(Mode::Tidy).0, strict: false, losses };
        match strict {
            Some(false) => unchanged_meaning(Vec::new()),
            None => {
                let (schema, found) = rewrite(Mode::Close);
                Self { schema, strict: found.obstacles.is_empty() && found.losses.is_empty(), losses: Vec::new() }
            }
            Some(true) => match rewrite(Mode::Bend) {
                (schema, found) if found.obstacles.is_empty() => Self { schema, strict: true, losses: found.losses },
                (_, found) => unchanged_meaning(found.obstacles),
            },
        }
    }
}

/// How much may change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Tidy,
    Close,
    Bend,
}

/// What stands between a schema and strict mode.
#[derive(Default)]
struct Findings {
    /// What can be given up.
    losses: Vec<String>,
    /// What cannot.
    obstacles: Vec<String>,
}

struct Rewriter<'a> {
    root: &'a Value,
    /// The definition that the root is nothing but a reference to: strict mode wants the root spelled out.
    root_definition: Option<&'a str>,
    mode: Mode,
    keywords: Keywords,
    properties: usize,
    found: Findings,
}

/// Limits that the API sets on a strict schema.
const MAX_OBJECT_DEPTH: usize = 10;
const MAX_PROPERTIES: usize = 5000;
/// Deeper schemas are left as they are below; no real one comes near.
const MAX_DEPTH: usize = 100;

/// Annotations that no model sees, and a hint for programs that read unions.
const DROPPED: [&str; 3] = ["title", "$schema", "discriminator"];
const SCHEMA_MAPS: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];
const SCHEMA_LISTS: [&str; 4] = ["prefixItems", "anyOf", "oneOf", "allOf"];
const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const LENGTHS: [&str; 2] = ["minLength", "maxLength"];
/// Constraints that strict mode does not know: they are only described.
const UNSUPPORTED: [&str; 16] = [
    "unevaluatedProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "contentEncoding",
];

impl<'a> Rewriter<'a> {
    fn rewrite(root: &'a Value, mode: Mode, keywords: Keywords) -> (Value, Findings) {
        let root_definition = root.get("$ref").and_then(Value::as_str).filter(|name| definition(root, name).is_some());
        let mut rewriter = Self { root, root_definition, mode, keywords, properties: 0, found: Findings::default() };
        let path = Path::root();
        let schema = rewriter.node(&spelled_out(root), &path);
        if !schema.get("type").is_some_and(|kind| kind == "object") || schema.get("anyOf").is_some() {
            rewriter.obstacle(&path, "is no plain object");
        }
        if rewriter.properties > MAX_PROPERTIES {
            rewriter.obstacle(&path, "has too many properties");
        }
        (schema, rewriter.found)
    }

    fn obstacle(&mut self, path: &Path<'_>, what: &str) {
        self.found.obstacles.push(format!("{path} {what}"));
    }

    /// Notes something that bending gives up.
    fn lose(&mut self, path: &Path<'_>, what: &str) {
        self.found.losses.push(format!("{path} {what}"));
    }

    fn node(&mut self, schema: &Value, path: &Path<'_>) -> Value {
        let Value::Object(map) = schema else { return schema.clone() };
        if path.depth > MAX_DEPTH {
            self.obstacle(path, "is nested too deeply");
            return schema.clone();
        }
        let mut node = Map::new();
        for (key, value) in with_single_all_of(map) {
            if !DROPPED.contains(&key.as_str()) {
                node.insert(key.clone(), self.keyword(key, value, path));
            }
        }
        self.drop_default(&mut node, path);
        self.detach_reference(&mut node, path);
        self.describe_constraints(&mut node, path);
        self.unite(&mut node, path);
        if node.contains_key("allOf") {
            self.obstacle(path, "is an intersection");
        }
        if node.contains_key("patternProperties") {
            self.obstacle(path, "is an open map");
        }
        if is_of_type(&node, "object") {
            self.object(&mut node, path);
        }
        if is_of_type(&node, "array") {
            self.check_items(&node, path);
        }
        Value::Object(node)
    }

    fn keyword(&mut self, key: &str, value: &Value, path: &Path<'_>) -> Value {
        match value {
            Value::Object(map) if SCHEMA_MAPS.contains(&key) => {
                let defines = key != "properties" && key != "patternProperties";
                let of_member = |name| if defines { path.definition(name) } else { path.property(name) };
                map.iter().map(|(name, member)| (name.clone(), self.typed(member, &of_member(name)))).collect()
            }
            Value::Array(list) if SCHEMA_LISTS.contains(&key) || key == "items" => {
                list.iter().map(|member| self.typed(member, &path.below(key))).collect()
            }
            Value::Object(_) if key == "items" => self.node(value, &path.below(key)),
            Value::Object(_) if key == "additionalProperties" => self.node(value, &path.below(key)),
            other => other.clone(),
        }
    }

    /// A node where strict mode wants to know what may stand there.
    fn typed(&mut self, schema: &Value, path: &Path<'_>) -> Value {
        if !is_typed(schema) {
            self.obstacle(path, "may be anything");
        }
        self.node(schema, path)
    }

    fn drop_default(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        if node.contains_key("default") {
            self.lose(path, "has no default any more");
            if self.mode == Mode::Bend {
                node.shift_remove("default");
            }
        }
    }

    /// Puts what stands beside a reference outside of it: strict mode takes nothing beside one.
    fn detach_reference(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        let Some(Value::String(target)) = node.get("$ref") else { return };
        let to_root = target == "#" || Some(target.as_str()) == self.root_definition;
        if !to_root && definition(self.root, target).is_none() {
            self.obstacle(path, "refers to something other than a definition");
        }
        let reference = json!({"$ref": if to_root { "#" } else { target.as_str() }});
        if node.len() == 1 {
            node.insert("$ref".to_owned(), reference["$ref"].clone());
        } else if node.contains_key("anyOf") {
            self.obstacle(path, "is a reference and a union at once");
        } else {
            node.shift_remove("$ref");
            node.insert("anyOf".to_owned(), json!([reference]));
        }
    }

    /// Moves constraints that strict mode does not take into the description.
    fn describe_constraints(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        if self.mode != Mode::Tidy && (is_of_type(node, "integer") || is_of_type(node, "number")) {
            // Widths such as `uint32` say nothing that `minimum` and `maximum` do not.
            node.shift_remove("format");
        }
        let unsupported: Vec<String> =
            node.iter().filter(|(key, value)| self.is_unsupported(key, value)).map(|(key, _)| key.clone()).collect();
        if unsupported.is_empty() {
            return;
        }
        self.lose(path, "has constraints that are only described");
        if self.mode != Mode::Bend {
            return;
        }
        describe(node, &unsupported);
    }

    fn is_unsupported(&self, key: &str, value: &Value) -> bool {
        match key {
            "format" => !value.as_str().is_some_and(|format| FORMATS.contains(&format)),
            "pattern" => value.as_str().is_some_and(looks_around),
            _ => UNSUPPORTED.contains(&key) || (self.keywords == Keywords::WithoutLengths && LENGTHS.contains(&key)),
        }
    }

    /// Strict mode has one kind of union.
    fn unite(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        if !node.contains_key("oneOf") {
            return;
        }
        if node.contains_key("anyOf") {
            self.obstacle(path, "is two unions at once");
            return;
        }
        self.lose(path, "takes what fits several of its variants, too");
        if self.mode == Mode::Bend
            && let Some(variants) = node.shift_remove("oneOf")
        {
            node.insert("anyOf".to_owned(), variants);
        }
    }

    fn object(&mut self, node: &mut Map<String, Value>, path: &Path<'_>) {
        let is_map = !node.contains_key("properties");
        let names: Vec<Value> = match node.entry("properties").or_insert_with(|| json!({})) {
            Value::Object(properties) => properties.keys().map(|name| name.as_str().into()).collect(),
            _ => Vec::new(),
        };
        self.properties += names.len();
        if path.objects >= MAX_OBJECT_DEPTH {
            self.obstacle(path, "is an object too deep in others");
        }
        self.close(node, is_map && !path.is_root(), names.is_empty(), path);
        self.require_all(node, names, path);
    }

    fn close(&mut self, node: &mut Map<String, Value>, is_map: bool, is_empty: bool, path: &Path<'_>) {
        let closed = match node.get("additionalProperties") {
            Some(Value::Bool(false)) => return,
            None if is_map => false,
            None => self.mode != Mode::Tidy,
            Some(rest) if is_typed(rest) || is_empty || !accepts_anything(rest) => false,
            Some(_) => {
                self.lose(path, "takes no other keys any more");
                if self.mode != Mode::Bend {
                    return;
                }
                true
            }
        };
        if closed {
            node.insert("additionalProperties".to_owned(), false.into());
        } else if self.mode != Mode::Tidy {
            self.obstacle(path, "is an open map");
        }
    }

    fn require_all(&mut self, node: &mut Map<String, Value>, names: Vec<Value>, path: &Path<'_>) {
        let required = node.get("required").and_then(Value::as_array);
        for name in names.iter().filter(|name| !required.is_some_and(|required| required.contains(name))) {
            self.found.losses.push(format!("{path} requires {name} now"));
        }
        let is_exact = required.is_some_and(|required| required.iter().all(|name| names.contains(name)));
        if !is_exact && self.mode != Mode::Bend {
            self.lose(path, "names what it requires now");
        }
        if self.mode == Mode::Bend {
            node.insert("required".to_owned(), names.into());
        }
    }

    fn check_items(&mut self, node: &Map<String, Value>, path: &Path<'_>) {
        match node.get("items") {
            _ if node.contains_key("prefixItems") => self.obstacle(path, "is a tuple"),
            Some(Value::Array(_)) => self.obstacle(path, "is a tuple"),
            Some(items) if is_typed(items) => {}
            _ => self.obstacle(path, "is a list of anything"),
        }
    }
}
