//! Drops all but the last of duplicate keys, at any depth: types derived with serde refuse a field that comes twice.

use std::collections::HashMap;

use serde_json::value::RawValue;

use super::reader::Entries;

/// Nesting that serde_json does not read either.
const TOO_DEEP: usize = 128;

/// The text without what duplicates stand after. `None` where there are no duplicates, or the nesting is too deep to tell.
pub(super) fn without_duplicates(json: &str) -> Option<String> {
    let mut kept = Kept { text: String::with_capacity(json.len()), dropped: false };
    kept.value(json.trim_start(), 0)?;
    kept.dropped.then_some(kept.text)
}

struct Kept {
    text: String,
    dropped: bool,
}

impl Kept {
    fn value(&mut self, json: &str, depth: usize) -> Option<()> {
        if depth > TOO_DEEP {
            return None;
        }
        match json.as_bytes().first() {
            Some(b'{') => self.object(json, depth),
            Some(b'[') => self.array(json, depth),
            _ => {
                self.text.push_str(json);
                Some(())
            }
        }
    }

    fn object(&mut self, json: &str, depth: usize) -> Option<()> {
        let Entries(entries) = serde_json::from_str(json).ok()?;
        let last: HashMap<&str, usize> =
            entries.iter().enumerate().map(|(index, (key, _))| (key.as_ref(), index)).collect();
        self.dropped |= last.len() < entries.len();
        let mut separator = '{';
        for (index, (key, value)) in entries.iter().enumerate() {
            if last.get(key.as_ref()) == Some(&index) {
                self.text.push(separator);
                self.text.push_str(&serde_json::to_string(key).ok()?);
                self.text.push(':');
                self.value(value.get(), depth + 1)?;
                separator = ',';
            }
        }
        self.text.push_str(if entries.is_empty() { "{}" } else { "}" });
        Some(())
    }

    fn array(&mut self, json: &str, depth: usize) -> Option<()> {
        let elements: Vec<&RawValue> = serde_json::from_str(json).ok()?;
        self.text.push('[');
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.value(element.get(), depth + 1)?;
        }
        self.text.push(']');
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_stays_as_it_is_written() {
        let text = r#"{"a": 1, "b": [{"c": 1, "\u0063": 1.00, "d": {}}, []], "a": "\u0041"}"#;
        assert_eq!(without_duplicates(text).as_deref(), Some(r#"{"b":[{"c":1.00,"d":{}},[]],"a":"\u0041"}"#));
    }

    #[test]
    fn a_text_without_duplicates_needs_no_copy() {
        assert_eq!(without_duplicates(r#"[{"a": 1}, {"a": 1}]"#), None);
        assert_eq!(without_duplicates(&format!("{}{}", "[".repeat(5_000), "]".repeat(5_000))), None);
    }
}
