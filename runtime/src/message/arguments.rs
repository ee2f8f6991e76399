//! The arguments of a call, as the model wrote them.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use crate::json::{Json, compact, partial};

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
    /// Shared until more is added.
    Text(Arc<String>),
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
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(Form::Text(Arc::new(text.into())))
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

    /// Adds text, as it streams in.
    pub fn push(&mut self, more: &str) {
        match &mut self.0 {
            Form::Absent => self.0 = Form::Text(Arc::new(more.to_owned())),
            Form::Text(text) => Arc::make_mut(text).push_str(more),
            Form::Object(json) => self.0 = Form::Text(Arc::new(json.text().to_owned() + more)),
        }
    }

    /// The arguments as far as they have come in, in a response that is streamed: what can be said of a JSON object
    /// before all of it is there, as [`json::partial`](crate::json::partial) reads it. None yet are an empty object;
    /// `None` is for what does not begin as an object.
    ///
    /// ```
    /// use toolwright::message::Arguments;
    ///
    /// let mut args = Arguments::from_text(r#"{"city": "#);
    /// args.push(r#""Os"#);
    /// assert_eq!(args.partial().expect("an object")["city"], "Os");
    /// args.push(r#"lo"}"#);
    /// assert_eq!(args.partial().expect("an object")["city"], "Oslo");
    /// ```
    #[must_use]
    pub fn partial(&self) -> Option<Map<String, Value>> {
        let text = self.text();
        if text.trim_ascii().is_empty() {
            return Some(Map::new());
        }
        match partial(text)? {
            Value::Object(map) => Some(map),
            _ => None,
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
    fn arguments_grow_and_those_that_were_kept_do_not() {
        let begun = Arguments::from_text("{\"a\":");
        let mut grown = begun.clone();
        grown.push("1}");
        assert_eq!((begun.text(), grown.text()), ("{\"a\":", "{\"a\":1}"));
        let mut absent = Arguments::absent();
        absent.push("{");
        assert_eq!(absent, Arguments::from_text("{"));
        grown = Arguments::from_json(Json::of(&[0; 0]).expect("JSON"));
        grown.push("]");
        assert_eq!(grown.text(), "[]]");
    }

    #[test]
    fn what_does_not_begin_as_an_object_has_nothing_to_be_read() {
        let read = |text: &str| Arguments::from_text(text).partial().map(Value::from);
        assert_eq!(read("[1"), None);
        assert_eq!(read("no JSON"), None);
        for none_yet in ["", " ", "{"] {
            assert_eq!(read(none_yet), Some(serde_json::json!({})), "{none_yet:?}");
        }
        assert_eq!(Arguments::absent().partial(), Some(Map::new()));
        assert_eq!(read("{\"a\": [tru"), Some(serde_json::json!({"a": []})));
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
