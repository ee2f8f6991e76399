//! Says what serde found wrong in words that a model can act on: JSON's words, none of Rust's.

use std::borrow::Cow;

use crate::wording::{nearest, shortened};

/// The most characters of a value, a name or a message that are repeated.
const SHOWN: usize = 200;

/// The field of `missing field`.
pub(super) fn missing_field(error: &str) -> Option<&str> {
    quoted(error.strip_prefix("missing field ")?)
}

/// The field of `unknown field`.
pub(super) fn unknown_field(error: &str) -> Option<&str> {
    quoted(error.strip_prefix("unknown field ")?)
}

fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('`')?.split_once('`').map(|(name, _)| name)
}

/// An error of serde's or of a type's own, without positions and names of Rust's types.
pub(super) fn for_the_model(error: &str) -> String {
    let error = without_position(error);
    for prefix in ["invalid type: ", "invalid value: "] {
        if let Some((found, wanted)) = error.strip_prefix(prefix).and_then(|rest| rest.rsplit_once(", expected ")) {
            return format!("expected {}, got {}", expected(wanted), got(found));
        }
    }
    if let Some((length, wanted)) =
        error.strip_prefix("invalid length ").and_then(|rest| rest.rsplit_once(", expected "))
    {
        return format!("expected {}, got {length} of them", expected(wanted));
    }
    match error {
        // Where a name, alone or as the only key, is wanted.
        "expected value" => "it has none of the allowed forms".to_owned(),
        "trailing characters" => "there are too many values".to_owned(),
        "recursion limit exceeded" => "it is nested too deeply".to_owned(),
        _ if error.starts_with("data did not match any variant of untagged enum") => {
            "it has none of the allowed forms".to_owned()
        }
        _ => match error.strip_prefix("unknown variant ") {
            Some(names) => format!("unknown value {}", shortened(names, SHOWN)),
            None => shortened(error.strip_prefix("invalid value: ").unwrap_or(error), SHOWN).into_owned(),
        },
    }
}

fn without_position(error: &str) -> &str {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match error.rsplit_once(" at line ") {
        Some((message, place)) if place.split(" column ").all(is_number) => message,
        _ => error,
    }
}

fn expected(wanted: &str) -> Cow<'_, str> {
    if let Some(number) = wanted.strip_prefix("a nonzero ") {
        return format!("{}, but not 0", expected(number)).into();
    }
    let range = |low: i128, high: u128| Cow::Owned(format!("a whole number from {low} to {high}"));
    match wanted {
        "i8" => range(i8::MIN.into(), 127),
        "i16" => range(i16::MIN.into(), 32_767),
        "i32" => range(i32::MIN.into(), 2_147_483_647),
        "u8" => range(0, u8::MAX.into()),
        "u16" => range(0, u16::MAX.into()),
        "u32" => range(0, u32::MAX.into()),
        "i64" | "i128" | "isize" => Cow::Borrowed("a whole number"),
        "u64" | "u128" | "usize" => Cow::Borrowed("a whole number that is not negative"),
        "f32" | "f64" => Cow::Borrowed("a number"),
        "a boolean" => Cow::Borrowed("true or false"),
        "a sequence" => Cow::Borrowed("a list"),
        "a map" => Cow::Borrowed("an object"),
        "unit" => Cow::Borrowed("null"),
        "option" => Cow::Borrowed("a value or null"),
        "variant identifier" | "string or map" => Cow::Borrowed("one of the allowed names"),
        "field identifier" => Cow::Borrowed("a name"),
        other if other.starts_with("struct ") || other.contains("tagged enum ") => Cow::Borrowed("an object"),
        other if other.starts_with("enum ") => Cow::Borrowed("one of the allowed values"),
        other => match size(other) {
            Some(size) => Cow::Owned(format!("a list of {size} values")),
            None if other.starts_with("tuple ") => Cow::Borrowed("a list"),
            None => shortened(other, SHOWN),
        },
    }
}

/// The length of `a tuple of size 2`, `tuple struct P with 2 elements`, `an array of length 2`.
fn size(wanted: &str) -> Option<&str> {
    let rest = ["a tuple of size ", "an array of length "].iter().find_map(|prefix| wanted.strip_prefix(prefix));
    rest.or_else(|| {
        let counted = wanted.strip_suffix(" elements").or_else(|| wanted.strip_suffix(" element"))?;
        counted.starts_with("tuple ").then(|| counted.rsplit_once(" with ").map(|(_, size)| size))?
    })
}

fn got(found: &str) -> Cow<'_, str> {
    match found {
        "map" => Cow::Borrowed("an object"),
        "sequence" => Cow::Borrowed("a list"),
        "unit variant" => Cow::Borrowed("only a name"),
        "newtype variant" | "tuple variant" | "struct variant" => Cow::Borrowed("a name with a value"),
        _ => {
            let value = ["integer ", "floating point ", "boolean "].iter().find_map(|kind| found.strip_prefix(kind));
            shortened(value.map_or(found, |value| value.trim_matches('`')), SHOWN)
        }
    }
}

/// There is no parameter `key`; there are others.
pub(super) fn unknown_parameter(key: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "there is no such parameter: the tool takes none".to_owned();
    }
    let guess = nearest(key, known).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
    let known = known.join("`, `");
    format!("there is no such parameter{guess} (the parameters are `{known}`)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_rust_types_stay_out() {
        for (error, said) in [
            (
                "invalid type: string \"abc\", expected i64 at line 1 column 5",
                "expected a whole number, got string \"abc\"",
            ),
            ("invalid value: integer `300`, expected u8", "expected a whole number from 0 to 255, got 300"),
            ("invalid type: map, expected a sequence at line 1 column 0", "expected a list, got an object"),
            ("invalid type: boolean `true`, expected struct Place", "expected an object, got true"),
            (
                "invalid length 1, expected a tuple of size 2 at line 1 column 3",
                "expected a list of 2 values, got 1 of them",
            ),
            ("invalid length 1, expected tuple struct P with 2 elements", "expected a list of 2 values, got 1 of them"),
            ("data did not match any variant of untagged enum Either", "it has none of the allowed forms"),
            ("unknown variant `Red`, expected `red` or `green`", "unknown value `Red`, expected `red` or `green`"),
            ("expected value at line 1 column 1", "it has none of the allowed forms"),
            (
                "invalid value: integer `0`, expected a nonzero u8",
                "expected a whole number from 0 to 255, but not 0, got 0",
            ),
            ("invalid type: unit variant, expected struct variant", "expected an object, got only a name"),
            ("invalid type: integer `3`, expected internally tagged enum Shape", "expected an object, got 3"),
            ("invalid type: map, expected tuple struct Pair", "expected a list, got an object"),
            ("invalid value: expected key to be a number in quotes", "expected key to be a number in quotes"),
            ("invalid type: string \"x at line y\", expected f64", "expected a number, got string \"x at line y\""),
            ("premature end of input", "premature end of input"),
        ] {
            assert_eq!(for_the_model(error), said);
        }
    }

    #[test]
    fn long_values_are_not_repeated() {
        let said = for_the_model(&format!("invalid type: string \"{}\", expected i64", "é".repeat(10_000)));
        assert!(said.len() < 3 * SHOWN, "{said}");
    }

    #[test]
    fn a_slip_of_the_pen_is_recognised() {
        assert_eq!(nearest("citty", &["days", "city"]), Some("city"));
        assert_eq!(nearest("City", &["days", "city"]), Some("city"));
        assert_eq!(nearest("elevation", &["days", "city"]), None);
        assert_eq!(nearest(&"x".repeat(100_000), &["x"]), None);
    }
}
