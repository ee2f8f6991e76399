//! Makes up a value that fits a JSON schema, and ends on every schema.

use std::cell::OnceCell;

use serde_json::{Map, Value};

use super::height::Heights;
use super::keywords::{
    DEEPEST, Keywords, Type, count, items, list, prefix_items, required, resolve, says_something, types,
};
use super::number;

/// The most values and characters that are made for one schema: bounds can ask for any number.
const MOST: usize = 100_000;

/// A value for `schema`, always the same for a seed (specification: behaviours 20, decision 11).
pub(super) fn generate(schema: &Value, seed: u64) -> Value {
    let heights = OnceCell::new();
    Generator { root: schema, heights: &heights, seed, left: MOST, depth: 0, open: vec!["#"], shallow: false }
        .value(schema)
}

struct Generator<'a> {
    root: &'a Value,
    /// Only worked out when a reference leads back to itself.
    heights: &'a OnceCell<Heights<'a>>,
    seed: u64,
    /// How many more values and characters may be made.
    left: usize,
    depth: usize,
    /// The references that are being followed, the document itself first.
    open: Vec<&'a str>,
    /// Inside a reference that led back to itself: of all values the shallowest is made.
    shallow: bool,
}

impl<'a> Generator<'a> {
    fn value(&mut self, schema: &'a Value) -> Value {
        if self.left == 0 || self.depth == DEEPEST {
            return Value::Null;
        }
        self.left -= 1;
        self.depth += 1;
        let value = match schema {
            Value::Object(keywords) => self.by_keywords(keywords),
            _ => self.letter().into(),
        };
        self.depth -= 1;
        value
    }

    /// The first keyword that decides does.
    fn by_keywords(&mut self, keywords: &'a Keywords) -> Value {
        if let Some(value) = keywords.get("const") {
            value.clone()
        } else if let Some(values) = list(keywords, "enum").or_else(|| list(keywords, "examples")) {
            self.pick(values).clone()
        } else if let Some(Value::String(reference)) = keywords.get("$ref") {
            self.reference(reference)
        } else if let Some(schemas) = list(keywords, "anyOf") {
            let schema = self.branch(schemas);
            self.value(schema)
        } else if let Some(r#type) = self.r#type(keywords) {
            self.of_type(r#type, keywords)
        } else if let Some(schemas) = list(keywords, "oneOf").filter(|_| !keywords.contains_key("type")) {
            self.one_of(keywords, schemas)
        } else {
            self.letter().into()
        }
    }

    fn of_type(&mut self, r#type: Type, keywords: &'a Keywords) -> Value {
        match r#type {
            Type::Object => self.object(keywords, &[]),
            Type::Array => self.array(keywords).into(),
            Type::String => self.string(keywords).into(),
            Type::Integer => number::integer(keywords, self.seed),
            Type::Number => number::float(keywords, self.seed),
            Type::Boolean => (self.seed % 2 == 1).into(),
            Type::Null => Value::Null,
        }
    }

    fn heights(&self) -> &'a Heights<'a> {
        self.heights.get_or_init(|| Heights::of(self.root))
    }

