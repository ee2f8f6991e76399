//! A tool's result in the words and files that a model is told (specification: behaviours 14).

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

/// An item of a result, for APIs whose results are lists of blocks and say themselves that a call has failed.
#[derive(Debug)]
pub(crate) enum ResultItem<'a> {
    Data(Json),
    File(&'a File),
}

/// A piece of a result.
#[derive(Debug, PartialEq)]
pub(crate) enum ResultPiece<'a> {
    Text(String),
    File(&'a File),
}

/// Renders the result of a call as text; `unreadable` says what a file is, such as `images`, that the model cannot read.
pub(crate) fn text_result<'a>(
    content: &'a ToolContent,
    outcome: Outcome,
    unreadable: impl Fn(&File) -> Option<Cow<'static, str>>,
) -> TextResult<'a> {
    let placed = Placed::all(content, unreadable);
    let files: Vec<_> = placed.iter().filter_map(Placed::file).collect();
    let is_list = matches!(content, ToolContent::List(_));
    let text = match placed.as_slice() {
        parts if is_error(outcome) => {
            let error = error_text(parts, is_list, outcome);
            let rest: String = files.iter().map(|file| format!(",{}", Json::from(&*reference(file)))).collect();
            if rest.is_empty() { error } else { format!("[{error}{rest}]") }
        }
        [only] if !is_list => only.text(),
        parts => list_text(parts),
    };
    TextResult { text, files }
}

/// Renders the result of a call in pieces, for APIs whose tool results hold files: those stand in their places, and without one
/// all is a single text. `flags_errors` says whether the API itself says that a call has failed; `unreadable` says what a
/// file is, such as `audio files`, that no result can hold.
pub(crate) fn result_pieces<'a>(
    content: &'a ToolContent,
    outcome: Outcome,
    flags_errors: bool,
    unreadable: impl Fn(&File) -> Option<Cow<'static, str>>,
) -> Vec<ResultPiece<'a>> {
    let placed = Placed::all(content, unreadable);
    let is_list = matches!(content, ToolContent::List(_));
    let files = || placed.iter().filter_map(Placed::file).map(ResultPiece::File);
    match placed.as_slice() {
        parts if is_error(outcome) && !flags_errors => {
            let error = error_text(parts, is_list, outcome);
            [ResultPiece::Text(error)].into_iter().chain(files()).collect()
        }
        [Placed::Data(json)] if !is_list => vec![ResultPiece::Text(alone(json))],
        parts if files().next().is_none() => vec![ResultPiece::Text(list_text(parts))],
        parts => parts.iter().map(Placed::piece).collect(),
    }
}

/// What is said of a failure that says nothing itself, as such APIs want to hear something.
const NO_REASON: &str = "The call failed, and there is nothing to say about it.";

/// The items of a result, each of which is told for itself.
pub(crate) fn result_items(content: &ToolContent, outcome: Outcome) -> Vec<ResultItem<'_>> {
    match content {
        ToolContent::File(file) => vec![ResultItem::File(file)],
        ToolContent::List(items) if items.is_empty() => vec![ResultItem::Data(Value::Array(Vec::new()).into())],
        ToolContent::List(items) => items
            .iter()
            .map(|item| match item {
                ToolContentItem::Json(json) => ResultItem::Data(json.clone()),
                ToolContentItem::File(file) => ResultItem::File(file),
            })
            .collect(),
        // What was wrong with arguments is one list.
        ToolContent::Json(json) => match items(json).filter(|_| outcome != Outcome::Retried) {
            Some(items) => items.into_iter().map(ResultItem::Data).collect(),
            None if is_error(outcome) && matches!(json.text(), "null" | r#""""#) => {
                vec![ResultItem::Data(NO_REASON.into())]
            }
            None => vec![ResultItem::Data(json.clone())],
        },
    }
}

/// The items of a list that has some.
fn items(json: &Json) -> Option<Vec<Json>> {
    let items: Vec<Json> = json.is_array().then(|| json.read().ok()).flatten()?;
    (!items.is_empty()).then_some(items)
}

/// Whether a call with this outcome is told to have failed.
pub(crate) fn is_error(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Failed | Outcome::Retried)
}

/// An item of a result.
enum Placed<'a> {
    /// Data, or a note in place of a file.
    Data(Json),
    File(&'a File),
}

