use super::*;

fn bent(schema: &Value) -> Strict {
    Strict::of(schema, Some(true), Keywords::WithoutLengths)
}

fn decided(schema: &Value) -> Strict {
    Strict::of(schema, None, Keywords::WithoutLengths)
}

fn object(properties: Value, required: Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// What an API that takes strict schemas only would say.
fn complaint(schema: &Value) -> Option<String> {
    let Value::Object(node) = schema else { return Some(format!("no schema: {schema}")) };
    if !is_typed(schema) {
        return Some(format!("untyped: {schema}"));
    }
    let forbidden = UNSUPPORTED.iter().chain(&LENGTHS).chain(&["default", "oneOf", "allOf", "patternProperties"]);
    if let Some(key) = forbidden.into_iter().find(|key| node.contains_key(**key)) {
        return Some(format!("{key} in {schema}"));
    }
    if node.contains_key("$ref") && node.len() > 1 {
        return Some(format!("beside a reference: {schema}"));
    }
    if is_of_type(node, "object") {
        let properties = node.get("properties").and_then(Value::as_object)?;
        let required: Vec<_> = node.get("required").and_then(Value::as_array).into_iter().flatten().collect();
        let all = properties.len() == required.len() && properties.keys().all(|name| required.contains(&&json!(name)));
        if !all || node.get("additionalProperties") != Some(&json!(false)) {
            return Some(format!("open: {schema}"));
        }
    }
    let maps = SCHEMA_MAPS.iter().filter_map(|key| node.get(*key)?.as_object()).flat_map(Map::values);
    let lists = SCHEMA_LISTS.iter().filter_map(|key| node.get(*key)?.as_array()).flatten();
    maps.chain(lists).chain(node.get("items")).find_map(complaint)
}

#[test]
fn a_schema_that_fits_is_strict_by_itself() {
    let schema = object(json!({"city": {"type": "string"}, "kind": {"const": "only"}}), json!(["city", "kind"]));
    assert!(decided(&schema).strict);
    assert_eq!(decided(&schema).schema, schema);
    let open = json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    assert!(decided(&open).strict);
    assert_eq!(decided(&open).schema, object(json!({"city": {"type": "string"}}), json!(["city"])));
}

#[test]
fn unset_never_costs_anything() {
    for properties in [
        json!({"a": {"type": "string", "default": "x"}}),
        json!({"a": {"oneOf": [{"type": "string"}, {"type": "null"}]}}),
        json!({"a": {"type": "string", "minLength": 2}}),
        json!({"a": {"type": "array"}}),
        json!({"a": {"type": "array", "items": {}}}),
        json!({"a": {"type": "array", "prefixItems": [{"type": "string"}]}}),
        json!({"a": {"$ref": "#/properties/b"}}),
        json!({"a": {"type": "object", "additionalProperties": true}}),
        json!({"a": {"description": "Anything."}}),
        json!({"a": true}),
    ] {
        let schema = object(properties, json!(["a"]));
        let decided = decided(&schema);
        assert!(!decided.strict, "{schema}");
        assert_eq!(decided.schema["properties"]["a"]["default"], schema["properties"]["a"]["default"]);
    }
    assert!(!decided(&object(json!({"a": {"type": "string"}}), json!([]))).strict);
    assert!(!decided(&json!({"type": "object", "properties": {}, "additionalProperties": false})).strict);
}

#[test]
fn lengths_are_for_those_who_know_them() {
    let schema = object(json!({"a": {"type": "string", "minLength": 2, "description": "An a."}}), json!(["a"]));
    assert!(Strict::of(&schema, None, Keywords::WithLengths).strict);
    let bent = bent(&schema);
    assert_eq!(bent.schema["properties"]["a"], json!({"type": "string", "description": "An a. (minLength=2)"}));
    assert_eq!(bent.losses, ["`a` has constraints that are only described"]);
}

#[test]
fn asked_for_strictness_bends_what_it_can() {
    let schema = json!({
        "type": "object",
        "title": "Args",
        "properties": {
            "a": {"type": "string", "title": "A", "default": "x", "description": "An a."},
            "title": {"oneOf": [{"type": "string"}, {"type": "integer"}], "discriminator": {"propertyName": "k"}},
            "o": {"type": "object", "properties": {"p": {"type": "string", "pattern": "(?=x)y"}}, "additionalProperties": true},
        },
    });
    let before = schema.clone();
    let bent = bent(&schema);
    assert_eq!(schema, before);
    assert!(bent.strict);
    assert_eq!(
        bent.schema,
        object(
            json!({
                "a": {"type": "string", "description": "An a."},
                "title": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "o": object(json!({"p": {"type": "string", "description": "pattern=(?=x)y"}}), json!(["p"])),
            }),
            json!(["a", "title", "o"])
        )
    );
    assert_eq!(complaint(&bent.schema), None);
    assert!(bent.losses.iter().any(|loss| loss == "`o` takes no other keys any more"), "{:?}", bent.losses);
    assert!(bent.losses.iter().any(|loss| loss == "the schema requires \"a\" now"), "{:?}", bent.losses);
}

#[test]
fn what_would_lose_the_point_is_left_as_it_is() {
    for (property, why) in [
        (json!({"type": "object", "additionalProperties": {"type": "integer"}}), "open map"),
        (json!({"type": "object"}), "open map"),
        (json!({"type": "object", "patternProperties": {"^x": {"type": "string"}}}), "open map"),
        (json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}), "tuple"),
        (json!({"type": "array", "items": [{"type": "string"}]}), "tuple"),
        (json!({"type": ["array", "null"], "items": true}), "list of anything"),
        (json!({"description": "Anything."}), "may be anything"),
        (json!({"$ref": "#/$defs/Nobody"}), "definition"),
    ] {
        let schema = object(json!({"m": property}), json!(["m"]));
        let bent = bent(&schema);
        assert!(!bent.strict, "{schema}");
        assert!(bent.losses.iter().any(|loss| loss.starts_with("`m` ") && loss.contains(why)), "{:?}", bent.losses);
        assert_eq!(bent.schema["properties"]["m"].get("additionalProperties"), property.get("additionalProperties"));
    }
}

