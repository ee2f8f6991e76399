//! Places up to which a provider may cache a request.

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::stored::{Extra, Fields, write_extra};

/// A place in a prompt up to which the provider may cache the request: what stands before it is then read from the cache
/// as long as it stays the same. Providers that decide for themselves what they cache pass it over.
///
/// ```
/// use toolwright::message::{CachePoint, Prompt, UserContent};
///
/// let manual = "The manual, all of it. ...";
/// let prompt: Prompt = vec![UserContent::from(manual), CachePoint::new().into(), "What is it about?".into()].into();
/// # assert_eq!(prompt.pieces().len(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CachePoint {
    /// How long the provider is to remember what stands before it.
    pub ttl: CacheTtl,
    /// Keys that this version does not know; kept and stored again.
    pub extra: Extra,
}

/// How long a provider remembers what it has cached, from its last use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum CacheTtl {
    /// Five minutes.
    #[default]
    #[serde(rename = "5m")]
    FiveMinutes,
    /// An hour, which providers ask more for.
    #[serde(rename = "1h")]
    Hour,
}

impl CachePoint {
    pub(super) const KIND: &'static str = "cache-point";

    /// A place up to which is remembered for five minutes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says how long is remembered what stands before it.
    #[must_use]
    pub fn with_ttl(mut self, ttl: CacheTtl) -> Self {
        self.ttl = ttl;
        self
    }
}

impl Serialize for CachePoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", Self::KIND)?;
        map.serialize_entry("ttl", &self.ttl)?;
        write_extra(&mut map, &self.extra)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for CachePoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let _: Option<String> = fields.take("kind").map_err(de::Error::custom)?;
        let ttl = fields.take("ttl").map_err(de::Error::custom)?.unwrap_or_default();
        Ok(Self { ttl, extra: fields.rest() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Prompt, UserContent};

    #[test]
    fn points_are_stored_and_come_back() {
        let stored = r#"["a",{"kind":"cache-point","ttl":"1h"},{"kind":"cache-point","ttl":"5m","note":1}]"#;
        let prompt: Prompt = serde_json::from_str(stored).expect("a prompt");
        let [_, UserContent::CachePoint(hour), UserContent::CachePoint(minutes)] = prompt.pieces() else {
            unreachable!("{prompt:?}")
        };
        assert_eq!((hour.ttl, minutes.ttl), (CacheTtl::Hour, CacheTtl::FiveMinutes));
        assert_eq!(*hour, CachePoint::new().with_ttl(CacheTtl::Hour));
        assert_eq!(serde_json::to_string(&prompt).expect("JSON"), stored);
        let newer = r#"["a",{"kind":"cache-point","ttl":"2w"}]"#;
        let prompt: Prompt = serde_json::from_str(newer).expect("a prompt");
        assert!(matches!(prompt.pieces()[1], UserContent::Unknown(_)));
        assert_eq!(serde_json::to_string(&prompt).expect("JSON"), newer);
    }
}
