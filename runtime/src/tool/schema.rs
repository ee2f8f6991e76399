//! The schema of a tool's arguments, from its parameters.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::spec::ParamSpec;

/// What the parameters come to.
pub(super) struct ParametersSchema {
    pub(super) parameters: Value,
    /// The description of the one type that is the whole argument object.
    pub(super) description: Option<String>,
    /// Whether the only parameter is the whole argument object.
    pub(super) whole: bool,
}

impl ParametersSchema {
    /// Leaves the type's description in its schema: the tool has one of its own.
    pub(super) fn keep_description(&mut self) {
        if let (Some(description), Value::Object(schema)) = (self.description.take(), &mut self.parameters) {
            schema.entry("description").or_insert(description.into());
        }
    }
}

/// The object with the parameters as properties, in their order; unknown keys are refused.
///
/// An only parameter that is an object with properties of its own is the argument object (specification: behaviours 1).
pub(super) fn parameters_schema(parameters: &[ParamSpec]) -> ParametersSchema {
    if let [parameter] = parameters
        && !parameter.nested
        && !parameter.optional
        && let Some(whole) = whole_object(parameter)
    {
        return whole;
    }
    let mut generator = generator();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in parameters {
        properties.insert(parameter.name.to_owned(), property(parameter, &mut generator));
        if !parameter.optional {
            required.push(parameter.name);
        }
    }
    let mut object =
        Map::from_iter([("type".to_owned(), json!("object")), ("properties".to_owned(), properties.into())]);
    if !required.is_empty() {
        object.insert("required".to_owned(), required.into());
    }
    object.insert("additionalProperties".to_owned(), false.into());
    with_definitions(&mut object, generator.take_definitions(true));
    ParametersSchema { parameters: object.into(), description: None, whole: false }
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

/// The schema of one parameter, with what is said of it where it is declared.
fn property(parameter: &ParamSpec, generator: &mut SchemaGenerator) -> Value {
    let mut schema = (parameter.schema)(generator);
    Plain.transform(&mut schema);
    let mut property = schema_object(schema);
    property.shift_remove("title");
    if let Some(description) = parameter.description {
        property.insert("description".to_owned(), description.into());
    }
    if parameter.optional
        && let Some(default) = &parameter.default
    {
        property.insert("default".to_owned(), default.clone());
    }
    property.into()
}

/// The only parameter as the argument object, where its type is an object with properties.
fn whole_object(parameter: &ParamSpec) -> Option<ParametersSchema> {
    let mut generator = generator();
    let schema: Value = (parameter.schema)(&mut generator).into();
    let mut definitions = generator.take_definitions(true);
    let mut object = match referenced(&schema) {
        Some(name) => {
            let definition = definitions.get(name)?.clone();
            // The type stays a definition only where something inside refers to it.
            let inside = definitions.iter().filter(|(other, _)| *other != name).map(|(_, schema)| schema);
            if !inside.chain([&definition]).any(|schema| refers_to(schema, name)) {
                definitions.shift_remove(name);
            }
            definition
        }
        None => schema,
    };
    let object = object.as_object_mut()?;
    if object.get("type") != Some(&json!("object")) || !object.get("properties").is_some_and(Value::is_object) {
        return None;
    }
    let mut schema = Schema::from(std::mem::take(object));
    Plain.transform(&mut schema);
    let mut object = schema_object(schema);
    let description = match object.shift_remove("description") {
        Some(Value::String(description)) => Some(description),
        _ => None,
    };
    if let Some(description) = parameter.description {
        object.insert("description".to_owned(), description.into());
    }
    with_definitions(&mut object, definitions);
    Some(ParametersSchema { parameters: object.into(), description, whole: true })
}

/// The name of the definition that a schema only refers to.
fn referenced(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

fn refers_to(schema: &Value, name: &str) -> bool {
    match schema {
        Value::Object(map) => referenced(schema) == Some(name) || map.values().any(|inner| refers_to(inner, name)),
        Value::Array(items) => items.iter().any(|inner| refers_to(inner, name)),
        _ => false,
    }
}

fn with_definitions(object: &mut Map<String, Value>, mut definitions: Map<String, Value>) {
    for definition in definitions.values_mut() {
        if let Ok(schema) = <&mut Schema>::try_from(definition) {
            Plain.transform(schema);
        }
    }
    if !definitions.is_empty() {
        object.insert("$defs".to_owned(), definitions.into());
    }
}

/// The keywords of a schema. One that allows anything has none.
fn schema_object(schema: Schema) -> Map<String, Value> {
    match schema.to_value() {
        Value::Object(map) => map,
        Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
        _ => Map::new(),
    }
}

/// Says the same in the plainest terms: models, and the services in front of them, know those best.
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        drop_number_format(object);
        for key in ["items", "properties"] {
            let values = match object.get_mut(key) {
                Some(Value::Object(properties)) if key == "properties" => properties.values_mut().collect(),
                Some(item) => vec![item],
                None => continue,
            };
            for value in values.into_iter().filter(|value| **value == Value::Bool(true)) {
                *value = json!({});
            }
        }
        split_null(object);
    }
}

