//! Numbers and bools, taken from what else says the same and nothing but the same.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};

/// Where a type asks for a scalar: what the visitor does not read leniently, the type's own visitor judges.
macro_rules! scalar_visitor {
    ($(#[$meta:meta])* $name:ident { $($method:ident($self:ident, $value:ident: $type:ty) $body:block)* } else { $($rest:ident: $rest_type:ty;)* }) => {
        $(#[$meta])*
        pub(super) struct $name<V>(pub(super) V);

        impl<'de, V: Visitor<'de>> Visitor<'de> for $name<V> {
            type Value = V::Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.expecting(f)
            }

            $(fn $method<E: Error>($self, $value: $type) -> Result<V::Value, E> $body)*

            $(fn $rest<E: Error>(self, value: $rest_type) -> Result<V::Value, E> {
                self.0.$rest(value)
            })*
        }
    };
}

scalar_visitor! {
    /// Takes integral floats, and texts of integers.
    Integer {
        visit_f64(self, value: f64) {
            match integer(value) {
                Some(integer) => self.0.visit_i64(integer),
                None => self.0.visit_f64(value),
            }
        }
        visit_str(self, text: &str) {
            let digits = integer_text(text);
            if let Some(integer) = digits.and_then(|digits| digits.parse().ok()) {
                self.0.visit_i64(integer)
            } else if let Some(integer) = digits.and_then(|digits| digits.parse().ok()) {
                self.0.visit_u64(integer)
            } else {
                self.0.visit_str(text)
            }
        }
    } else {
        visit_bool: bool;
        visit_i64: i64;
        visit_u64: u64;
    }
}

scalar_visitor! {
    /// Takes integers, and texts of finite numbers.
    Float {
        visit_str(self, text: &str) {
            match float_text(text) {
                Some(float) => self.0.visit_f64(float),
                None => self.0.visit_str(text),
            }
        }
    } else {
        visit_bool: bool;
        visit_i64: i64;
        visit_u64: u64;
        visit_f64: f64;
    }
}

scalar_visitor! {
    /// Like [`Float`], but what single precision cannot hold does not become infinite.
    Single {
        visit_f64(self, value: f64) {
            if value.abs() > f64::from(f32::MAX) {
                return Err(E::invalid_value(Unexpected::Float(value), &"a number that single precision can hold"));
            }
            self.0.visit_f64(value)
        }
        visit_str(self, text: &str) {
            match float_text(text) {
                Some(float) => self.visit_f64(float),
                None => self.0.visit_str(text),
            }
        }
    } else {
        visit_bool: bool;
        visit_i64: i64;
        visit_u64: u64;
    }
}

scalar_visitor! {
    /// Takes 0 and 1, and the texts of these and of the words.
    Bool {
        visit_u64(self, value: u64) {
            match value {
                0 => self.0.visit_bool(false),
                1 => self.0.visit_bool(true),
                _ => self.0.visit_u64(value),
            }
        }
        visit_f64(self, value: f64) {
            match integer(value) {
                Some(0) => self.0.visit_bool(false),
                Some(1) => self.0.visit_bool(true),
                _ => self.0.visit_f64(value),
            }
        }
        visit_str(self, text: &str) {
            let word = text.trim();
            if text == "1" || word.eq_ignore_ascii_case("true") {
                self.0.visit_bool(true)
            } else if text == "0" || word.eq_ignore_ascii_case("false") {
                self.0.visit_bool(false)
            } else {
                self.0.visit_str(text)
            }
        }
    } else {
        visit_bool: bool;
        visit_i64: i64;
    }
}

/// The integer that a float is. From 2^53 on a float may stand for several, and none is guessed.
pub(super) fn integer(value: f64) -> Option<i64> {
    const LIMIT: f64 = (1_u64 << 53) as f64;
    #[allow(clippy::cast_possible_truncation, clippy::allow_attributes, reason = "integral, and within 53 bits")]
    (value.fract() == 0.0 && value.abs() < LIMIT).then_some(value as i64)
}

/// The digits, with their sign, of a text that is an integer, such as ` -1.0 `.
fn integer_text(text: &str) -> Option<&str> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    (!fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0')).then_some(whole)
}

/// The finite number that a text is; names such as `inf` are none.
fn float_text(text: &str) -> Option<f64> {
    let text = text.trim();
    let numeric = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|float: &f64| numeric && float.is_finite())
}
