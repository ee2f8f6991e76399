//! The arguments of a call, as the model wrote them.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use crate::json::{Json, compact};

/// The arguments of a tool call, exactly as the model gave them.
///
/// They stay text until the tool's own types read them, and may be no JSON at all: a model can write anything. In a
/// stored history they are a string (a text), an object, or null.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(Form);

#[derive(Clone, Debug, Default, PartialEq)]
enum Form {
    #[default]
    Absent,
    Text(Arc<str>),
    Object(Json),
}

impl Arguments {
    /// No arguments at all.
    #[must_use]
    pub const fn absent() -> Self {
        Self(Form::Absent)
    }

    /// Arguments as a text, whatever is in it.
    #[must_use]
    pub fn from_text(text: impl Into<Arc<str>>) -> Self {
        Self(Form::Text(text.into()))
    }

    /// Arguments as a JSON object. A value that is none is kept as its text.
    #[must_use]
    pub fn from_json(json: Json) -> Self {
        if json.is_null() {
            Self(Form::Absent)
        } else if json.is_object() {
            Self(Form::Object(json))
        } else {
            Self::from_text(json.text())
        }
    }

    /// The text a tool reads: what the model wrote, and `{}` where it wrote nothing.
    #[must_use]
    pub fn text(&self) -> &str {
        match &self.0 {
            Form::Absent => "{}",
            Form::Text(text) if text.is_empty() => "{}",
            Form::Text(text) => text,
            Form::Object(json) => json.text(),
        }
    }

    /// Whether they are a whole JSON object, and not one that is still being written, or something else.
    pub(crate) fn is_whole(&self) -> bool {
        match &self.0 {
            Form::Absent => false,
            Form::Text(text) => is_json_object(text),
            Form::Object(_) => true,
        }
    }

    /// The arguments as an object. Text that is no JSON object is put under the one key `INVALID_JSON`.
    #[must_use]
    pub fn to_object(&self) -> Map<String, Value> {
        serde_json::from_str(self.text())
            .unwrap_or_else(|_| Map::from_iter([("INVALID_JSON".to_owned(), Value::from(self.text()))]))
    }

    /// The compact text of a JSON object, fit for any provider, whatever the model once wrote.
    #[must_use]
    pub fn replay_text(&self) -> Cow<'_, str> {
        match &self.0 {
            Form::Object(json) => Cow::Borrowed(json.text()),
            _ if is_json_object(self.text()) => compact(self.text()),
            _ => Cow::Owned(Value::Object(self.to_object()).to_string()),
        }
    }
}

fn is_json_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && serde_json::from_str::<de::IgnoredAny>(text).is_ok()
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        match value {
            Value::String(text) => Self::from_text(text),
            other => Self::from_json(other.into()),
        }
    }
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Absent => serializer.serialize_none(),
            Form::Text(text) => serializer.serialize_str(text),
            Form::Object(json) => json.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        match json.as_str() {
            Some(text) => Ok(Self::from_text(text)),
            None if json.is_null() || json.is_object() => Ok(Self::from_json(json)),
            None => Err(de::Error::custom("arguments must be a string, an object or null")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_object_is_replayed_as_one() {
        assert_eq!(Arguments::from_text("{\"a\":").replay_text(), r#"{"INVALID_JSON":"{\"a\":"}"#);
        assert_eq!(Arguments::from_text("[1]").replay_text(), r#"{"INVALID_JSON":"[1]"}"#);
        assert_eq!(Arguments::from_text("").replay_text(), "{}");
        assert_eq!(Arguments::absent().replay_text(), "{}");
        assert_eq!(Arguments::from_text("{ \"a\": 1 }\n").replay_text(), r#"{"a":1}"#);
    }

    #[test]
    fn stored_arguments_come_back_in_their_form() {
        for text in [r#""{\"a\": 1""#, r#"{"a":1}"#, "null"] {
            let arguments: Arguments = serde_json::from_str(text).expect("arguments");
            assert_eq!(serde_json::to_string(&arguments).expect("JSON"), text);
        }
        assert!(serde_json::from_str::<Arguments>("[1]").is_err());
    }
}
