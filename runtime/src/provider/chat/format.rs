//! The schema that a model is held to as it writes text.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::output::OutputFormat;
use crate::provider::name::wire_name;
use crate::schema::{Keywords, Strict};

/// The schema that a model is held to as it writes text, as OpenAI's APIs take it.
#[derive(Serialize)]
pub(crate) struct JsonSchema<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    schema: Value,
    strict: bool,
}

impl<'a> JsonSchema<'a> {
    pub(crate) fn of(format: &'a OutputFormat, can_be_strict: bool, keywords: Keywords) -> Self {
        let asked = if can_be_strict { format.strict } else { Some(false) };
        let made = Strict::of(&format.schema, asked, keywords);
        Self {
            name: wire_name(&format.name),
            description: format.description.as_deref(),
            schema: made.schema,
            strict: made.strict,
        }
    }
}
