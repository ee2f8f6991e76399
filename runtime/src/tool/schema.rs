//! The schema of a tool's arguments, from its parameters.

use schemars::generate::SchemaSettings;
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

/// The object with the parameters as properties, in their order; unknown keys are refused.
///
/// An only parameter that is an object with properties of its own is the argument object (specification: behaviours 1).
pub(super) fn parameters_schema(parameters: &[ParamSpec]) -> ParametersSchema {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in parameters {
        let schema: Value = (parameter.schema)(&mut generator).into();
        properties.insert(parameter.name.to_owned(), schema);
        if !parameter.optional {
            required.push(parameter.name);
        }
    }
    ParametersSchema {
        parameters: json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}),
        description: None,
        whole: false,
    }
}
