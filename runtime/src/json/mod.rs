//! JSON that stays text: kept exactly as it came, read only when someone asks.

mod partial;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

pub use partial::partial;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// A JSON value, kept as its compact text.
///
/// Numbers keep their digits and objects their order and duplicate keys. Cloning shares the text.
#[derive(Clone)]
pub struct Json(Arc<RawValue>);

impl Json {
    /// Serializes `value`.
    ///
    /// # Errors
    ///
    /// What the value's own `Serialize` says, or a map whose keys are no strings.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(|raw| Self(raw.into()))
    }

    /// Takes a JSON text; white space outside strings is dropped.
    ///
    /// # Errors
    ///
    /// When `text` is no single JSON value.
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        RawValue::from_string(compact(text).into_owned()).map(|raw| Self(raw.into()))
    }

    /// The value `null`.
    #[must_use]
    pub fn null() -> Self {
        Self(RawValue::NULL.to_owned().into())
    }

    /// The compact JSON text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// Reads the value as a `T`.
    ///
    /// # Errors
    ///
    /// When the value does not fit `T`.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.text())
    }

    /// The value as a tree; null where it is nested too deeply for one, or has a number that is too large.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.tree().unwrap_or_default()
    }

    fn tree(&self) -> Option<Value> {
        self.read().ok()
    }

    /// The string's characters, when the value is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<String> {
        self.text().starts_with('"').then(|| self.read().ok()).flatten()
    }

    /// SHA-256 of the value's canonical text, as hex digits: keys sorted, compact, ASCII only. What is no tree has no other text
    /// than its own.
    pub(crate) fn digest(&self) -> String {
        let mut canonical = String::new();
        match self.tree() {
            Some(tree) => write_canonical(&tree, &mut canonical),
            None => canonical.push_str(self.text()),
        }
        Sha256::digest(canonical.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.text() == "null"
    }

    /// Whether the value is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.text().starts_with('{')
    }

    /// Whether the value is an array.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.text().starts_with('[')
    }
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_ascii(key, out);
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        Value::String(text) => write_ascii(text, out),
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn write_ascii(text: &str, out: &mut String) {
    for character in Value::from(text).to_string().chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
}

/// Drops the white space between tokens of a JSON text; borrows when there is none.
pub(crate) fn compact(text: &str) -> Cow<'_, str> {
    let mut in_string = false;
    let mut escaped = false;
    let mut blank = |byte: u8| {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            return false;
        }
        in_string = byte == b'"';
        matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
    };
    let Some(first) = text.bytes().position(&mut blank) else {
        return Cow::Borrowed(text);
    };
    let mut kept = String::with_capacity(text.len());
    kept.push_str(&text[..first]);
    let mut from = first + 1;
    for (index, byte) in text.bytes().enumerate().skip(first + 1) {
        if blank(byte) {
            kept.push_str(&text[from..index]);
            from = index + 1;
        }
    }
    kept.push_str(&text[from..]);
    Cow::Owned(kept)
}

/// Appends the JSON text of `value` to `out`. Meant for what always has one: strings, numbers, flags and trees.
#[cfg(feature = "provider")]
pub(crate) fn append<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl PartialEq for Json {
    /// Compares as JSON values: order of keys does not count. What is too deep for a tree, or has a number that is too large for
    /// one, is only equal to its own text.
    fn eq(&self, other: &Self) -> bool {
        let same_trees = || Some(self.tree()? == other.tree()?);
        self.text() == other.text() || same_trees().unwrap_or(false)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        match compact(raw.get()) {
            Cow::Borrowed(_) => Ok(Self(raw.into())),
            Cow::Owned(text) => {
                RawValue::from_string(text).map(|raw| Self(raw.into())).map_err(serde::de::Error::custom)
            }
        }
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        // A tree of JSON values always has a text.
        Self::of(&value).unwrap_or_else(|_| Self::null())
    }
}

impl From<&str> for Json {
    /// The JSON string with these characters.
    fn from(text: &str) -> Self {
        Value::from(text).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_but_not_inside_strings() {
        assert_eq!(compact(r#" { "a b" : [ 1 , "\" x" ] } "#), r#"{"a b":[1,"\" x"]}"#);
        assert!(matches!(compact(r#"{"a b":1}"#), Cow::Borrowed(_)));
    }

    #[test]
    fn what_is_no_tree_is_equal_to_itself_alone() {
        let deep = Json::from_text(&format!("{}{}", "[".repeat(200), "]".repeat(200))).expect("JSON");
        let large = Json::from_text("1e400").expect("JSON");
        for json in [&deep, &large] {
            assert_eq!(json, &json.clone());
            assert_ne!(json, &Json::null());
            assert_ne!(json.digest(), Json::null().digest());
        }
        assert_ne!(deep, large);
        assert_ne!(deep.digest(), large.digest());
    }

    #[test]
    fn digits_and_duplicate_keys_are_kept() {
        let text = r#"{"n":123456789012345678901234567890.10,"n":1}"#;
        assert_eq!(Json::from_text(text).expect("JSON").text(), text);
    }

    #[test]
    fn a_tree_gives_raw_text_back() {
        let json: Json = serde_json::from_value(serde_json::json!({"a": [1]})).expect("JSON");
        assert_eq!(json.text(), r#"{"a":[1]}"#);
    }
}