    fn pick(&self, values: &'a [Value]) -> &'a Value {
        // A remainder is below the length.
        &values[(self.seed % values.len() as u64) as usize]
    }

    fn branch(&self, schemas: &'a [Value]) -> &'a Value {
        let lowest = || schemas.iter().min_by_key(|schema| self.heights().height(schema).unwrap_or(usize::MAX));
        if self.shallow { lowest() } else { None }.unwrap_or_else(|| self.pick(schemas))
    }

    fn r#type(&self, keywords: &'a Keywords) -> Option<Type> {
        let mut types = types(keywords);
        if !self.shallow {
            return types.next();
        }
        types.min_by_key(|r#type| self.heights().height_of_type(*r#type, keywords).unwrap_or(usize::MAX))
    }

    /// A reference that leads back to itself ends at the shallowest value there is.
    fn reference(&mut self, reference: &'a str) -> Value {
        let Some(schema) = resolve(self.root, reference) else { return self.letter().into() };
        if self.shallow {
            return self.value(schema);
        }
        if self.open.contains(&reference) {
            if self.heights().height(schema).is_none() {
                return Value::Null;
            }
            self.shallow = true;
            let value = self.value(schema);
            self.shallow = false;
            return value;
        }
        self.open.push(reference);
        let value = self.value(schema);
        self.open.pop();
        value
    }

    /// A member of a `oneOf`; it must also have what is required beside it, such as the tag that tells the members apart.
    fn one_of(&mut self, keywords: &'a Keywords, schemas: &'a [Value]) -> Value {
        let member = self.branch(schemas);
        let tag = keywords.get("discriminator").and_then(|discriminator| discriminator.get("propertyName"));
        let beside: Vec<&'a str> =
            list(keywords, "required").unwrap_or_default().iter().chain(tag).filter_map(Value::as_str).collect();
        let reference = member.get("$ref").and_then(Value::as_str);
        let target = match reference {
            Some(reference) if self.shallow || self.open.contains(&reference) => None,
            Some(reference) => resolve(self.root, reference),
            None => Some(member),
        };
        match target.and_then(Value::as_object) {
            Some(target) if !beside.is_empty() && types(target).next() == Some(Type::Object) => {
                self.open.extend(reference);
                let object = self.object(target, &beside);
                self.open.truncate(self.open.len() - usize::from(reference.is_some()));
                object
            }
            _ => self.value(member),
        }
    }

    /// What is required, here or `beside`, and one more property where others are welcome.
    fn object(&mut self, keywords: &'a Keywords, beside: &[&'a str]) -> Value {
        let mut object = Map::new();
        for (name, schema) in required(keywords, beside) {
            object.insert(name.clone(), self.value(schema));
        }
        if let Some(additional) = keywords.get("additionalProperties").filter(|schema| says_something(schema))
            && !self.shallow
        {
            let mut name = "additionalProperty".to_owned();
            while object.contains_key(&name) {
                name.push('_');
            }
            object.insert(name, self.value(additional));
        }
        object.into()
    }

    /// The first elements, then as many as there must be, or one.
    fn array(&mut self, keywords: &'a Keywords) -> Vec<Value> {
        static ANYTHING: Value = Value::Bool(true);
        let unique = keywords.get("uniqueItems") == Some(&Value::Bool(true));
        let least = count(keywords, "minItems").unwrap_or_default();
        let most = if self.shallow { 0 } else { count(keywords, "maxItems").unwrap_or(usize::MAX) }.max(least);
        let further = items(keywords);
        let mut schemas: Vec<&'a Value> = prefix_items(keywords).iter().take(most).collect();
        let wanted = if further.is_some() { schemas.len().saturating_add(1).min(most) } else { schemas.len() };
        let wanted = if least > schemas.len() { least } else { wanted };
        schemas.resize(wanted.min(self.left).max(schemas.len()), further.unwrap_or(&ANYTHING));
        let mut array = Vec::new();
        for schema in schemas {
            array.push(self.value(schema));
            // The next one is another.
            self.seed = self.seed.wrapping_add(unique.into());
        }
        array
    }

    fn string(&mut self, keywords: &Keywords) -> String {
        if let Some(least) = count(keywords, "minLength") {
            let length = least.min(self.left);
            self.left -= length;
            return self.letter().repeat(length);
        }
        if count(keywords, "maxLength") == Some(0) {
            return String::new();
        }
        let date = keywords.get("format").is_some_and(|format| format == "date");
        date.then(|| date_after(self.seed)).flatten().unwrap_or_else(|| self.letter())
    }

    /// One of 94 characters, and for higher seeds several, as spreadsheets name their columns.
    fn letter(&self) -> String {
        const LETTERS: &[u8] =
            b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
        let letter = |place: u64| char::from(LETTERS[(place % LETTERS.len() as u64) as usize]);
        let mut letters = String::new();
        let mut higher = self.seed / LETTERS.len() as u64;
        while higher > 0 {
            letters.push(letter(higher - 1));
            higher /= LETTERS.len() as u64;
        }
        letters.push(letter(self.seed));
        letters
    }
}

/// The day so many days after the first of 2024, as long as calendars go.
fn date_after(days: u64) -> Option<String> {
    let days = jiff::Span::new().try_days(i64::try_from(days).ok()?).ok()?;
    jiff::civil::date(2024, 1, 1).checked_add(days).ok().map(|date| date.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(schema: Value, seed: u64, value: Value) {
        assert_eq!(generate(&schema, seed), value, "{schema} with seed {seed}");
    }

    #[test]
    fn letters_go_on_like_columns() {
        for (seed, letters) in
            [(0, "a"), (25, "z"), (26, "A"), (61, "9"), (62, "!"), (93, "~"), (94, "aa"), (188, "ba")]
        {
            check(json!({"type": "string"}), seed, json!(letters));
        }
        assert!(generate(&json!({}), u64::MAX).is_string());
    }

    #[test]
    fn the_first_keyword_that_decides_does() {
        check(json!(true), 1, json!("b"));
        check(json!(false), 0, json!("a"));
        check(json!({}), 0, json!("a"));
        check(json!({"properties": {"x": {}}, "required": ["x"]}), 0, json!("a"));
        check(json!({"const": null, "enum": [1]}), 0, json!(null));
        check(json!({"enum": [1, 2], "type": "string"}), 3, json!(2));
        check(json!({"examples": ["x"], "type": "integer"}), 3, json!("x"));
        check(json!({"anyOf": [{"type": "null"}, {"type": "boolean"}]}), 1, json!(true));
        check(json!({"oneOf": [{"type": "null"}, {"type": "boolean"}]}), 1, json!(true));
        check(json!({"oneOf": [{"type": "null"}], "type": "integer"}), 1, json!(1));
        check(json!({"type": ["widget", "integer", "string"]}), 7, json!(7));
        check(json!({"type": "widget"}), 0, json!("a"));
        check(json!({"$ref": "#/nowhere"}), 0, json!("a"));
        check(json!({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"const": 1}}}), 0, json!(1));
    }

