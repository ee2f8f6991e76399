//! What a parameter is that was left out.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// A `T` made of nothing, as an `Option` can be.
pub(crate) fn from_nothing<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Nothing).ok()
}

/// Gives `None` to those who ask for an option, and an error to all others.
struct Nothing;

impl<'de> Deserializer<'de> for Nothing {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("there is no value"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
