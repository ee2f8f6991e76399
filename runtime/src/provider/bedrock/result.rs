//! The results of calls: texts, data and files, and whether they tell of a failure (specification: behaviours 14).

use super::content::{Media, append_text};
use super::profile::BedrockProfile;
use crate::json::{Json, append};
use crate::message::{File, Outcome, ToolContent};
use crate::provider::file::note;
use crate::provider::frame;
use crate::provider::name::wire_name;
use crate::provider::result::{
    ResultItem, ResultPiece, among_others, is_error, reference, result_items, result_pieces,
};

/// The result of a call.
pub(super) struct ToolResult<'r> {
    /// The call's id as it is sent.
    pub(super) id: &'r str,
    pub(super) tool_name: &'r str,
    pub(super) content: &'r ToolContent,
    pub(super) outcome: Outcome,
}

/// The files of a result that it cannot hold, each in its frame.
#[derive(Default)]
pub(super) struct FramedFiles {
    /// Those that may stand beside it.
    pub(super) beside: Vec<u8>,
    /// Those that may not.
    pub(super) apart: Vec<u8>,
}

/// Appends a result as a block, and a comma, and gives what has to stand elsewhere. The items of a list are told one by one.
pub(super) fn append_result(
    out: &mut Vec<u8>,
    result: &ToolResult<'_>,
    profile: &BedrockProfile,
    documents: &mut usize,
) -> FramedFiles {
    out.extend_from_slice(br#"{"toolResult":{"toolUseId":"#);
    append(out, result.id);
    out.extend_from_slice(br#","content":["#);
    let mut items = Items { result, profile, documents, elsewhere: FramedFiles::default() };
    items.append_to(out);
    let elsewhere = items.elsewhere;
    out.pop();
    out.push(b']');
    if profile.result_status {
        out.extend_from_slice(br#","status":"#);
        append(out, if is_error(result.outcome) { "error" } else { "success" });
    }
    out.extend_from_slice(b"}},");
    elsewhere
}

struct Items<'r> {
    result: &'r ToolResult<'r>,
    profile: &'r BedrockProfile,
    documents: &'r mut usize,
    elsewhere: FramedFiles,
}

impl Items<'_> {
    fn append_to(&mut self, out: &mut Vec<u8>) {
        let ToolResult { content, outcome, .. } = *self.result;
        if is_error(outcome) && !self.profile.result_status {
            // Nothing else says that the call failed.
            for piece in result_pieces(content, outcome, false, |file| Media::of(file, self.profile).err()) {
                match piece {
                    ResultPiece::Text(text) => append_text(out, &text),
                    ResultPiece::File(file) => self.file(out, file),
                }
            }
            return;
        }
        for item in result_items(content, outcome) {
            match item {
                ResultItem::Data(json) => self.data(out, &json),
                ResultItem::File(file) => self.file(out, file),
            }
        }
    }

    fn data(&self, out: &mut Vec<u8>, json: &Json) {
        if self.profile.json_results && json.as_str().is_none() {
            out.extend_from_slice(br#"{"json":"#);
            out.extend_from_slice(json.text().as_bytes());
            out.extend_from_slice(b"},");
        } else {
            append_text(out, &among_others(json));
        }
    }

    /// A file, or words in its place.
    fn file(&mut self, out: &mut Vec<u8>, file: &File) {
        let media = match Media::of(file, self.profile) {
            Ok(media) => media,
            Err(what) => return append_text(out, &note(file, &what)),
        };
        if self.profile.in_results.has(media.sort) {
            return media.append_to(out, self.documents);
        }
        let beside = self.profile.beside_results.has(media.sort);
        let elsewhere = if beside { &mut self.elsewhere.beside } else { &mut self.elsewhere.apart };
        append_text(elsewhere, &frame::open(&wire_name(self.result.tool_name), self.result.id, file.identifier()));
        media.append_to(elsewhere, self.documents);
        append_text(elsewhere, frame::CLOSE);
        append_text(out, &reference(file));
    }
}
