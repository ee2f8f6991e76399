//! The blocks that a message is made of: texts and files.

use std::borrow::Cow;

use crate::json::append;
use crate::message::{BinaryContent, File, FileClass};
use crate::provider::claude::AnthropicProfile;
use crate::provider::file::append_base64;

const PDF: &str = "application/pdf";
const PLAIN_TEXT: &str = "text/plain";
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
/// The media type of a file of which nothing is known.
const ANYTHING: &str = "application/octet-stream";

/// Appends a text as a block, and a comma. The API takes no empty ones among a message's blocks.
pub(super) fn append_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"type":"text","text":"#);
    append(out, text);
    out.extend_from_slice(b"},");
}

/// What a file is, such as `images`, if the model cannot read it.
pub(super) fn unreadable(file: &File, profile: &AnthropicProfile) -> Option<Cow<'static, str>> {
    let media_type = bare(file.media_type());
    match file.class() {
        FileClass::Audio => Some("audio files".into()),
        FileClass::Video => Some("video".into()),
        FileClass::Image if !profile.images => Some("images".into()),
        FileClass::Image if file.url().is_some() || IMAGES.contains(&media_type) => None,
        FileClass::Image => Some(format!("{media_type} images").into()),
        FileClass::Document if !profile.documents => Some("documents".into()),
        FileClass::Document => unreadable_document(file, media_type),
    }
}

fn unreadable_document(file: &File, media_type: &str) -> Option<Cow<'static, str>> {
    match file {
        _ if media_type == PDF => None,
        File::Binary(bytes) if media_type == PLAIN_TEXT => {
            std::str::from_utf8(&bytes.data).is_err().then_some("text that is not UTF-8".into())
        }
        File::Binary(_) => Some(format!("{media_type} documents").into()),
        // What does not say what it is may well be a PDF, the only document that the API fetches.
        _ if media_type == ANYTHING => None,
        _ => Some(format!("{media_type} documents by URL").into()),
    }
}

/// Appends a file that the model can read as a block, and a comma.
pub(super) fn append_file(out: &mut Vec<u8>, file: &File) {
    let kind = if file.class() == FileClass::Image { "image" } else { "document" };
    out.extend_from_slice(br#"{"type":"#);
    append(out, kind);
    out.extend_from_slice(br#","source":{"type":"#);
    match file {
        File::Binary(bytes) => append_bytes(out, bytes),
        url => {
            out.extend_from_slice(br#""url","url":"#);
            append(out, url.url().unwrap_or_default());
        }
    }
    out.extend_from_slice(b"}},");
}

fn append_bytes(out: &mut Vec<u8>, file: &BinaryContent) {
    let media_type = bare(&file.media_type);
    let is_text = media_type == PLAIN_TEXT;
    append(out, if is_text { "text" } else { "base64" });
    out.extend_from_slice(br#","media_type":"#);
    append(out, media_type);
    out.extend_from_slice(br#","data":"#);
    if is_text {
        append(out, &*String::from_utf8_lossy(&file.data));
    } else {
        out.push(b'"');
        append_base64(out, &file.data);
        out.push(b'"');
    }
}

/// A media type without its parameters: the API knows it only so.
fn bare(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim()
}
