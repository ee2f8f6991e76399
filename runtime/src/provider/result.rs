//! A tool's result as text, for APIs whose tool results hold nothing else (specification: behaviours 14).

use std::borrow::Cow;

use serde_json::Value;

use super::file::note;
use crate::json::Json;
use crate::message::{File, Outcome, ToolContent, ToolContentItem};

/// A result as text, and the files it refers to, which have to be sent elsewhere.
pub(crate) struct TextResult<'a> {
    pub(crate) text: String,
    pub(crate) files: Vec<&'a File>,
}

/// Renders the result of a call; `unreadable` says what a file is, such as `images`, that the model cannot read.
pub(crate) fn text_result<'a>(
    content: &'a ToolContent,
    outcome: Outcome,
    unreadable: impl Fn(&File) -> Option<Cow<'static, str>>,
) -> TextResult<'a> {
    let is_error = matches!(outcome, Outcome::Failed | Outcome::Retried);
    let mut files = Vec::new();
    let mut place = |file: &'a File| match unreadable(file) {
        Some(what) => Placed::Data(Json::from(note(file, &what).as_str())),
        None => {
            files.push(file);
            Placed::Reference(format!("See file {}.", file.identifier()))
        }
    };
    let (placed, is_list) = match content {
        ToolContent::Json(json) => (vec![Placed::Data(json.clone())], false),
        ToolContent::File(file) => (vec![place(file)], false),
        ToolContent::List(items) => {
            let place_item = |item: &'a ToolContentItem| match item {
                ToolContentItem::Json(json) => Placed::Data(json.clone()),
                ToolContentItem::File(file) => place(file),
            };
            (items.iter().map(place_item).collect(), true)
        }
    };
    let text = match placed.as_slice() {
        parts if is_error => error_text(parts, is_list, outcome),
        [only] if !is_list => only.text(true),
        parts => Json::from(Value::from_iter(parts.iter().map(|part| part.text(false)))).text().to_owned(),
    };
    TextResult { text, files }
}

/// An item of a result: data, or words that refer to a file.
enum Placed {
    Data(Json),
    Reference(String),
}

impl Placed {
    /// Strings as they are, everything else as JSON; no value alone is no text.
    fn text(&self, alone: bool) -> String {
        match self {
            Self::Reference(text) => text.clone(),
            Self::Data(json) if alone && json.is_null() => String::new(),
            Self::Data(json) => json.as_str().unwrap_or_else(|| json.text().to_owned()),
        }
    }
}

/// `{"error": …}`, and what else there is.
fn error_text(parts: &[Placed], is_list: bool, outcome: Outcome) -> String {
    let references: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            Placed::Reference(text) => Some(text.as_str()),
            Placed::Data(_) => None,
        })
        .collect();
    let data: Vec<&Json> = parts
        .iter()
        .filter_map(|part| match part {
            Placed::Data(json) => Some(json),
            Placed::Reference(_) => None,
        })
        .collect();
    let data = match data.as_slice() {
        [] => Json::null(),
        [only] if !is_list || !references.is_empty() => (*only).clone(),
        all => Json::of(all).unwrap_or_else(|_| Json::null()),
    };
    // A request to try again carries its errors as they are; a failure is words.
    let error = match outcome {
        Outcome::Retried if !data.is_null() => data,
        _ => Json::from(Placed::Data(data).text(true).as_str()),
    };
    let error = format!(r#"{{"error":{error}}}"#);
    match references.as_slice() {
        [] => error,
        references => {
            let rest: String = references.iter().map(|text| format!(",{}", Json::from(*text))).collect();
            format!("[{error}{rest}]")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::BinaryContent;
    use serde_json::json;

    fn text(content: impl Into<ToolContent>, outcome: Outcome) -> (String, usize) {
        let content = content.into();
        let unreadable = |file: &File| file.media_type().starts_with("audio/").then_some("audio files".into());
        let result = text_result(&content, outcome, unreadable);
        (result.text, result.files.len())
    }

    fn file(media_type: &str) -> ToolContentItem {
        ToolContentItem::File(BinaryContent::new(*b"x", media_type).with_identifier("f").into())
    }

    const NOTE: &str = "File f (audio/wav, 1 bytes) was not sent: this model cannot read audio files.";

    #[test]
    fn data_is_strings_or_json() {
        for (content, expected) in [
            (json!(null), ""),
            (json!(""), ""),
            (json!("é \"x\""), "é \"x\""),
            (json!(1.5), "1.5"),
            (json!(true), "true"),
            (json!([]), "[]"),
            (json!({}), "{}"),
            (json!(["é"]), "[\"é\"]"),
            (json!({"b": 1, "a": [null]}), "{\"b\":1,\"a\":[null]}"),
        ] {
            assert_eq!(text(content, Outcome::Success), (expected.to_owned(), 0));
        }
        assert_eq!(text(json!("no"), Outcome::Denied).0, "no");
    }

    #[test]
    fn errors_are_wrapped() {
        assert_eq!(text(json!("no"), Outcome::Failed).0, r#"{"error":"no"}"#);
        assert_eq!(text(json!(null), Outcome::Failed).0, r#"{"error":""}"#);
        assert_eq!(text(json!({"a": 1}), Outcome::Failed).0, r#"{"error":"{\"a\":1}"}"#);
        assert_eq!(text(json!("again"), Outcome::Retried).0, r#"{"error":"again"}"#);
        assert_eq!(text(json!([{"type": "missing"}]), Outcome::Retried).0, r#"{"error":[{"type":"missing"}]}"#);
    }

    #[test]
    fn files_leave_a_reference_or_a_note() {
        assert_eq!(
            text(BinaryContent::new(*b"x", "image/png").with_identifier("f"), Outcome::Success).0,
            "See file f."
        );
        assert_eq!(
            text(BinaryContent::new(*b"x", "audio/wav").with_identifier("f"), Outcome::Success),
            (NOTE.to_owned(), 0)
        );
        let words = || ToolContentItem::Json("see".into());
        let list = ToolContent::List(vec![words(), file("image/png"), ToolContentItem::Json(json!({"n": 1}).into())]);
        assert_eq!(text(list, Outcome::Success), (r#"["see","See file f.","{\"n\":1}"]"#.to_owned(), 1));
        let list = ToolContent::List(vec![file("image/png"), file("audio/wav")]);
        assert_eq!(text(list, Outcome::Success), (format!(r#"["See file f.","{NOTE}"]"#), 1));
        let list = ToolContent::List(vec![words(), file("image/png")]);
        assert_eq!(text(list, Outcome::Failed), (r#"[{"error":"see"},"See file f."]"#.to_owned(), 1));
        let list = ToolContent::List(vec![file("audio/wav")]);
        assert_eq!(text(list, Outcome::Retried).0, format!(r#"{{"error":["{NOTE}"]}}"#));
    }
}
