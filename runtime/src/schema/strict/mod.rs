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

use std::fmt;

use serde_json::{Map, Value, json};

/// A schema, and whether it is sent as strict.
pub(crate) struct Strict {
    pub(crate) schema: Value,
    pub(crate) strict: bool,
    /// What strictness that was asked for cost, or why it could not be had; each says where.
    #[cfg_attr(not(test), expect(dead_code, reason = "the step report tells them"))]
    pub(crate) losses: Vec<String>,
}

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
const TYPING: [&str; 7] = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
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
        let schema = match root_definition.and_then(|name| definition(root, name)) {
            Some(Value::Object(definition)) => {
                let mut spelled_out = root.as_object().cloned().unwrap_or_default();
                spelled_out.shift_remove("$ref");
                spelled_out.extend(definition.iter().map(|(key, value)| (key.clone(), value.clone())));
                rewriter.node(&Value::Object(spelled_out), &path)
            }
            _ => rewriter.node(root, &path),
        };
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
        let notes: Vec<_> = unsupported
            .into_iter()
            .filter_map(|key| node.shift_remove(&key).map(|value| (key, value)))
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

/// The definition a reference names.
fn definition<'v>(root: &'v Value, reference: &str) -> Option<&'v Value> {
    let pointer = reference.strip_prefix('#')?;
    let name = pointer.strip_prefix("/$defs/").or_else(|| pointer.strip_prefix("/definitions/"))?;
    if name.contains('/') { None } else { root.pointer(pointer) }
}

/// The entries of a schema, with those of an only member of `allOf` in its place.
fn with_single_all_of(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
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

fn is_annotation(key: &str) -> bool {
    matches!(key, "title" | "description" | "default" | "examples" | "deprecated")
}

fn is_of_type(node: &Map<String, Value>, wanted: &str) -> bool {
    match node.get("type") {
        Some(Value::String(kind)) => kind == wanted,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == wanted),
        _ => wanted == "object" && node.contains_key("properties"),
    }
}

fn is_typed(schema: &Value) -> bool {
    schema.as_object().is_some_and(|node| TYPING.iter().any(|keyword| node.contains_key(*keyword)))
}

fn accepts_anything(schema: &Value) -> bool {
    match schema {
        Value::Bool(anything) => *anything,
        Value::Object(node) => node.keys().all(|key| is_annotation(key)),
        _ => false,
    }
}

/// Whether a regular expression looks ahead or behind, which strict mode's engine cannot.
fn looks_around(pattern: &str) -> bool {
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

/// Where in a schema a node stands.
#[derive(Clone, Copy)]
struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    name: &'p str,
    depth: usize,
    /// The objects around the node, each definition counted for itself.
    objects: usize,
}

impl<'p> Path<'p> {
    fn root() -> Self {
        Self { parent: None, name: "", depth: 0, objects: 0 }
    }

    fn is_root(&self) -> bool {
        self.parent.is_none()
    }

    fn below(&'p self, name: &'p str) -> Self {
        Self { parent: Some(self), name, depth: self.depth + 1, objects: self.objects }
    }

    fn property(&'p self, name: &'p str) -> Self {
        Self { objects: self.objects + 1, ..self.below(name) }
    }

    fn definition(&'p self, name: &'p str) -> Self {
        Self { objects: 0, ..self.below(name) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Vec::new();
        let mut node = self;
        while let Some(parent) = node.parent {
            names.push(node.name);
            node = parent;
        }
        if names.is_empty() {
            return f.write_str("the schema");
        }
        names.reverse();
        write!(f, "`{}`", names.join("."))
    }
}

#[cfg(test)]
mod tests;
