//! How deep the shallowest value of a schema is: where recursion can end.

use std::collections::HashMap;

use serde_json::Value;

use super::keywords::{DEEPEST, Keywords, Type, count, items, list, prefix_items, required, resolve, types};

/// The heights of what a document's references stand for. One without a height has no finite value.
pub(super) struct Heights<'a> {
    known: HashMap<&'a str, usize>,
}

impl<'a> Heights<'a> {
    /// Works the heights out: each round finds those that are one level higher than the round before.
    pub(super) fn of(root: &'a Value) -> Self {
        let mut heights = Self { known: HashMap::new() };
        let references = references(root);
        for _ in 0..DEEPEST {
            let mut changed = false;
            for reference in &references {
                let target = resolve(root, reference);
                let height = target.map_or(Some(0), |schema| heights.height(schema)).map(|height| height + 1);
                if let Some(height) = height
                    && heights.known.get(reference).is_none_or(|known| height < *known)
                {
                    heights.known.insert(reference, height);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        heights
    }

    /// The height of the shallowest value of `schema`.
    pub(super) fn height(&self, schema: &Value) -> Option<usize> {
        self.height_at(schema, 0)
    }

    /// The height of the shallowest value of that type.
    pub(super) fn height_of_type(&self, r#type: Type, keywords: &Keywords) -> Option<usize> {
        self.type_height(r#type, keywords, 0)
    }

    fn height_at(&self, schema: &Value, depth: usize) -> Option<usize> {
        if depth > DEEPEST {
            return None;
        }
        let Value::Object(keywords) = schema else { return Some(0) };
        let least = |schemas: &[Value]| schemas.iter().filter_map(|schema| self.height_at(schema, depth + 1)).min();
        if keywords.contains_key("const") || list(keywords, "enum").is_some() || list(keywords, "examples").is_some() {
            Some(0)
        } else if let Some(Value::String(reference)) = keywords.get("$ref") {
            self.known.get(reference.as_str()).copied()
        } else if let Some(schemas) = list(keywords, "anyOf") {
            least(schemas)
        } else if keywords.contains_key("type") {
            let mut types = types(keywords).peekable();
            if types.peek().is_none() {
                return Some(0);
            }
            types.filter_map(|r#type| self.type_height(r#type, keywords, depth)).min()
        } else {
            list(keywords, "oneOf").map_or(Some(0), least)
        }
    }

    fn type_height(&self, r#type: Type, keywords: &Keywords, depth: usize) -> Option<usize> {
        match r#type {
            Type::Object => self.above(required(keywords, &[]).map(|(_, schema)| schema), depth),
            Type::Array => {
                let least = count(keywords, "minItems").unwrap_or_default();
                let prefix = prefix_items(keywords);
                let further = items(keywords).filter(|_| least > prefix.len());
                self.above(prefix.iter().take(least).chain(further), depth)
            }
            _ => Some(0),
        }
    }

    /// One level above the highest of what is inside.
    fn above<'s>(&self, mut inside: impl Iterator<Item = &'s Value>, depth: usize) -> Option<usize> {
        inside.try_fold(0, |highest, schema| Some(highest.max(self.height_at(schema, depth + 1)? + 1)))
    }
}

/// All references in a document.
fn references(root: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        match value {
            Value::Object(map) => {
                found.extend(map.get("$ref").and_then(Value::as_str));
                left.extend(map.values());
            }
            Value::Array(items) => left.extend(items),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
