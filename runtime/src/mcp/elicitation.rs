//! What a server asks the user for.

use std::fmt;
use std::sync::Arc;

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Map, Value};

use crate::error::BoxError;
use crate::later::BoxFuture;

/// What a server asks the user for, in the middle of a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Elicitation {
    /// What it says it needs, in words for the user. They are the server's: show them as such.
    pub message: String,
    /// What it asks for.
    pub asks_for: ElicitationForm,
}

/// What a server asks for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationForm {
    /// Values, as a JSON schema of an object with plain properties.
    Fields(Value),
    /// That the user goes to a URL, of whose safety nothing is known.
    #[non_exhaustive]
    Url {
        /// The URL.
        url: String,
        /// The server's id of what happens there.
        id: String,
    },
}

/// What the user says to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElicitationAnswer {
    /// These values. Those that are missing, and for which the server named a default, are filled in.
    Accept(Map<String, Value>),
    /// No.
    Decline,
    /// Nothing: the user has closed the question.
    Cancel,
}

/// Answers what servers ask the user for.
pub(super) type ElicitationHandler =
    Arc<dyn Fn(Elicitation) -> BoxFuture<'static, Result<ElicitationAnswer, BoxError>> + Send + Sync>;

impl Elicitation {
    pub(super) fn of(params: ElicitRequestParams) -> Result<Self, serde_json::Error> {
        match params {
            ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
                let fields = serde_json::to_value(requested_schema)?;
                Ok(Self { message, asks_for: ElicitationForm::Fields(fields) })
            }
            ElicitRequestParams::UrlElicitationParams { message, url, elicitation_id, .. } => {
                Ok(Self { message, asks_for: ElicitationForm::Url { url, id: elicitation_id } })
            }
            _ => Err(serde::de::Error::custom("the server asks in a way that is not known")),
        }
    }
}

impl ElicitationAnswer {
    /// The answer as the server is given it.
    pub(super) fn into_result(self, asked: &ElicitationForm) -> ElicitResult {
        match self {
            Self::Accept(values) => {
                let result = ElicitResult::new(ElicitationAction::Accept);
                match asked {
                    ElicitationForm::Fields(schema) => {
                        result.with_content(Value::Object(with_defaults(values, schema)))
                    }
                    ElicitationForm::Url { .. } => result,
                }
            }
            Self::Decline => ElicitResult::new(ElicitationAction::Decline),
            Self::Cancel => ElicitResult::new(ElicitationAction::Cancel),
        }
    }
}

fn with_defaults(mut values: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if let (false, Some(default)) = (values.contains_key(name), property.get("default")) {
            values.insert(name.clone(), default.clone());
        }
    }
    values
}

impl fmt::Display for Elicitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn defaults_are_filled_in_where_the_user_said_nothing() {
        let schema = json!({"type": "object", "properties": {
            "name": {"type": "string", "default": "Ada"}, "age": {"type": "integer", "default": 36}, "town": {"type": "string"},
        }});
        let answer = ElicitationAnswer::Accept(Map::from_iter([("age".to_owned(), json!(7))]));
        let result = answer.into_result(&ElicitationForm::Fields(schema));
        assert_eq!(result.content, Some(json!({"age": 7, "name": "Ada"})));
        assert_eq!(ElicitationAnswer::Decline.into_result(&ElicitationForm::Fields(json!({}))).content, None);
    }
}