#[test]
fn no_parameters_are_strict_when_asked() {
    let expected = object(json!({}), json!([]));
    for schema in [json!({"type": "object", "properties": {}}), json!({"type": "object"}), expected.clone()] {
        let bent = bent(&schema);
        assert!(bent.strict);
        assert_eq!(bent.schema, expected);
    }
}

#[test]
fn a_root_that_refers_to_itself_is_spelled_out_once() {
    let node = json!({
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}},
        "required": ["kids"],
    });
    let schema = json!({"$defs": {"N": node}, "$ref": "#/$defs/N"});
    for strict in [Some(false), None, Some(true)] {
        let made = Strict::of(&schema, strict, Keywords::WithLengths);
        assert_eq!(made.strict, strict != Some(false));
        assert_eq!(made.schema["type"], "object");
        assert_eq!(made.schema["properties"]["kids"]["items"], json!({"$ref": "#"}));
        assert_eq!(made.schema["$defs"]["N"]["properties"]["kids"]["items"], json!({"$ref": "#"}));
        assert!(made.schema.get("$ref").is_none());
    }
}

#[test]
fn references_lose_their_company_but_not_their_meaning() {
    let point = object(json!({"x": {"type": "integer", "format": "int32"}}), json!(["x"]));
    let schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/P", "description": "The first."}, "b": {"allOf": [{"$ref": "#/$defs/P"}]}},
        "required": ["a", "b"],
        "$defs": {"P": point},
    });
    let made = decided(&schema);
    assert!(made.strict);
    assert_eq!(made.schema["properties"]["a"], json!({"description": "The first.", "anyOf": [{"$ref": "#/$defs/P"}]}));
    assert_eq!(made.schema["properties"]["b"], json!({"$ref": "#/$defs/P"}));
    assert_eq!(made.schema["$defs"]["P"]["properties"]["x"], json!({"type": "integer"}));
}

