//! What the test model makes of a schema, held against the schema and against the types it came from.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use toolwright::message::{History, ModelRequest, RequestPart, UserPromptPart};
use toolwright::model::{ModelInput, TestModel, request};
use toolwright::tool::{ToolDefinition, read_args};
use toolwright::{Json, Tool, tool};

/// The arguments with which the test model calls a tool.
fn made_up(parameters: &Value, seed: u64) -> Json {
    let tool = ToolDefinition::new("t").with_parameters(parameters.clone());
    let prompt = ModelRequest::new(vec![RequestPart::UserPrompt(UserPromptPart::new("Go."))]);
    let input = ModelInput::new(History::from_iter([prompt])).function_tools([tool]);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let response = runtime.block_on(request(&TestModel::new().seed(seed), &input)).expect("a response");
    let call = response.tool_calls().next().expect("a call");
    // Arguments that are no object are kept as a bare text where they are one.
    Json::from_text(call.args.text()).unwrap_or_else(|_| call.args.text().into())
}

/// Schemas that values exist for, one level around what `inner` gives.
fn around(inner: impl Strategy<Value = Value> + Clone + 'static) -> impl Strategy<Value = Value> {
    let object = (prop::collection::btree_map("[a-d]", (inner.clone(), any::<bool>()), 0..4), any::<bool>()).prop_map(
        |(properties, closed)| {
            let required: Vec<_> =
                properties.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name).collect();
            let properties: Map<_, _> =
                properties.iter().map(|(name, (schema, _))| (name.clone(), schema.clone())).collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": !closed})
        },
    );
    let map = inner.clone().prop_map(|schema| json!({"type": "object", "additionalProperties": schema}));
    let list = (inner.clone(), 0_u8..4, prop::option::of(4_u8..6)).prop_map(|(items, least, most)| {
        let mut schema = json!({"type": "array", "items": items, "minItems": least});
        if let Some(most) = most {
            schema["maxItems"] = most.into();
        }
        schema
    });
    let tuple = prop::collection::vec(inner.clone(), 1..3).prop_map(
        |items| json!({"type": "array", "prefixItems": items, "minItems": items.len(), "maxItems": items.len()}),
    );
    let either = prop::collection::vec(inner, 1..3).prop_map(|schemas| json!({"anyOf": schemas}));
    prop_oneof![object, map, list, tuple, either]
}

