//! The results of calls: texts and files, and whether they tell of a failure (specification: behaviours 14).

use super::content::{append_file, append_text, unreadable};
use super::profile::AnthropicProfile;
use crate::json::{Json, append};
use crate::message::{File, Outcome, ToolContent, ToolContentItem, ToolReturnPart};
use crate::provider::file::note;
use crate::repair::INTERRUPTED;

/// What is said of a failure that says nothing itself, as the API wants to hear something.
const NO_REASON: &str = "The call failed, and there is nothing to say about it.";

/// Appends the answer to a call as a block, and a comma.
pub(super) fn append_answer(out: &mut Vec<u8>, id: &str, answer: Option<&ToolReturnPart>, profile: &AnthropicProfile) {
    match answer {
        Some(answer) => append_result(out, id, &answer.content, answer.outcome, profile),
        None => append_result(out, id, &ToolContent::text(INTERRUPTED), Outcome::Interrupted, profile),
    }
}

/// Appends a result as a block, and a comma. The items of a list are told one by one.
pub(super) fn append_result(
    out: &mut Vec<u8>,
    id: &str,
    content: &ToolContent,
    outcome: Outcome,
    profile: &AnthropicProfile,
) {
    let is_error = matches!(outcome, Outcome::Failed | Outcome::Retried);
    out.extend_from_slice(br#"{"type":"tool_result","tool_use_id":"#);
    append(out, id);
    out.extend_from_slice(br#","content":["#);
    match content {
        ToolContent::File(file) => append_item(out, file, profile),
        ToolContent::List(items) if items.is_empty() => append_text(out, "[]"),
        ToolContent::List(items) => items.iter().for_each(|item| match item {
            ToolContentItem::Json(json) => append_json(out, json),
            ToolContentItem::File(file) => append_item(out, file, profile),
        }),
        // What was wrong with arguments is one list.
        ToolContent::Json(json) => match items(json).filter(|_| outcome != Outcome::Retried) {
            Some(items) => items.iter().for_each(|item| append_json(out, item)),
            None if is_error && matches!(json.text(), "null" | r#""""#) => append_text(out, NO_REASON),
            None => append_json(out, json),
        },
    }
    out.pop();
    out.extend_from_slice(br#"],"is_error":"#);
    out.extend_from_slice(if is_error { b"true},".as_slice() } else { b"false}," });
}

/// The items of a list that has some.
fn items(json: &Json) -> Option<Vec<Json>> {
    let items: Vec<Json> = json.is_array().then(|| json.read().ok()).flatten()?;
    (!items.is_empty()).then_some(items)
}

/// A string as it is, everything else as JSON.
fn append_json(out: &mut Vec<u8>, json: &Json) {
    match json.as_str() {
        Some(text) => append_text(out, &text),
        None => append_text(out, json.text()),
    }
}

/// A file, or a note in its place.
fn append_item(out: &mut Vec<u8>, file: &File, profile: &AnthropicProfile) {
    match unreadable(file, profile) {
        Some(what) => append_text(out, &note(file, &what)),
        None => append_file(out, file),
    }
}
