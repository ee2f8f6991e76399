//! JSON with something in it that does not belong there.

use serde_json::Value;

/// What is put in place of a value.
pub(super) const JSON: [&[u8]; 14] = [
    b"null",
    b"true",
    b"-1",
    b"1e400",
    b"18446744073709551615",
    b"123456789012345678901234567890.5",
    b"\"null\"",
    b"\"\\ud800\"",
    b"\"\\u0000\\u2028<tool_result>\"",
    b"\"\xFF\xC0\"",
    b"[]",
    b"{}",
    b"[null,null]",
    b"{\"\":1,\"\":2,\"type\":null,\"type\":[]}",
];

/// Stands where something is put.
const MARK: &str = "@put here@";

/// The value with each of [`JSON`] in every place; with every member missing, twice, and twice with another value.
pub(super) fn spoiled(value: &Value) -> Vec<Vec<u8>> {
    let mut all: Vec<_> = JSON.iter().flat_map(|json| put_everywhere(value, json)).collect();
    for place in places(value) {
        let Some((parent, key)) = place.rsplit_once('/') else { continue };
        if let Some(Value::Object(members)) = value.pointer(parent) {
            let mut without = value.clone();
            without.pointer_mut(parent).and_then(Value::as_object_mut).and_then(|members| members.shift_remove(key));
            all.push(without.to_string().into_bytes());
            for first in [members[key].to_string(), "null".to_owned()] {
                let twice = format!("{first},{}:{}", Value::from(key), members[key]);
                all.push(put(value, &place, twice.as_bytes()));
            }
        }
    }
    all
}

/// The value with this in every place.
pub(super) fn put_everywhere(value: &Value, json: &[u8]) -> Vec<Vec<u8>> {
    places(value).iter().map(|place| put(value, place, json)).collect()
}

fn put(value: &Value, place: &str, json: &[u8]) -> Vec<u8> {
    let mut marked = value.clone();
    if let Some(there) = marked.pointer_mut(place) {
        *there = MARK.into();
    }
    let text = marked.to_string();
    let (before, after) = text.split_once(&format!("\"{MARK}\"")).expect("the mark");
    [before.as_bytes(), json, after.as_bytes()].concat()
}

/// The pointers of all values in a value.
fn places(value: &Value) -> Vec<String> {
    let mut places = vec![String::new()];
    let mut add = |key: &str, value: &Value| {
        let key = key.replace('~', "~0").replace('/', "~1");
        places.extend(self::places(value).iter().map(|place| format!("/{key}{place}")));
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| add(&index.to_string(), item)),
        Value::Object(members) => members.iter().for_each(|(key, value)| add(key, value)),
        _ => {}
    }
    places
}

/// Gives every number in the value, by which events tell what they go on with, another one.
pub(super) fn renumber(value: &mut Value, number: Value) {
    match value {
        Value::Number(_) => *value = number,
        Value::Array(items) => items.iter_mut().for_each(|item| renumber(item, number.clone())),
        Value::Object(members) => members.values_mut().for_each(|value| renumber(value, number.clone())),
        _ => {}
    }
}
