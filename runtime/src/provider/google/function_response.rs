//! The answer to a call, as an object (specification: "Tool Output", "Where a returned file is sent"; behaviours 14).

use std::borrow::Cow;

use super::content::{append_bytes, unreadable};
use super::profile::GoogleProfile;
use crate::json::{Json, append};
use crate::message::{BinaryContent, File, Outcome, ToolContent, ToolContentItem};
use crate::provider::file::note;
use crate::repair::INTERRUPTED;

/// Appends the answer to a call, and a comma; gives back the files that it cannot carry.
///
/// A call that nothing answered was interrupted.
pub(super) fn append_function_response<'a>(
    out: &mut Vec<u8>,
    (name, id): (&str, &str),
    answer: Option<(&'a ToolContent, Outcome)>,
    profile: &GoogleProfile,
) -> Vec<&'a File> {
    out.extend_from_slice(br#"{"functionResponse":{"id":"#);
    append(out, id);
    out.extend_from_slice(br#","name":"#);
    append(out, name);
    out.extend_from_slice(br#","response":"#);
    let placed = match answer {
        Some((content, outcome)) => {
            let placed = Placed::of(content, profile);
            placed.append_response(out, outcome);
            placed
        }
        None => {
            append_data(out, Some(&INTERRUPTED.into()));
            Placed::default()
        }
    };
    placed.append_carried(out);
    out.extend_from_slice(b"}},");
    placed.apart
}

/// What a tool gave back, by where it goes.
#[derive(Default)]
struct Placed<'a> {
    data: Option<Cow<'a, Json>>,
    /// The files inside the answer.
    carried: Vec<&'a BinaryContent>,
    /// The files among the user's words.
    apart: Vec<&'a File>,
}

impl<'a> Placed<'a> {
    fn of(content: &'a ToolContent, profile: &GoogleProfile) -> Self {
        let mut placed = Self::default();
        match content {
            ToolContent::Json(json) => placed.data = Some(Cow::Borrowed(json)),
            ToolContent::File(file) => placed.data = placed.file(file, profile).map(Cow::Owned),
            ToolContent::List(items) => {
                let mut data = Vec::with_capacity(items.len());
                for item in items {
                    data.extend(match item {
                        ToolContentItem::Json(json) => Some(json.clone()),
                        ToolContentItem::File(file) => placed.file(file, profile),
                    });
                }
                // What is left of a list beside its files is a list only if it has several items.
                let has_files = !placed.carried.is_empty() || !placed.apart.is_empty();
                placed.data = match data.as_slice() {
                    [] => None,
                    [only] if has_files => Some(Cow::Owned(only.clone())),
                    all => Json::of(all).ok().map(Cow::Owned),
                };
            }
        }
        placed
    }

    /// Finds a place for a file; what is said instead of one that the model cannot read.
    fn file(&mut self, file: &'a File, profile: &GoogleProfile) -> Option<Json> {
        if let Some(what) = unreadable(file, profile) {
            return Some(note(file, &what).as_str().into());
        }
        match file {
            File::Binary(bytes) if profile.carries(&bytes.media_type) => self.carried.push(bytes),
            _ => self.apart.push(file),
        }
        None
    }

    fn append_response(&self, out: &mut Vec<u8>, outcome: Outcome) {
        if matches!(outcome, Outcome::Failed | Outcome::Retried) {
            // The API's own way to say so takes words and nothing else: files are told by their frames alone.
            out.extend_from_slice(br#"{"error":"#);
            append(out, &*self.text());
            out.push(b'}');
        } else if self.apart.is_empty() {
            append_data(out, self.data.as_deref());
        } else {
            out.extend_from_slice(br#"{"output":["#);
            append_data(out, self.data.as_deref());
            for file in &self.apart {
                out.push(b',');
                append(out, &format!("See file {}.", file.identifier()));
            }
            out.extend_from_slice(b"]}");
        }
    }

    /// Strings as they are, everything else as JSON, nothing as nothing.
    fn text(&self) -> Cow<'_, str> {
        match self.data.as_deref() {
            Some(json) if !json.is_null() => text_of(json),
            _ => "".into(),
        }
    }

    fn append_carried(&self, out: &mut Vec<u8>) {
        if self.carried.is_empty() {
            return;
        }
        out.extend_from_slice(br#","parts":["#);
        for file in &self.carried {
            append_bytes(out, &file.data, &file.media_type);
        }
        out.pop();
        out.push(b']');
    }
}

/// Appends data as an object.
fn append_data(out: &mut Vec<u8>, data: Option<&Json>) {
    let Some(json) = data.filter(|json| !json.is_null()) else { return out.extend_from_slice(b"{}") };
    let has_reference = json.text().contains(r#""$ref":"#);
    if has_reference {
        // Gemini takes any such key for its own, which names a part of the answer.
        out.extend_from_slice(br#"{"output":"#);
        append(out, json.text());
        out.push(b'}');
    } else if json.is_object() {
        out.extend_from_slice(json.text().as_bytes());
    } else {
        out.extend_from_slice(br#"{"return_value":"#);
        out.extend_from_slice(json.text().as_bytes());
        out.push(b'}');
    }
}

fn text_of(json: &Json) -> Cow<'_, str> {
    json.as_str().map_or_else(|| json.text().into(), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ImageUrl;
    use serde_json::{Value, json};

    fn file(media_type: &str, identifier: &str) -> File {
        BinaryContent::new(*b"x", media_type).with_identifier(identifier).into()
    }

    fn list(items: Vec<Result<Value, File>>) -> ToolContent {
        let item = |item| match item {
            Ok(json) => ToolContentItem::Json(Json::from(json)),
            Err(file) => ToolContentItem::File(file),
        };
        ToolContent::List(items.into_iter().map(item).collect())
    }

    /// The response, how many files are inside of it, and which are not.
    fn answered(model: &str, content: impl Into<ToolContent>, outcome: Outcome) -> (Value, usize, Vec<String>) {
        let content = content.into();
        let mut out = Vec::new();
        let apart =
            append_function_response(&mut out, ("t", "1"), Some((&content, outcome)), &GoogleProfile::of(model));
        let apart = apart.iter().map(|file| file.identifier().to_owned()).collect();
        let part: Value = serde_json::from_slice(out.strip_suffix(b",").expect("a comma")).expect("JSON");
        let response = &part["functionResponse"];
        assert_eq!((&response["id"], &response["name"]), (&json!("1"), &json!("t")));
        (response["response"].clone(), response["parts"].as_array().map_or(0, Vec::len), apart)
    }

    #[test]
    fn data_is_an_object() {
        for (content, expected) in [
            (json!(null), json!({})),
            (json!(""), json!({"return_value": ""})),
            (json!([]), json!({"return_value": []})),
            (json!({}), json!({})),
            (json!({"a": [1]}), json!({"a": [1]})),
            (json!(1.5), json!({"return_value": 1.5})),
            (json!({"a": {"$ref": "#/x"}}), json!({"output": r##"{"a":{"$ref":"#/x"}}"##})),
            (json!([{"$ref": 1}]), json!({"output": r#"[{"$ref":1}]"#})),
            (json!({"a": "$ref"}), json!({"a": "$ref"})),
        ] {
            assert_eq!(answered("gemini-3", content, Outcome::Success).0, expected);
        }
        assert_eq!(answered("gemini-3", json!("no"), Outcome::Denied).0, json!({"return_value": "no"}));
    }

    #[test]
    fn failures_are_words() {
        for (content, expected) in [
            (json!("no"), "no"),
            (json!(null), ""),
            (json!({"a": 1}), r#"{"a":1}"#),
            (json!([{"type": "missing"}]), r#"[{"type":"missing"}]"#),
        ] {
            for outcome in [Outcome::Failed, Outcome::Retried] {
                assert_eq!(answered("gemini-3", content.clone(), outcome).0, json!({"error": expected}));
            }
        }
        let with_file = || list(vec![Ok(json!("broken")), Err(file("audio/wav", "w"))]);
        let (response, inside, apart) = answered("gemini-3", with_file(), Outcome::Failed);
        assert_eq!((response, inside, apart), (json!({"error": "broken"}), 0, vec!["w".to_owned()]));
    }

    #[test]
    fn files_are_inside_apart_or_noted() {
        let png = || file("image/png", "p");
        let (response, inside, apart) = answered("gemini-3", png(), Outcome::Success);
        assert_eq!((response, inside, apart.len()), (json!({}), 1, 0));
        let (response, inside, apart) = answered("gemini-2.5-flash", png(), Outcome::Success);
        assert_eq!((response, inside, apart.len()), (json!({"output": [{}, "See file p."]}), 0, 1));
        let mixed = list(vec![Ok(json!("see")), Err(png()), Err(file("audio/wav", "w")), Ok(json!({"n": 1}))]);
        let (response, inside, apart) = answered("gemini-3", mixed, Outcome::Success);
        assert_eq!(response, json!({"output": [{"return_value": ["see", {"n": 1}]}, "See file w."]}));
        assert_eq!((inside, apart), (1, vec!["w".to_owned()]));
        let one = list(vec![Ok(json!({"n": 1})), Err(png())]);
        assert_eq!(answered("gemini-3", one, Outcome::Success).0, json!({"n": 1}));
        let url = ImageUrl::new("https://x/a.png").with_identifier("u");
        assert_eq!(answered("gemini-3", url, Outcome::Success).2, ["u"]);
        let zip = "File z (application/zip, 1 bytes) was not sent: this model cannot read application/zip documents.";
        let noted = answered("gemini-3", file("application/zip", "z"), Outcome::Success);
        assert_eq!(noted, (json!({"return_value": zip}), 0, vec![]));
        let noted = answered("gemini-3", list(vec![Err(file("application/zip", "z"))]), Outcome::Success);
        assert_eq!(noted.0, json!({"return_value": [zip]}));
    }

    #[test]
    fn what_nothing_answered_was_interrupted() {
        let mut out = Vec::new();
        append_function_response(&mut out, ("t", "1"), None, &GoogleProfile::of("gemini-3"));
        assert!(String::from_utf8_lossy(&out).contains(&format!(r#"{{"return_value":"{INTERRUPTED}"}}"#)));
    }
}
