//! Comparing JSON values as the cases mean them.

use std::fmt;

use serde_json::{Map, Value};

/// The first place where two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    path: String,
    expected: String,
    actual: String,
}

impl Difference {
    pub(crate) fn new(expected: impl fmt::Display, actual: impl fmt::Display) -> Self {
        Self { path: String::new(), expected: shortened(&expected.to_string()), actual: shortened(&actual.to_string()) }
    }

    /// The same difference, seen from one level above.
    pub(crate) fn at(mut self, step: impl fmt::Display) -> Self {
        let step = step.to_string();
        let joint = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{step}{joint}{}", self.path);
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.path, self.expected, self.actual)
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 600;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Compares two values as they are.
pub(crate) fn same(expected: &Value, actual: &Value) -> Result<(), Difference> {
    match (expected, actual) {
        (Value::Object(any), _) if any.len() == 1 && any.contains_key("$any") => anything(&any["$any"], actual),
        (Value::Object(expected), Value::Object(actual)) => same_objects(expected, actual),
        (Value::Array(expected), Value::Array(actual)) => same_lists(expected, actual),
        (Value::String(a), Value::String(b)) if a != b => match (nested(a), nested(b)) {
            (Some(a), Some(b)) => same(&a, &b),
            _ => Err(Difference::new(expected, actual)),
        },
        (Value::Number(a), Value::Number(b)) if same_numbers(a, b) => Ok(()),
        _ if expected == actual => Ok(()),
        _ => Err(Difference::new(expected, actual)),
    }
}

/// Compares two values, leaving out keys whose value is null.
pub(crate) fn same_but_nulls(expected: &Value, actual: &Value) -> Result<(), Difference> {
    same(&without_keys(expected, &Value::is_null), &without_keys(actual, &Value::is_null))
}

/// Compares two values, leaving out keys whose value is null, an empty list or an empty object.
pub(crate) fn same_but_empties(expected: &Value, actual: &Value) -> Result<(), Difference> {
    same(&without_empties(expected), &without_empties(actual))
}

/// Leaves out keys whose value is null, an empty list or an empty object, those that become so among them.
pub(super) fn without_empties(value: &Value) -> Value {
    without_keys(value, &|value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    })
}

/// Innermost first, so that what becomes empty goes too.
fn without_keys(value: &Value, left_out: &impl Fn(&Value) -> bool) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), without_keys(value, left_out)))
            .filter(|(_, value)| !left_out(value))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| without_keys(item, left_out)).collect(),
        other => other.clone(),
    }
}

fn anything(what: &Value, actual: &Value) -> Result<(), Difference> {
    match (what.as_str(), actual) {
        (Some("json"), _) => Ok(()),
        (Some("text"), Value::String(text)) if !text.is_empty() => Ok(()),
        _ => Err(Difference::new(format_args!("any {what}"), actual)),
    }
}

fn same_objects(expected: &Map<String, Value>, actual: &Map<String, Value>) -> Result<(), Difference> {
    for (key, value) in expected {
        match actual.get(key) {
            Some(other) => same(value, other).map_err(|difference| difference.at(key))?,
            None => return Err(Difference::new(value, "nothing").at(key)),
        }
    }
    match actual.iter().find(|(key, _)| !expected.contains_key(*key)) {
        Some((key, value)) => Err(Difference::new("nothing", value).at(key)),
        None => Ok(()),
    }
}

fn same_lists(expected: &[Value], actual: &[Value]) -> Result<(), Difference> {
    for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
        same(expected, actual).map_err(|difference| difference.at(format_args!("[{index}]")))?;
    }
    let shared = expected.len().min(actual.len());
    let item = |list: &[Value]| list.get(shared).map_or("no more".to_owned(), Value::to_string);
    if expected.len() == actual.len() {
        return Ok(());
    }
    Err(Difference::new(item(expected), item(actual)).at(format_args!("[{shared}]")))
}

fn same_numbers(a: &serde_json::Number, b: &serde_json::Number) -> bool {
    a == b || ((a.is_f64() || b.is_f64()) && a.as_f64() == b.as_f64())
}

/// The object or array that a text is the JSON of.
fn nested(text: &str) -> Option<Value> {
    text.trim_start().starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn any_text_is_any_string_but_the_empty_one() {
        let any = json!({"$any": "text"});
        assert!(same(&any, &json!("x")).is_ok());
        assert!(same(&any, &json!("")).is_err());
        assert!(same(&any, &json!(1)).is_err());
    }

    #[test]
    fn any_json_is_any_value_but_must_be_there() {
        let any = json!({"a": {"$any": "json"}});
        assert!(same(&any, &json!({"a": [1]})).is_ok());
        assert!(same(&any, &json!({})).is_err());
    }

    #[test]
    fn what_becomes_empty_is_left_out_too() {
        let nested = json!({"a": {"b": {"c": null, "d": []}}, "e": [{"f": null}]});
        assert_eq!(without_empties(&nested), json!({"e": [{}]}));
        assert!(same_but_empties(&json!({"e": [{}]}), &nested).is_ok());
    }

    #[test]
    fn where_only_nulls_are_left_out_empty_lists_and_objects_count() {
        assert!(same_but_nulls(&json!({"a": null}), &json!({})).is_ok());
        assert!(same_but_nulls(&json!({"a": []}), &json!({})).is_err());
        assert!(same_but_nulls(&json!({}), &json!({"a": {}})).is_err());
    }

    #[test]
    fn texts_of_json_compare_as_json_and_others_as_text() {
        assert!(same(&json!(r#"{"a": 1, "b": 2}"#), &json!(r#"{"b":2,"a":1.0}"#)).is_ok());
        assert!(same(&json!("[1]"), &json!("[ 1 ]")).is_ok());
        assert!(same(&json!("1"), &json!("1.0")).is_err());
        assert!(same(&json!(r#"{"a":"#), &json!(r#"{ "a":"#)).is_err());
        assert!(same(&json!({"a": 1}), &json!(r#"{"a":1}"#)).is_err());
    }

    #[test]
    fn numbers_compare_by_value() {
        assert!(same(&json!(2), &json!(2.0)).is_ok());
        assert!(same(&json!(2), &json!(2.5)).is_err());
        assert!(same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)).is_err());
    }

    #[test]
    fn a_difference_names_its_place() {
        let difference = same(&json!({"a": [{"b": 1}]}), &json!({"a": [{"b": 2}]})).expect_err("they differ");
        assert_eq!(difference.to_string(), "a[0].b: expected 1, got 2");
        let difference = same(&json!([1, 2]), &json!([1])).expect_err("they differ");
        assert_eq!(difference.to_string(), "[1]: expected 2, got no more");
    }
}
