//! When a message came to be.

use std::fmt;
use std::time::SystemTime;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A moment in time, stored as RFC 3339.
///
/// A moment that was loaded is stored again in the very text it came in.
#[derive(Clone, Debug, PartialEq)]
pub struct Timestamp {
    instant: jiff::Timestamp,
    text: Option<Box<str>>,
}

impl Timestamp {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self { instant: jiff::Timestamp::now(), text: None }
    }

    /// The moment as the standard library's type.
    #[must_use]
    pub fn to_system_time(&self) -> SystemTime {
        self.instant.into()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => write!(f, "{:.6}", self.instant),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let instant =
            text.parse().map_err(|error| de::Error::custom(format!("`{text}` is no RFC 3339 time: {error}")))?;
        Ok(Self { instant, text: Some(text.into()) })
    }
}
