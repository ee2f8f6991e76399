//! Reads one value; when that fails, reads it again to find out where and why.

use serde::de::{DeserializeOwned, Deserializer};
use serde_json::value::RawValue;
use serde_path_to_error::{Path, Segment, Track};

use super::duplicates::without_duplicates;
use super::error::{ArgError, LocItem};
use super::lenient::{Lenient, Shown};
use super::wording;
use crate::json::Json;

/// The type of a fault: nothing stands where something must.
pub(super) const MISSING: &str = "missing";

/// How a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// As serde_json reads.
    Exact,
    /// Leniently, where nothing is guessed.
    Lenient,
}

/// Reads `text`, which is JSON, as a `T`. Of duplicate keys the last counts.
pub(super) fn read<T: DeserializeOwned>(text: &str, reading: Reading) -> Result<T, ArgError> {
    attempt(text, reading).or_else(|error| match without_duplicates(text) {
        Some(text) => attempt(&text, reading).map_err(|error| diagnose::<T>(&text, reading, &error)),
        None => Err(diagnose::<T>(text, reading, &error)),
    })
}

fn attempt<T: DeserializeOwned>(text: &str, reading: Reading) -> serde_json::Result<T> {
    match reading {
        Reading::Exact => serde_json::from_str(text),
        Reading::Lenient => read_leniently(text, Shown::Exactly).or_else(|_| read_leniently(text, Shown::AsInteger)),
    }
}

fn read_leniently<T: DeserializeOwned>(text: &str, shown: Shown) -> serde_json::Result<T> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Lenient::new(&mut json, shown))?;
    json.end()?;
    Ok(value)
}

/// Finds the innermost value that does not fit. Costs a second reading, so only a failure pays for it.
fn diagnose<T: DeserializeOwned>(text: &str, reading: Reading, error: &serde_json::Error) -> ArgError {
    let mut json = serde_json::Deserializer::from_str(text);
    let (path, inner) = match reading {
        Reading::Exact => track::<T, _>(&mut json),
        Reading::Lenient => track::<T, _>(Lenient::new(&mut json, Shown::AsInteger)),
    };
    let error = inner.as_ref().unwrap_or(error).to_string();
    let (mut loc, input) = locate(text, &path);
    if let Some(field) = wording::missing_field(&error) {
        return missing(loc, field, input);
    }
    let r#type = match wording::unknown_field(&error) {
        Some(field) => {
            if loc.last() != Some(&LocItem::Key(field.to_owned())) {
                loc.push(LocItem::Key(field.to_owned()));
            }
            "unknown"
        }
        None => "invalid",
    };
    ArgError { r#type, loc, msg: wording::for_the_model(&error), input }
}

fn track<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> (Path, Option<D::Error>) {
    let mut track = Track::new();
    let error = T::deserialize(serde_path_to_error::Deserializer::new(deserializer, &mut track)).err();
    (track.path(), error)
}

/// The way into the value, as far as it can be followed, and what stands there.
fn locate(text: &str, path: &Path) -> (Vec<LocItem>, Option<Json>) {
    let mut loc = Vec::new();
    let mut here = text;
    for segment in path {
        let (item, inner) = match segment {
            Segment::Seq { index } => (LocItem::Index(*index), element(here, *index)),
            Segment::Map { key } => (LocItem::Key(key.clone()), field(here, key)),
            Segment::Enum { variant } => (LocItem::Key(variant.clone()), field(here, variant)),
            Segment::Unknown => break,
        };
        let Some(inner) = inner else { break };
        loc.push(item);
        here = inner;
    }
    (loc, shown(here))
}

fn element(text: &str, index: usize) -> Option<&str> {
    let elements: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    elements.get(index).map(|element| element.get())
}

fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let entries: super::reader::Entries<'a> = serde_json::from_str(text).ok()?;
    entries.last(key).map(RawValue::get)
}

/// Nothing stands where something must.
pub(super) fn missing(mut loc: Vec<LocItem>, name: &str, input: Option<Json>) -> ArgError {
    loc.push(LocItem::Key(name.to_owned()));
    ArgError { r#type: MISSING, loc, msg: "a value is required".to_owned(), input }
}

/// A key that no parameter has.
pub(super) fn unknown(key: &str, known: &[&str], input: Option<Json>) -> ArgError {
    ArgError {
        r#type: "unknown",
        loc: vec![LocItem::Key(key.to_owned())],
        msg: wording::unknown_parameter(key, known),
        input,
    }
}

/// A value as it is shown with its fault, unless it is nested so deeply that whoever reads the fault may refuse it.
pub(super) fn shown(text: &str) -> Option<Json> {
    const DEEPEST: usize = 64;
    if depth(text) > DEEPEST { None } else { Json::from_text(text).ok() }
}

fn depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
