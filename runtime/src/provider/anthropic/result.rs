//! The results of calls: texts and files, and whether they tell of a failure (specification: behaviours 14).

use super::content::{append_file, append_text, unreadable};
use crate::json::append;
use crate::message::{File, Outcome, ToolContent};
use crate::provider::claude::AnthropicProfile;
use crate::provider::file::note;
use crate::provider::result::{ResultItem, among_others, is_error, result_items};

/// Appends a result as a block, and a comma. The items of a list are told one by one.
pub(super) fn append_result(
    out: &mut Vec<u8>,
    id: &str,
    content: &ToolContent,
    outcome: Outcome,
    profile: &AnthropicProfile,
) {
    out.extend_from_slice(br#"{"type":"tool_result","tool_use_id":"#);
    append(out, id);
    out.extend_from_slice(br#","content":["#);
    for item in result_items(content, outcome) {
        match item {
            ResultItem::Data(json) => append_text(out, &among_others(&json)),
            ResultItem::File(file) => append_item(out, file, profile),
        }
    }
    out.pop();
    out.extend_from_slice(br#"],"is_error":"#);
    out.extend_from_slice(if is_error(outcome) { b"true},".as_slice() } else { b"false}," });
}

/// A file, or a note in its place.
fn append_item(out: &mut Vec<u8>, file: &File, profile: &AnthropicProfile) {
    match unreadable(file, profile) {
        Some(what) => append_text(out, &note(file, &what)),
        None => append_file(out, file),
    }
}