#[test]
fn nullable_enums_keep_their_null() {
    let nullable = json!({"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]});
    let listed = json!({"type": ["string", "null"], "enum": ["a", "b", null]});
    let schema =
        object(json!({"x": nullable, "y": listed, "z": {"type": "integer", "enum": [1, 2]}}), json!(["x", "y", "z"]));
    assert_eq!(bent(&schema).schema, schema);
}

#[test]
fn limits_of_the_api_are_kept() {
    let mut deep = object(json!({}), json!([]));
    for _ in 0..10 {
        deep = object(json!({"o": deep}), json!(["o"]));
    }
    assert!(!decided(&deep).strict && !bent(&deep).strict);
    assert!(decided(&deep["properties"]["o"]).strict);
    let mut endless = json!({"type": "string"});
    for _ in 0..1000 {
        endless = json!({"type": "array", "items": endless});
    }
    assert!(!bent(&object(json!({"a": endless}), json!(["a"]))).strict);
}

/// Random schemas: whatever comes out as strict is, bending twice is bending once, and nothing panics.
#[test]
fn strict_schemas_are_strict_and_stay_so() {
    let mut random = Random(7);
    let mut strict = 0;
    for _ in 0..1000 {
        let schema = random.schema(4, true);
        for asked in [Some(false), None, Some(true)] {
            let made = Strict::of(&schema, asked, Keywords::WithoutLengths);
            if made.strict {
                strict += 1;
                assert_eq!(complaint(&made.schema), None, "{schema}");
            }
            let again = Strict::of(&made.schema, asked, Keywords::WithoutLengths);
            assert_eq!(again.schema, made.schema, "{asked:?} {schema}");
            assert_eq!(again.strict, made.strict);
        }
    }
    assert!(strict > 100, "{strict}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn schema(&mut self, depth: u64, root: bool) -> Value {
        let kinds = if depth == 0 { 4 } else { 12 };
        let mut schema = match if root { 4 } else { self.below(kinds) } {
            0 => json!({"type": "string"}),
            1 => json!({"type": ["integer", "null"], "format": "int64"}),
            2 => json!({"const": "x"}),
            3 => json!({"$ref": "#/$defs/D"}),
            4..=7 => self.object(depth, root),
            8 => json!({"type": "array", "items": self.schema(depth - 1, false)}),
            9 => json!({"anyOf": [self.schema(depth - 1, false), {"type": "null"}]}),
            10 => json!({"oneOf": [self.schema(depth - 1, false), {"type": "null"}]}),
            _ => json!({"allOf": [self.schema(depth - 1, false)]}),
        };
        let extras = [
            ("description", json!("D")),
            ("title", json!("T")),
            ("default", json!(1)),
            ("minLength", json!(1)),
            ("uniqueItems", json!(true)),
            ("additionalProperties", json!(true)),
            ("patternProperties", json!({})),
        ];
        for (key, value) in extras {
            if self.below(14) == 0 && !schema[key].is_object() {
                schema[key] = value;
            }
        }
        schema
    }

    fn object(&mut self, depth: u64, root: bool) -> Value {
        let names = ["title", "default", "$ref", "d"];
        let count = usize::try_from(self.below(4)).unwrap_or_default();
        let properties: Map<String, Value> =
            names[..count].iter().map(|name| ((*name).to_owned(), self.schema(depth - 1, false))).collect();
        let mut schema =
            json!({"type": "object", "required": properties.keys().collect::<Vec<_>>(), "properties": properties});
        if self.below(4) == 0 {
            schema["required"] = json!([]);
        }
        if root {
            schema["$defs"] =
                json!({"D": {"type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]}});
        }
        schema
    }
}
