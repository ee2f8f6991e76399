//! Numbers within a schema's bounds.

use serde_json::{Number, Value};

use super::keywords::Keywords;

/// An integer: the lower bound and the seed, the upper bound less the seed, or the seed alone.
pub(super) fn integer(keywords: &Keywords, seed: u64) -> Value {
    let exclusive = bound(keywords, "exclusiveMinimum").is_some() || bound(keywords, "exclusiveMaximum").is_some();
    let minimum = whole(keywords, "minimum", f64::ceil)
        .or_else(|| whole(keywords, "exclusiveMinimum", f64::floor).map(|bound| bound.saturating_add(1)));
    let maximum = whole(keywords, "maximum", f64::floor)
        .or_else(|| whole(keywords, "exclusiveMaximum", f64::ceil).map(|bound| bound.saturating_sub(1)));
    let seed = i128::from(seed);
    let value = match (minimum, maximum) {
        (Some(minimum), Some(maximum)) if maximum <= minimum => minimum,
        (Some(minimum), Some(maximum)) => {
            // Beside an exclusive bound the last value of the range is left out.
            let span = maximum.saturating_sub(minimum).saturating_add(i128::from(!exclusive));
            minimum.saturating_add(seed % span)
        }
        (Some(minimum), None) => minimum.saturating_add(seed),
        (None, Some(maximum)) => maximum.saturating_sub(seed),
        (None, None) => seed,
    };
    Number::from_i128(value).map_or_else(|| float_value(value as f64), Value::Number)
}

/// A float: as [`integer`], but the tighter bound of each side counts, and one that excludes its own value is kept off.
pub(super) fn float(keywords: &Keywords, seed: u64) -> Value {
    let (exclusive_minimum, exclusive_maximum) =
        (bound(keywords, "exclusiveMinimum"), bound(keywords, "exclusiveMaximum"));
    let tighter = |inclusive: Option<f64>, exclusive: Option<f64>, pick: fn(f64, f64) -> f64| match inclusive {
        Some(inclusive) => Some(exclusive.map_or(inclusive, |exclusive| pick(inclusive, exclusive))),
        None => exclusive,
    };
    let minimum = tighter(bound(keywords, "minimum"), exclusive_minimum, f64::max);
    let maximum = tighter(bound(keywords, "maximum"), exclusive_maximum, f64::min);
    let seed = seed as f64;
    let off = |exclusive: Option<f64>| f64::from(u8::from(exclusive.is_some()));
    float_value(match (minimum, maximum) {
        (Some(minimum), Some(maximum)) if maximum <= minimum => minimum,
        (Some(minimum), Some(maximum)) => {
            let span = maximum - minimum;
            let value = minimum + seed % span;
            if exclusive_minimum == Some(value) { minimum + span / 2.0 } else { value }
        }
        (Some(minimum), None) => minimum + seed + off(exclusive_minimum),
        (None, Some(maximum)) => maximum - seed - off(exclusive_maximum),
        (None, None) => seed,
    })
}

fn float_value(value: f64) -> Value {
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn bound(keywords: &Keywords, key: &str) -> Option<f64> {
    keywords.get(key)?.as_f64()
}

/// A bound of integers; one between two integers is moved into the range.
fn whole(keywords: &Keywords, key: &str, into_range: fn(f64) -> f64) -> Option<i128> {
    let bound = keywords.get(key)?.as_number()?;
    #[allow(clippy::cast_possible_truncation, clippy::allow_attributes, reason = "the cast saturates")]
    bound.as_i128().or_else(|| bound.as_f64().map(|bound| into_range(bound) as i128))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keywords(schema: Value) -> Keywords {
        let Value::Object(keywords) = schema else { unreachable!("tests give objects") };
        keywords
    }

    #[test]
    fn integers_keep_to_their_bounds() {
        for (schema, seed, value) in [
            (json!({}), 5, json!(5)),
            (json!({"minimum": 3}), 5, json!(8)),
            (json!({"maximum": 9}), 2, json!(7)),
            (json!({"minimum": 3, "maximum": 9}), 7, json!(3)),
            (json!({"minimum": 3, "maximum": 9}), 6, json!(9)),
            (json!({"minimum": 4, "maximum": 4}), 6, json!(4)),
            (json!({"minimum": 9, "maximum": 3}), 6, json!(9)),
            (json!({"exclusiveMinimum": 3}), 0, json!(4)),
            (json!({"exclusiveMaximum": 3}), 0, json!(2)),
            (json!({"exclusiveMinimum": 3, "exclusiveMaximum": 5}), 9, json!(4)),
            (json!({"exclusiveMinimum": 0, "maximum": 4}), 3, json!(1)),
            (json!({"minimum": 1, "exclusiveMinimum": 0, "maximum": 4}), 3, json!(1)),
            (json!({"minimum": 2.5}), 0, json!(3)),
            (json!({"minimum": u64::MAX}), 0, json!(u64::MAX)),
            (json!({"minimum": i64::MIN, "maximum": i64::MAX}), 1, json!(i64::MIN + 1)),
        ] {
            assert_eq!(integer(&keywords(schema.clone()), seed), value, "{schema} {seed}");
        }
        assert!(integer(&keywords(json!({"minimum": 1e300, "maximum": 1e301})), 7).is_number());
    }

    #[test]
    fn floats_keep_to_their_bounds() {
        for (schema, seed, value) in [
            (json!({}), 5, 5.0),
            (json!({"minimum": 1}), 2, 3.0),
            (json!({"exclusiveMinimum": 1}), 2, 4.0),
            (json!({"maximum": 1}), 2, -1.0),
            (json!({"exclusiveMaximum": 1}), 2, -2.0),
            (json!({"minimum": 1, "maximum": 4}), 4, 2.0),
            (json!({"exclusiveMinimum": 1, "maximum": 4}), 3, 2.5),
            (json!({"minimum": 0, "exclusiveMinimum": 2, "maximum": 9, "exclusiveMaximum": 4}), 1, 3.0),
            (json!({"minimum": 4, "maximum": 1}), 3, 4.0),
        ] {
            assert_eq!(float(&keywords(schema.clone()), seed), json!(value), "{schema} {seed}");
        }
    }
}
