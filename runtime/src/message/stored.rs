//! How messages and parts are stored: JSON objects whose unknown keys are kept and written again.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize};

use crate::json::Json;

/// Keys of a stored object that this version does not know, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extra(Vec<(String, Json)>);

impl Extra {
    pub(super) fn of<const N: usize>(entries: [(&str, serde_json::Value); N]) -> Self {
        Self(entries.map(|(key, value)| (key.to_owned(), value.into())).into())
    }

    /// The value stored under `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// All keys and values, in their stored order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The fields of a stored object, taken one by one; what is left is [`Extra`]. Of duplicate ones the last counts.
pub(super) struct Fields(Vec<(String, Json)>);

impl Fields {
    /// The text under `key`, left in place.
    pub(super) fn tag(&self, key: &str) -> Option<String> {
        self.0.iter().rfind(|(name, _)| name == key).and_then(|(_, value)| value.as_str())
    }

    /// Whether `key` is there, with a value other than null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().rfind(|(name, _)| name == key).is_some_and(|(_, value)| !value.is_null())
    }

    /// Gives `old` the name `new`.
    pub(super) fn rename(&mut self, old: &str, new: &str) {
        for (name, _) in self.0.iter_mut().filter(|(name, _)| name == old) {
            new.clone_into(name);
        }
    }

    /// Takes `key` out; absent and null are `None`.
    pub(super) fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<T>, FieldError> {
        let Some((_, value)) = self.0.extract_if(.., |(name, _)| name == key).last() else {
            return Ok(None);
        };
        if value.is_null() {
            return Ok(None);
        }
        value.read().map(Some).map_err(|error| FieldError { key: key.to_owned(), problem: error.to_string() })
    }

    /// Takes `key` out; it must be there.
    pub(super) fn require<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, FieldError> {
        self.take(key)?.ok_or_else(|| FieldError { key: key.to_owned(), problem: "is missing".to_owned() })
    }

    /// What nobody took.
    pub(super) fn rest(self) -> Extra {
        Extra(self.0)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// A stored field that is missing or does not fit.
pub(super) struct FieldError {
    key: String,
    problem: String,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "field `{}`: {}", self.key, self.problem)
    }
}

/// A part or message that reads itself from [`Fields`] and writes itself as entries of a map.
pub(super) trait Stored: Sized {
    /// The value of its tag: `part_kind` or `kind`.
    const TAG: &'static str;
    fn from_fields(fields: Fields) -> Result<Self, FieldError>;
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// Writes `value` under `key` unless it is its type's default, which reading gives back by itself.
pub(super) fn write_unless_default<M, T>(map: &mut M, key: &'static str, value: &T) -> Result<(), M::Error>
where
    M: SerializeMap,
    T: Serialize + Default + PartialEq,
{
    if *value == T::default() { Ok(()) } else { map.serialize_entry(key, value) }
}

pub(super) fn write_extra<M: SerializeMap>(map: &mut M, extra: &Extra) -> Result<(), M::Error> {
    extra.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))
}

/// Declares a stored struct: its fields by name, `required`, `optional` (absent, null and the default are one) or `shown`
/// (the default may be absent, but is written).
///
/// Every such struct also has a public `extra` for keys this version does not know.
macro_rules! stored {
    (
        $(#[$meta:meta])*
        pub struct $name:ident, $tag:literal {
            $( $(#[$field_meta:meta])* $field:ident : $type:ty = $mode:ident ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[$field_meta])* pub $field: $type, )*
            /// Keys that this version does not know; kept and stored again.
            pub extra: $crate::message::Extra,
        }

        impl $crate::message::stored::Stored for $name {
            const TAG: &'static str = $tag;

            fn from_fields(
                mut fields: $crate::message::stored::Fields,
            ) -> Result<Self, $crate::message::stored::FieldError> {
                Ok(Self {
                    $( $field: $crate::message::stored::stored!(@read $mode fields $field), )*
                    extra: fields.rest(),
                })
            }

            fn write<M: serde::ser::SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $( $crate::message::stored::stored!(@write $mode self map $field); )*
                $crate::message::stored::write_extra(map, &self.extra)
            }
        }
    };
    (@read required $fields:ident $field:ident) => { $fields.require(stringify!($field))? };
    (@read optional $fields:ident $field:ident) => { $fields.take(stringify!($field))?.unwrap_or_default() };
    (@read shown $fields:ident $field:ident) => { $fields.take(stringify!($field))?.unwrap_or_default() };
    (@write shown $this:ident $map:ident $field:ident) => {
        $map.serialize_entry(stringify!($field), &$this.$field)?
    };
    (@write required $this:ident $map:ident $field:ident) => {
        $map.serialize_entry(stringify!($field), &$this.$field)?
    };
    (@write optional $this:ident $map:ident $field:ident) => {
        $crate::message::stored::write_unless_default($map, stringify!($field), &$this.$field)?
    };
}
pub(super) use stored;
