//! Takes the parameters of a call out of its text, one by one.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::{ArgError, ArgsError, LocItem};
use crate::json::Json;

/// Reads the parameters of a call, one by one; what does not fit is collected, so that the model is told everything.
pub struct ArgsReader<'a> {
    fields: Map<String, Value>,
    errors: Vec<ArgError>,
    options: ReadOptions,
    text: &'a str,
}

/// How arguments are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadOptions {
    /// Takes `"1"` for 1 and the like, where nothing is guessed.
    pub(crate) lenient: bool,
    /// The only parameter is the whole object.
    pub(crate) whole: bool,
}

impl<'a> ArgsReader<'a> {
    pub(crate) fn new(text: &'a str, options: ReadOptions) -> Result<Self, ArgsError> {
        Ok(Self { fields: read_object(text)?, errors: Vec::new(), options, text })
    }

    /// Reads the parameter `name`. `None` after a fault, which is kept for [`Self::finish`].
    pub fn get<T: DeserializeOwned>(&mut self, name: &'static str) -> Option<T> {
        let value = if self.options.whole {
            serde_json::from_str(self.text).ok()?
        } else {
            self.fields.remove(name).unwrap_or(Value::Null)
        };
        match serde_json::from_value(value) {
            Ok(value) => Some(value),
            Err(error) => {
                self.errors.push(ArgError {
                    r#type: "invalid",
                    loc: vec![LocItem::Key(name.to_owned())],
                    msg: error.to_string(),
                    input: None,
                });
                None
            }
        }
    }

    /// Reads the parameter `name`; an absent one is what `default` gives.
    pub fn get_or<T: DeserializeOwned>(&mut self, name: &'static str, default: impl FnOnce() -> T) -> Option<T> {
        if self.fields.contains_key(name) { self.get(name) } else { Some(default()) }
    }

    pub(crate) fn finish(self) -> Result<(), ArgsError> {
        if self.errors.is_empty() { Ok(()) } else { Err(ArgsError::new(self.errors)) }
    }
}

/// Reads arguments as an object, whatever is in it; of duplicate keys the last counts.
pub(crate) fn read_object(text: &str) -> Result<Map<String, Value>, ArgsError> {
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(other) => Err(ArgsError::whole("not_an_object", "the arguments must be a JSON object", Some(other.into()))),
        Err(error) => {
            Err(ArgsError::whole("json_invalid", format!("the arguments are no JSON: {error}"), Some(Json::from(text))))
        }
    }
}

/// A `T` made of nothing, as an `Option` can be.
pub(crate) fn from_nothing<T: DeserializeOwned>() -> Option<T> {
    serde_json::from_value(Value::Null).ok()
}
