//! The body of a request, written once from ready pieces.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::json::append;

/// A JSON object that grows. Keys that the caller adds to the body stand over the library's: they are left to them.
pub(crate) struct Body<'a> {
    out: Vec<u8>,
    extra: Option<&'a Map<String, Value>>,
    /// The objects that hold the caller's keys of the same objects already.
    joined: Vec<&'static str>,
}

impl<'a> Body<'a> {
    /// An empty object that will be about `size` bytes long, and in which `extra` keys are the caller's.
    pub(crate) fn new(size: usize, extra: Option<&'a Map<String, Value>>) -> Self {
        Self { out: Vec::with_capacity(size), extra, joined: Vec::new() }
    }

    /// Adds a field, where there is a value for it.
    pub(crate) fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: Option<&T>) {
        if let Some(value) = value {
            self.written(name, |out| append(out, value));
        }
    }

    /// Adds a field whose value is written by hand.
    pub(crate) fn written(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.extra.is_some_and(|extra| extra.contains_key(name)) {
            self.key(name);
            write(&mut self.out);
        }
    }

    /// Adds an object, unless it stays empty. Keys that the caller adds to it stand over the library's in turn.
    pub(crate) fn object(&mut self, name: &'static str, write: impl FnOnce(&mut Body<'a>)) {
        let extra = match self.extra.and_then(|extra| extra.get(name)) {
            None => None,
            Some(Value::Object(extra)) => Some(extra),
            Some(_) => return,
        };
        let mut object = Body::new(0, extra);
        write(&mut object);
        object.extra();
        if !object.out.is_empty() {
            self.key(name);
            self.out.append(&mut object.finish());
            self.joined.push(name);
        }
    }

    /// Adds the caller's keys.
    pub(crate) fn extra(&mut self) {
        for (key, value) in self.extra.into_iter().flatten() {
            if !self.joined.contains(&key.as_str()) {
                self.key(key);
                append(&mut self.out, value);
            }
        }
    }

    /// The whole object.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.out.is_empty() {
            self.out.push(b'{');
        }
        self.out.push(b'}');
        self.out
    }

    fn key(&mut self, name: &str) {
        self.out.push(if self.out.is_empty() { b'{' } else { b',' });
        append(&mut self.out, name);
        self.out.push(b':');
    }
}

/// Appends items that each are followed by a comma as a JSON array.
pub(crate) fn append_list(out: &mut Vec<u8>, items: &[u8]) {
    out.push(b'[');
    out.extend_from_slice(items.strip_suffix(b",").unwrap_or(items));
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_callers_keys_stand_over_ours() {
        let Value::Object(extra) = json!({"a": 1, "z": null}) else { unreachable!("an object") };
        let mut body = Body::new(0, Some(&extra));
        body.field("a", Some("ours"));
        body.field::<str>("absent", None);
        body.written("list", |out| append_list(out, b"1,2,"));
        body.extra();
        assert_eq!(String::from_utf8_lossy(&body.finish()), r#"{"list":[1,2],"a":1,"z":null}"#);
        assert_eq!(Body::new(0, None).finish(), b"{}");
    }

    #[test]
    fn the_callers_keys_stand_over_ours_in_objects_too() {
        let Value::Object(extra) = json!({"a": {"x": 1, "z": 2}, "b": 3}) else { unreachable!("an object") };
        let mut body = Body::new(0, Some(&extra));
        body.object("a", |object| {
            object.field("x", Some("ours"));
            object.field("y", Some("ours"));
        });
        body.object("b", |object| object.field("x", Some("ours")));
        body.object("empty", |_| {});
        body.extra();
        assert_eq!(String::from_utf8_lossy(&body.finish()), r#"{"a":{"y":"ours","x":1,"z":2},"b":3}"#);
    }
}