    #[test]
    fn strings_keep_to_their_length_and_dates_go_on() {
        check(json!({"type": "string", "minLength": 3}), 1, json!("bbb"));
        check(json!({"type": "string", "minLength": 0}), 1, json!(""));
        check(json!({"type": "string", "maxLength": 0}), 1, json!(""));
        check(json!({"type": "string", "format": "date"}), 60, json!("2024-03-01"));
        check(json!({"type": "string", "format": "email"}), 0, json!("a"));
        assert!(generate(&json!({"type": "string", "format": "date"}), u64::MAX).is_string());
        assert!(generate(&json!({"type": "string", "minLength": u64::MAX}), 0).as_str().expect("a text").len() <= MOST);
    }

    #[test]
    fn objects_have_what_is_required() {
        let properties = json!({"a": {"type": "integer"}, "b": {"type": "integer"}});
        check(json!({"type": "object", "properties": properties, "required": ["b", "c"]}), 0, json!({"b": 0}));
        check(
            json!({"type": "object", "properties": {"additionalProperty": {"const": 1}}, "required": ["additionalProperty"],
                   "additionalProperties": {"type": "boolean"}}),
            0,
            json!({"additionalProperty": 1, "additionalProperty_": false}),
        );
        check(json!({"type": "object", "additionalProperties": true}), 0, json!({"additionalProperty": "a"}));
        check(json!({"type": "object", "additionalProperties": {}}), 0, json!({}));
    }

    #[test]
    fn a_member_has_its_tag() {
        let schema = json!({
            "oneOf": [{"$ref": "#/$defs/A"}],
            "discriminator": {"propertyName": "kind"},
            "$defs": {"A": {"type": "object", "properties": {"kind": {"const": "a"}, "x": {}}}},
        });
        check(schema, 0, json!({"kind": "a"}));
    }