impl<'a> Placed<'a> {
    fn all(content: &'a ToolContent, unreadable: impl Fn(&File) -> Option<Cow<'static, str>>) -> Vec<Self> {
        let place = |file: &'a File| match unreadable(file) {
            Some(what) => Self::Data(Json::from(note(file, &what).as_str())),
            None => Self::File(file),
        };
        let place_item = |item: &'a ToolContentItem| match item {
            ToolContentItem::Json(json) => Self::Data(json.clone()),
            ToolContentItem::File(file) => place(file),
        };
        match content {
            ToolContent::Json(json) => vec![Self::Data(json.clone())],
            ToolContent::File(file) => vec![place(file)],
            ToolContent::List(items) => items.iter().map(place_item).collect(),
        }
    }

    fn file(&self) -> Option<&'a File> {
        match self {
            Self::File(file) => Some(file),
            Self::Data(_) => None,
        }
    }

    fn data(&self) -> Option<&Json> {
        match self {
            Self::Data(json) => Some(json),
            Self::File(_) => None,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::File(file) => reference(file),
            Self::Data(json) => alone(json),
        }
    }

    fn piece(&self) -> ResultPiece<'a> {
        match self {
            Self::File(file) => ResultPiece::File(file),
            Self::Data(json) => ResultPiece::Text(among_others(json)),
        }
    }
}

/// The words that stand in place of a file which is sent elsewhere.
pub(crate) fn reference(file: &File) -> String {
    format!("See file {}.", file.identifier())
}

/// Strings as they are, everything else as JSON.
pub(crate) fn among_others(json: &Json) -> String {
    json.as_str().unwrap_or_else(|| json.text().to_owned())
}

/// The same, but that no value is no text.
fn alone(json: &Json) -> String {
    if json.is_null() { String::new() } else { among_others(json) }
}

fn list_text(parts: &[Placed<'_>]) -> String {
    let texts = parts.iter().map(|part| match part {
        Placed::File(file) => reference(file),
        Placed::Data(json) => among_others(json),
    });
    Json::from(Value::from_iter(texts)).text().to_owned()
}

/// `{"error": …}` with all data.
fn error_text(parts: &[Placed<'_>], is_list: bool, outcome: Outcome) -> String {
    let data: Vec<&Json> = parts.iter().filter_map(Placed::data).collect();
    let data = match data.as_slice() {
        [] => Json::null(),
        [only] if !is_list || data.len() < parts.len() => (*only).clone(),
        all => Json::of(all).unwrap_or_else(|_| Json::null()),
    };
    // A request to try again carries its errors as they are; a failure is words.
    let error = match outcome {
        Outcome::Retried if !data.is_null() => data,
        _ => Json::from(alone(&data).as_str()),
    };
    format!(r#"{{"error":{error}}}"#)
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

    #[test]
    fn where_results_hold_files_each_stands_in_its_place() {
        let pieces = |content: ToolContent, outcome, flags_errors| {
            let unreadable = |file: &File| file.media_type().starts_with("audio/").then_some("audio files".into());
            let short = |piece: &ResultPiece<'_>| match piece {
                ResultPiece::Text(text) => text.clone(),
                ResultPiece::File(file) => format!("<{}>", file.identifier()),
            };
            result_pieces(&content, outcome, flags_errors, unreadable).iter().map(short).collect::<Vec<_>>()
        };
        let words = |text: &str| ToolContentItem::Json(text.into());
        let data = || ToolContentItem::Json(json!({"n": 1}).into());
        let mixed = || ToolContent::List(vec![words("see"), file("image/png"), data()]);
        assert_eq!(pieces(mixed(), Outcome::Success, false), ["see", "<f>", "{\"n\":1}"]);
        assert_eq!(pieces(mixed(), Outcome::Failed, true), ["see", "<f>", "{\"n\":1}"]);
        let failed = r#"{"error":"[\"see\",{\"n\":1}]"}"#;
        assert_eq!(pieces(mixed(), Outcome::Failed, false), [failed, "<f>"]);
        assert_eq!(
            pieces(ToolContent::List(vec![file("audio/wav")]), Outcome::Success, false),
            [format!("[\"{NOTE}\"]")]
        );
        let one = BinaryContent::new(*b"x", "audio/wav").with_identifier("f");
        assert_eq!(pieces(one.into(), Outcome::Success, false), [NOTE]);
        let one = BinaryContent::new(*b"x", "image/png").with_identifier("f");
        assert_eq!(pieces(one.into(), Outcome::Success, false), ["<f>"]);
        for (content, expected) in
            [(json!(null), ""), (json!([1, "two"]), "[1,\"two\"]"), (json!({"a": 1}), "{\"a\":1}")]
        {
            assert_eq!(pieces(content.into(), Outcome::Success, false), [expected]);
        }
        assert_eq!(pieces(json!("no").into(), Outcome::Failed, false), [r#"{"error":"no"}"#]);
        assert_eq!(pieces(json!("no").into(), Outcome::Failed, true), ["no"]);
    }
}