/// Formats such as `int64` are schemars' own; bounds say what matters of them.
fn drop_number_format(object: &mut Map<String, Value>) {
    let numeric = object.get("format").and_then(Value::as_str).is_some_and(|format| {
        let bits = format.strip_prefix("uint").or_else(|| format.strip_prefix("int"));
        matches!(format, "float" | "double") || bits.is_some_and(|bits| bits.bytes().all(|byte| byte.is_ascii_digit()))
    });
    if numeric {
        object.shift_remove("format");
    }
}

/// Makes `anyOf: [T, null]` of a list of types or values with null in it, which some services refuse.
fn split_null(object: &mut Map<String, Value>) {
    let null = [("type", json!("null")), ("enum", Value::Null)];
    let [types, values] = null.each_ref().map(|(key, null)| match object.get(*key) {
        Some(Value::Array(items)) => items.len() > 1 && items.contains(null),
        _ => false,
    });
    if !types && (object.contains_key("type") || !values) {
        return;
    }
    for (key, null) in &null {
        if let Some(Value::Array(items)) = object.get_mut(*key) {
            items.retain(|item| item != null);
        }
    }
    if let Some(Value::Array(types)) = object.get_mut("type")
        && let [only] = types.as_mut_slice()
    {
        let only = only.take();
        object.insert("type".to_owned(), only);
    }
    let (about, branch): (Map<_, _>, Map<_, _>) =
        std::mem::take(object).into_iter().partition(|(key, _)| is_annotation(key));
    *object = about;
    object.insert("anyOf".to_owned(), json!([branch, {"type": "null"}]));
}

