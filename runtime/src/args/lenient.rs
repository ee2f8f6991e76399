//! Reading where nothing is guessed: 1 from `1.0` and `"1"`, a float from `1`, a bool from `"true"` (decision 17).

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::scalar::{Bool, Float, Integer, Single, integer};

/// Puts leniency around anything of serde's that reads, all the way down.
///
/// Only what asks for a number or a bool is read leniently. A type that takes anything, as serde's untagged and internally
/// tagged enums and flattened fields do, is shown what is there, and the keys of objects stay as they are.
pub(super) struct Lenient<T> {
    inner: T,
    shown: Shown,
}

/// What a type that takes anything is shown of `1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// The float.
    Exactly,
    /// The integer: alternatives such as "a number or a text" know only those.
    AsInteger,
}

impl<T> Lenient<T> {
    pub(super) fn new(inner: T, shown: Shown) -> Self {
        Self { inner, shown }
    }

    fn around<U>(&self, inner: U) -> Lenient<U> {
        Lenient { inner, shown: self.shown }
    }
}

macro_rules! forward {
    ($($method:ident($($arg:ident: $type:ty),*);)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.around(visitor);
            self.inner.$method($($arg,)* visitor)
        })*
    };
}

macro_rules! scalars {
    ($($method:ident: $visitor:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.deserialize_any($visitor(visitor))
        })*
    };
}

/// serde_json shows integers beyond 64 bits only to those who ask for 128, and then shows nothing else.
macro_rules! wide_integers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            match self.shown {
                Shown::Exactly => self.inner.$method(visitor),
                Shown::AsInteger => self.inner.deserialize_any(Integer(visitor)),
            }
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Lenient<D> {
    type Error = D::Error;

    scalars! {
        deserialize_bool: Bool;
        deserialize_i8: Integer;
        deserialize_i16: Integer;
        deserialize_i32: Integer;
        deserialize_i64: Integer;
        deserialize_u8: Integer;
        deserialize_u16: Integer;
        deserialize_u32: Integer;
        deserialize_u64: Integer;
        deserialize_f32: Single;
        deserialize_f64: Float;
    }

    wide_integers!(deserialize_i128 deserialize_u128);

    forward! {
        deserialize_any();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = Fields(self.around(visitor));
        self.inner.deserialize_struct(name, fields, visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<Self::Value, E> {
            self.inner.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Lenient<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit! {
        visit_bool: bool;
        visit_i64: i64;
        visit_i128: i128;
        visit_u64: u64;
        visit_u128: u128;
        visit_char: char;
        visit_str: &str;
        visit_borrowed_str: &'de str;
        visit_string: String;
        visit_bytes: &[u8];
        visit_borrowed_bytes: &'de [u8];
        visit_byte_buf: Vec<u8>;
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        match integer(value) {
            Some(integer) if self.shown == Shown::AsInteger => self.inner.visit_i64(integer),
            _ => self.inner.visit_f64(value),
        }
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.around(deserializer);
        self.inner.visit_some(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.around(deserializer);
        self.inner.visit_newtype_struct(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.around(access);
        self.inner.visit_seq(access)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.around(access);
        self.inner.visit_map(access)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.around(access);
        self.inner.visit_enum(access)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Lenient<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.around(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Lenient<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let seed = self.around(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Lenient<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.around(seed);
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Lenient<A> {
    type Error = A::Error;
    type Variant = Lenient<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let shown = self.shown;
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Lenient { inner: variant, shown }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Lenient<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.around(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.around(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = Fields(self.around(visitor));
        self.inner.struct_variant(fields, visitor)
    }
}

/// Named fields: serde would fill them from a list too, by their order, which is a guess.
struct Fields<V>(Lenient<V>);

impl<'de, V: Visitor<'de>> Visitor<'de> for Fields<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(access)
    }
}
