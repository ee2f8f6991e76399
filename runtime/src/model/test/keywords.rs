//! What the keywords of a JSON schema say, as far as values are made from them.

use std::collections::HashSet;

use serde_json::{Map, Value};

pub(super) type Keywords = Map<String, Value>;

/// Nesting beyond this is followed no further: schemas come from anywhere, and the stack is finite.
pub(super) const DEEPEST: usize = 100;

/// A type that values can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Object,
    Array,
    String,
    Integer,
    Number,
    Boolean,
    Null,
}

impl Type {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "object" => Self::Object,
            "array" => Self::Array,
            "string" => Self::String,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            "null" => Self::Null,
            _ => return None,
        })
    }
}

/// The types a schema allows, those that are known.
pub(super) fn types(keywords: &Keywords) -> impl Iterator<Item = Type> {
    let names = match keywords.get("type") {
        Some(Value::Array(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => &[],
    };
    names.iter().filter_map(|name| Type::named(name.as_str()?))
}

/// A list that has something in it.
pub(super) fn list<'a>(keywords: &'a Keywords, key: &str) -> Option<&'a [Value]> {
    keywords.get(key)?.as_array().map(Vec::as_slice).filter(|items| !items.is_empty())
}

/// How many, or how long; a bound that is no count is none.
pub(super) fn count(keywords: &Keywords, key: &str) -> Option<usize> {
    let bound = keywords.get(key)?;
    let count = bound.as_u64().or_else(|| bound.as_f64().filter(|bound| *bound >= 0.0).map(|bound| bound as u64))?;
    Some(usize::try_from(count).unwrap_or(usize::MAX))
}

/// The properties that an object must have, here or by what stands `beside`, in the order in which they are declared.
pub(super) fn required<'a>(
    keywords: &'a Keywords,
    beside: &[&'a str],
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let here = list(keywords, "required").unwrap_or_default().iter().filter_map(Value::as_str);
    let names: HashSet<&str> = here.chain(beside.iter().copied()).collect();
    let properties = keywords.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().filter(move |(name, _)| names.contains(name.as_str()))
}

/// The schemas of the first elements of an array; older drafts have them under `items`.
pub(super) fn prefix_items(keywords: &Keywords) -> &[Value] {
    list(keywords, "prefixItems").or_else(|| list(keywords, "items")).unwrap_or_default()
}

/// The schema of all further elements, unless it allows none or says nothing.
pub(super) fn items(keywords: &Keywords) -> Option<&Value> {
    keywords.get("items").filter(|items| says_something(items))
}

/// Whether a schema is `true` or has keywords.
pub(super) fn says_something(schema: &Value) -> bool {
    match schema {
        Value::Bool(allows) => *allows,
        Value::Object(keywords) => !keywords.is_empty(),
        _ => false,
    }
}

/// The schema a `$ref` stands for: a definition, or any place in the document.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let definition = reference.strip_prefix("#/$defs/").and_then(|name| root.get("$defs")?.get(name));
    definition.or_else(|| root.pointer(reference.strip_prefix('#')?))
}
