//! What stands in a message: texts and files, as parts that each are followed by a comma.

use std::borrow::Cow;
use std::io::Write;

use base64::engine::general_purpose::URL_SAFE;
use base64::write::EncoderWriter;

use super::profile::GoogleProfile;
use crate::json::append;
use crate::message::{BinaryContent, File, FileClass};
use crate::provider::file::is_text;
use crate::provider::frame;

/// Appends a text.
pub(super) fn append_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"text":"#);
    append(out, text);
    out.extend_from_slice(b"},");
}

/// What the application says in its own name within a conversation, for which the API has no place of its own.
pub(super) fn append_system(out: &mut Vec<u8>, text: &str) {
    append_text(out, &format!("<system>{text}</system>"));
}

/// Appends a file of a prompt, whatever it is: the user chose it, and the server says best what its models read.
pub(super) fn append_file(out: &mut Vec<u8>, file: &File) {
    match file {
        File::Binary(bytes) => append_bytes(out, &bytes.data, &bytes.media_type),
        url => append_url(out, url),
    }
}

/// Appends a file in a frame, whose tags nothing that is text in it can open or close.
pub(super) fn append_framed(out: &mut Vec<u8>, file: &File, tool_name: &str, call_id: &str) {
    append_text(out, &frame::open(tool_name, call_id, file.identifier()));
    match file {
        File::Binary(bytes) => append_bytes(out, &escaped(bytes), &bytes.media_type),
        url => append_url(out, url),
    }
    append_text(out, frame::CLOSE);
}

/// Appends bytes.
pub(super) fn append_bytes(out: &mut Vec<u8>, data: &[u8], media_type: &str) {
    append_blob(out, data, media_type);
    out.extend_from_slice(b"},");
}

/// Appends bytes, as a part that is still open.
pub(super) fn append_blob(out: &mut Vec<u8>, data: &[u8], media_type: &str) {
    out.extend_from_slice(br#"{"inlineData":{"mimeType":"#);
    append(out, media_type);
    out.extend_from_slice(br#","data":""#);
    append_base64(out, data);
    out.extend_from_slice(b"\"}");
}

/// Appends bytes in the alphabet of Google's own client.
fn append_base64(out: &mut Vec<u8>, data: &[u8]) {
    let mut encoder = EncoderWriter::new(out, &URL_SAFE);
    // A vector takes whatever is written.
    let _ = encoder.write_all(data).and_then(|()| encoder.finish().map(drop));
}

fn append_url(out: &mut Vec<u8>, file: &File) {
    out.extend_from_slice(br#"{"fileData":{"fileUri":"#);
    append(out, file.url().unwrap_or_default());
    if file.media_type() != UNKNOWN {
        out.extend_from_slice(br#","mimeType":"#);
        append(out, file.media_type());
    }
    out.extend_from_slice(b"}},");
}

fn escaped(file: &BinaryContent) -> Cow<'_, [u8]> {
    match std::str::from_utf8(&file.data) {
        Ok(text) if is_text(&file.media_type) => match frame::escape(text) {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        },
        _ => file.data.as_slice().into(),
    }
}

/// The media type of bytes of which nothing is known.
const UNKNOWN: &str = "application/octet-stream";

/// What a file that a tool returned is, such as `images`, if the model cannot read it.
pub(super) fn unreadable(file: &File, profile: &GoogleProfile) -> Option<Cow<'static, str>> {
    let media_type = file.media_type();
    match file.class() {
        FileClass::Image => (!profile.images).then_some("images".into()),
        FileClass::Audio => (!profile.audio).then_some("audio files".into()),
        FileClass::Video => (!profile.video).then_some("video".into()),
        FileClass::Document if !profile.documents => Some("documents".into()),
        FileClass::Document if media_type == "application/pdf" || is_text(media_type) => None,
        // The server finds out what is at a URL that does not say.
        FileClass::Document if media_type == UNKNOWN && file.url().is_some() => None,
        FileClass::Document => Some(format!("{media_type} documents").into()),
    }
}