/// Whether a keyword says something about the value rather than what it may be.
fn is_annotation(key: &str) -> bool {
    matches!(key, "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::{JsonSchema, json_schema};
    use serde::Deserialize;

    use super::*;

    /// A place on earth.
    #[derive(Deserialize, JsonSchema)]
    #[schemars(title = "Place")]
    #[expect(dead_code, reason = "only its schema counts")]
    struct Place {
        /// Its name.
        city: String,
        zip: Option<u16>,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[schemars(inline)]
    enum Color {
        Red,
        Green,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema counts")]
    struct Node {
        next: Option<Box<Node>>,
    }

    fn of(parameters: &[ParamSpec]) -> Value {
        let schema = parameters_schema(parameters);
        assert!(!schema.whole);
        schema.parameters
    }

    fn property_of(parameter: ParamSpec) -> Value {
        of(&[parameter.nested()])["properties"]["x"].take()
    }

    #[test]
    fn a_tool_without_parameters_takes_an_empty_object() {
        assert_eq!(of(&[]), json!({"type": "object", "properties": {}, "additionalProperties": false}));
    }

    #[test]
    fn parameters_are_properties_in_their_order() {
        let schema = of(&[
            ParamSpec::new::<u8>("z").description("How far."),
            ParamSpec::new::<Option<f64>>("y"),
            ParamSpec::new::<String>("x").default(&"home"),
            ParamSpec::new::<bool>("a").optional(),
        ]);
        assert_eq!(
            schema.to_string(),
            json!({
                "type": "object",
                "properties": {
                    "z": {"type": "integer", "minimum": 0, "maximum": 255, "description": "How far."},
                    "y": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": null},
                    "x": {"type": "string", "default": "home"},
                    "a": {"type": "boolean"},
                },
                "required": ["z"],
                "additionalProperties": false,
            })
            .to_string()
        );
    }

    #[test]
    fn null_stands_apart_from_values() {
        assert_eq!(
            property_of(ParamSpec::new::<Option<Color>>("x")),
            json!({"anyOf": [{"type": "string", "enum": ["red", "green"]}, {"type": "null"}], "default": null})
        );
        assert_eq!(
            property_of(ParamSpec::new::<i64>("x").schema(|_| json_schema!({"enum": ["null", 1, null]}))),
            json!({"anyOf": [{"enum": ["null", 1]}, {"type": "null"}]})
        );
        assert_eq!(
            property_of(ParamSpec::new::<Option<bool>>("x").optional()),
            json!({"anyOf": [{"type": "boolean"}, {"type": "null"}]})
        );
        assert_eq!(
            property_of(ParamSpec::new::<Vec<Option<i64>>>("x")),
            json!({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
        );
    }

    #[test]
    fn anything_is_an_empty_schema() {
        assert_eq!(property_of(ParamSpec::new::<Value>("x").description("Any.")), json!({"description": "Any."}));
        assert_eq!(property_of(ParamSpec::new::<Vec<Value>>("x")), json!({"type": "array", "items": {}}));
        assert_eq!(
            property_of(ParamSpec::new::<BTreeMap<String, i32>>("x")),
            json!({"type": "object", "additionalProperties": {"type": "integer"}})
        );
    }

    #[test]
    fn data_in_a_schema_is_left_alone() {
        let schema = |_: &mut SchemaGenerator| json_schema!({"const": {"format": "int64", "type": ["string", "null"]}});
        assert_eq!(
            property_of(ParamSpec::new::<Value>("x").schema(schema)),
            json!({"const": {"format": "int64", "type": ["string", "null"]}})
        );
    }

    #[test]
    fn a_type_among_others_is_a_definition() {
        let schema = of(&[ParamSpec::new::<Place>("from").description("Where from."), ParamSpec::new::<bool>("far")]);
        assert_eq!(schema["properties"]["from"], json!({"$ref": "#/$defs/Place", "description": "Where from."}));
        assert_eq!(
            schema["$defs"]["Place"],
            json!({
                "title": "Place",
                "description": "A place on earth.",
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Its name."},
                    "zip": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 65535}, {"type": "null"}]},
                },
                "required": ["city"],
            })
        );
    }

    #[test]
    fn an_only_object_is_the_whole_of_the_arguments() {
        let schema = parameters_schema(&[ParamSpec::new::<Place>("place")]);
        assert!(schema.whole);
        assert_eq!(schema.description.as_deref(), Some("A place on earth."));
        assert_eq!(schema.parameters["required"], json!(["city"]));
        assert_eq!((schema.parameters.get("$defs"), &schema.parameters["title"]), (None, &json!("Place")));
        let mut described = parameters_schema(&[ParamSpec::new::<Place>("place").description("Where to.")]);
        assert_eq!(described.parameters["description"], "Where to.");
        described.keep_description();
        assert_eq!(described.parameters["description"], "Where to.");
    }

    #[test]
    fn what_is_no_closed_object_or_may_be_left_out_stays_a_property() {
        for parameter in [
            ParamSpec::new::<Place>("x").nested(),
            ParamSpec::new::<Place>("x").optional(),
            ParamSpec::new::<Option<Place>>("x"),
            ParamSpec::new::<BTreeMap<String, i64>>("x"),
            ParamSpec::new::<Color>("x"),
            ParamSpec::new::<i64>("x"),
        ] {
            assert!(of(&[parameter])["properties"]["x"].is_object());
        }
    }

    #[test]
    fn a_recursive_type_stays_finite() {
        let whole = parameters_schema(&[ParamSpec::new::<Node>("node")]);
        assert!(whole.whole);
        let next = json!({"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]});
        assert_eq!(whole.parameters["properties"]["next"], next);
        assert_eq!(whole.parameters["$defs"]["Node"]["properties"]["next"], next);
    }
}
