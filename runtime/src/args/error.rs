//! What was wrong with a call's arguments, in the form in which the model is told.

use std::fmt;

use serde::Serialize;

use crate::json::Json;

/// Everything that was wrong with the arguments of one call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ArgsError(Vec<ArgError>);

/// One thing that was wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ArgError {
    /// What sort of fault it is: `missing`, `unknown`, `invalid`, `not_an_object` or `json_invalid`; `more` stands
    /// for those that are too many to be told.
    pub r#type: &'static str,
    /// Where: parameter, then key or index, outermost first; empty for the arguments as a whole.
    pub loc: Vec<LocItem>,
    /// What is wrong, in words for the model.
    pub msg: String,
    /// The value that does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Json>,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum LocItem {
    /// Into an object.
    Key(String),
    /// Into a list.
    Index(usize),
}

/// The most faults that are told: a model that made more has not understood the tool, and needs no list of them all.
const MOST: usize = 50;

impl ArgError {
    /// The fault, seen from outside the parameter.
    pub(super) fn within(mut self, parameter: &str) -> Self {
        self.loc.insert(0, LocItem::Key(parameter.to_owned()));
        self
    }
}

impl ArgsError {
    pub(crate) fn new(mut errors: Vec<ArgError>) -> Self {
        let more = errors.len().saturating_sub(MOST);
        if more > 0 {
            errors.truncate(MOST);
            errors.push(ArgError { r#type: "more", loc: Vec::new(), msg: format!("{more} more faults"), input: None });
        }
        Self(errors)
    }

    /// One fault with the arguments as a whole.
    pub(crate) fn whole(r#type: &'static str, msg: impl Into<String>, input: Option<Json>) -> Self {
        Self(vec![ArgError { r#type, loc: Vec::new(), msg: msg.into(), input }])
    }

    /// The faults, in the order of the parameters.
    #[must_use]
    pub fn errors(&self) -> &[ArgError] {
        &self.0
    }

    /// The faults as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        // Strings, numbers and JSON that was JSON before.
        Json::of(self).unwrap_or_else(|_| Json::null())
    }
}

impl fmt::Display for ArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            for (depth, item) in error.loc.iter().enumerate() {
                match item {
                    LocItem::Key(key) if depth == 0 => write!(f, "{key}")?,
                    LocItem::Key(key) => write!(f, ".{key}")?,
                    LocItem::Index(index) => write!(f, "[{index}]")?,
                }
            }
            if !error.loc.is_empty() {
                f.write_str(": ")?;
            }
            f.write_str(&error.msg)?;
        }
        Ok(())
    }
}

impl std::error::Error for ArgsError {}