    #[test]
    fn arrays_have_as_many_elements_as_they_must() {
        let items = json!({"type": "integer"});
        check(json!({"type": "array"}), 0, json!([]));
        check(json!({"type": "array", "items": items}), 4, json!([4]));
        check(json!({"type": "array", "items": items, "maxItems": 0}), 4, json!([]));
        check(json!({"type": "array", "items": items, "minItems": 3, "uniqueItems": true}), 4, json!([4, 5, 6]));
        check(json!({"type": "array", "minItems": 2}), 0, json!(["a", "a"]));
        check(json!({"type": "array", "prefixItems": [items, {"type": "null"}], "maxItems": 1}), 0, json!([0]));
        check(json!({"type": "array", "prefixItems": [items], "items": {"type": "null"}}), 0, json!([0, null]));
        check(json!({"type": "array", "items": [items, {"type": "null"}]}), 0, json!([0, null]));
        let many = generate(&json!({"type": "array", "items": items, "minItems": u64::MAX}), 0);
        assert!(many.as_array().expect("a list").len() <= MOST);
    }

    #[test]
    fn recursion_ends_at_the_shallowest_value() {
        let node = |next: Value| {
            json!({
                "$ref": "#/$defs/N",
                "$defs": {"N": {"type": "object", "properties": {"next": next}, "required": ["next"]}},
            })
        };
        let reference = json!({"$ref": "#/$defs/N"});
        check(node(json!({"anyOf": [reference, {"type": "null"}]})), 0, json!({"next": {"next": null}}));
        check(node(json!({"oneOf": [reference, {"const": 1}]})), 0, json!({"next": {"next": 1}}));
        check(node(json!({"type": "array", "items": reference})), 0, json!({"next": [{"next": []}]}));
        check(
            node(json!({"type": ["array", "null"], "items": reference, "minItems": 1})),
            0,
            json!({"next": [{"next": null}]}),
        );
        check(
            json!({"type": "object", "properties": {"up": {"anyOf": [{"$ref": "#"}, {"const": 0}]}}, "required": ["up"]}),
            0,
            json!({"up": {"up": 0}}),
        );
    }

    #[test]
    fn what_has_no_end_is_null() {
        check(json!({"$ref": "#"}), 0, json!(null));
        let schema = json!({
            "$ref": "#/$defs/N",
            "$defs": {"N": {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/N"}}}},
        });
        check(schema, 0, json!({"a": null}));
    }

    #[test]
    fn a_schema_that_multiplies_ends() {
        let mut definitions = Map::new();
        for level in 0..90 {
            let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
            let twice = json!({"type": "object", "properties": {"a": next, "b": next}, "required": ["a", "b"]});
            definitions.insert(level.to_string(), twice);
        }
        assert!(generate(&json!({"$ref": "#/$defs/0", "$defs": definitions}), 0).is_object());
        let mut array = json!({"type": "integer"});
        for _ in 0..20 {
            array = json!({"type": "array", "items": array, "minItems": 1000});
        }
        assert!(generate(&array, 0).is_array());
    }

    #[test]
    fn a_long_chain_of_references_ends() {
        let chain = (0..5_000).map(|at| (at.to_string(), json!({"$ref": format!("#/$defs/{}", at + 1)})));
        let definitions: Map<_, _> = chain.collect();
        assert_eq!(generate(&json!({"$ref": "#/$defs/0", "$defs": definitions}), 0), Value::Null);
    }

    #[test]
    fn keywords_that_are_no_keywords_do_no_harm() {
        for schema in [
            json!(null),
            json!([1]),
            json!({"type": 1, "required": "x", "properties": [], "enum": {}, "anyOf": [], "$ref": 1}),
            json!({"type": "array", "minItems": -1, "items": 3, "prefixItems": {}, "maxItems": "x"}),
            json!({"type": "object", "required": [1], "properties": {"a": 1}, "additionalProperties": 3}),
            json!({"type": "integer", "minimum": "x", "maximum": []}),
            json!({"type": "string", "minLength": 1.5, "format": {}}),
        ] {
            for seed in [0, 1, u64::MAX] {
                generate(&schema, seed);
            }
        }
    }
}