fn scalar() -> impl Strategy<Value = Value> {
    let range = (-100_i32..100, 1_i32..100);
    prop_oneof![
        prop_oneof![
            Just(json!({})),
            Just(json!(true)),
            Just(json!({"type": "boolean"})),
            Just(json!({"type": ["null", "string"]})),
            Just(json!({"type": "string", "format": "date"})),
            Just(json!({"enum": ["red", 2, null]})),
            Just(json!({"const": {"a": [1]}})),
            (0_u8..5).prop_map(|least| json!({"type": "string", "minLength": least})),
        ],
        (prop_oneof![Just("integer"), Just("number")], range).prop_flat_map(|(r#type, (least, span))| {
            prop_oneof![
                Just(json!({"type": r#type})),
                Just(json!({"type": r#type, "minimum": least})),
                Just(json!({"type": r#type, "exclusiveMinimum": least})),
                Just(json!({"type": r#type, "maximum": least})),
                Just(json!({"type": r#type, "exclusiveMaximum": least})),
                Just(json!({"type": r#type, "minimum": least, "maximum": least + span})),
                Just(json!({"type": r#type, "exclusiveMinimum": least, "maximum": least + span})),
                Just(json!({"type": r#type, "minimum": least, "exclusiveMaximum": least + span})),
                Just(json!({"type": "array", "items": {"type": r#type}, "minItems": 3, "uniqueItems": true})),
            ]
        }),
        // A reference back to where values may end.
        Just(json!({"$ref": "#/$defs/Node"})),
    ]
}

/// A tool's parameters; references in them lead to a type that may end in three ways.
fn parameters() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 24, 4, around).prop_map(|schema| {
        json!({
            "type": "object",
            "properties": {"x": schema},
            "required": ["x"],
            "$defs": {"Node": {
                "type": "object",
                "properties": {
                    "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
                    "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                    "other": {"oneOf": [{"$ref": "#/$defs/Node"}, {"type": "string"}]},
                },
                "required": ["next", "kids", "other"],
            }},
        })
    })
}

/// Anything that might be taken for a schema.
fn anything() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "$ref",
        "$defs",
        "N",
        "type",
        "properties",
        "required",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
        "anyOf",
        "oneOf",
        "allOf",
        "const",
        "enum",
        "additionalProperties",
        "minimum",
        "exclusiveMaximum",
        "minLength",
        "discriminator",
        "propertyName",
    ]);
    let leaf = prop_oneof![
        prop::sample::select(vec!["object", "array", "string", "integer", "number", "#", "#/$defs/N", "#/items", "N"])
            .prop_map(Value::from),
        prop::sample::select(vec![
            json!(null),
            json!(true),
            json!(false),
            json!(0),
            json!(-1),
            json!(1e300),
            json!(u64::MAX)
        ]),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(key.clone(), inner, 0..6).prop_map(|map| map
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_made_up_fits_the_schema(parameters in parameters(), seed in 0_u64..300) {
        let value = made_up(&parameters, seed).to_value();
        let validator = jsonschema::draft202012::new(&parameters).expect("a schema");
        prop_assert!(validator.is_valid(&value), "{parameters} gave {value}");
    }

    #[test]
    fn something_is_made_up_for_anything(schema in anything(), seed in any::<u64>()) {
        made_up(&schema, seed);
    }
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "it is only read")]
struct Order {
    id: u16,
    note: Option<String>,
    lines: Vec<(i8, f32)>,
    status: Status,
    after: Option<Box<Order>>,
    tags: BTreeMap<String, bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "it is only read")]
enum Status {
    Open,
    Sent { on: chrono::NaiveDate },
}

/// Takes anything.
#[tool(type = Takes, inline)]
fn takes<T: DeserializeOwned + JsonSchema + Send + 'static>(#[arg(nested)] value: T) {
    drop(value);
}

/// Whether a tool with one argument of type `T` can read what is made up from its schema.
fn reads_what_is_made_up<T: DeserializeOwned + JsonSchema + Send + 'static>() {
    let tool: Tool<()> = Tool::typed::<Takes<T>>();
    let parameters = tool.definition().parameters();
    let validator = jsonschema::draft202012::new(parameters).expect("a schema");
    for seed in 0..100 {
        let args = made_up(parameters, seed);
        assert!(validator.is_valid(&args.to_value()), "{parameters} gave {args}");
        if let Err(errors) = read_args::<(), Takes<T>>(args.text()) {
            unreachable!("{args} made of {parameters}: {errors}");
        }
    }
}

#[test]
fn tools_read_what_is_made_up_from_their_schemas() {
    reads_what_is_made_up::<i64>();
    reads_what_is_made_up::<u8>();
    reads_what_is_made_up::<std::num::NonZeroU32>();
    reads_what_is_made_up::<f32>();
    reads_what_is_made_up::<bool>();
    reads_what_is_made_up::<Value>();
    reads_what_is_made_up::<chrono::NaiveDate>();
    reads_what_is_made_up::<Option<Vec<Option<u16>>>>();
    reads_what_is_made_up::<HashMap<String, [i16; 2]>>();
    reads_what_is_made_up::<std::collections::BTreeSet<String>>();
    reads_what_is_made_up::<Order>();
    reads_what_is_made_up::<Vec<Order>>();
    reads_what_is_made_up::<Status>();
}

/// Reads a number, given as one or as a text.
fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    let value = Option::<Json>::deserialize(deserializer)?;
    Ok(value.and_then(|value| value.text().trim_matches('"').parse().ok()))
}

/// Looks ahead.
#[tool(inline)]
fn forecast(
    #[schemars(range(min = 1, max = 14))] days: Option<u8>,
    #[serde(deserialize_with = "number_or_text")] hour: Option<u8>,
    #[schemars(range(min = 1))] places: u8,
) -> String {
    format!("{days:?} {hour:?} {places}")
}

#[test]
fn an_option_with_attributes_of_its_own_may_still_be_left_out() {
    let tool: Tool<()> = Tool::typed::<forecast>();
    let parameters = tool.definition().parameters();
    assert_eq!(parameters["required"], json!(["places"]));
    assert_eq!(
        parameters["properties"]["days"],
        json!({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 14}, {"type": "null"}], "default": null})
    );
    assert!(read_args::<(), forecast>(r#"{"places":2}"#).is_ok());
    assert!(read_args::<(), forecast>(r#"{"places":2,"days":"3","hour":null}"#).is_ok());
    assert!(read_args::<(), forecast>(r#"{"days":3}"#).is_err());
    assert!(read_args::<(), forecast>(r#"{"places":2,"days":"soon"}"#).is_err());
}
