//! What stands in a message or a result: texts and files.

use std::borrow::Cow;

use super::profile::OpenAiResponsesProfile;
use crate::json::append;
use crate::message::{BinaryContent, File, FileClass};
use crate::provider::file::{append_data_url, document_ending, inlined, is_text};

/// Appends a text as one part of a content list, and a comma.
pub(super) fn append_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"type":"input_text","text":"#);
    append(out, text);
    out.extend_from_slice(b"},");
}

/// What a file is, such as `images`, if the model cannot read it.
pub(super) fn unreadable(file: &File, profile: &OpenAiResponsesProfile) -> Option<Cow<'static, str>> {
    match (file, file.class()) {
        (_, FileClass::Image) => (!profile.images).then_some("images".into()),
        (_, FileClass::Audio) => Some("audio files".into()),
        (_, FileClass::Video) => Some("video".into()),
        (File::Binary(bytes), FileClass::Document) if is_text(&bytes.media_type) => {
            let is_sent = profile.documents && ending(&bytes.media_type).is_some();
            (!is_sent && std::str::from_utf8(&bytes.data).is_err()).then_some("text that is not UTF-8".into())
        }
        (_, FileClass::Document) if !profile.documents => Some("documents".into()),
        (File::Binary(bytes), FileClass::Document) => match ending(&bytes.media_type) {
            Some(_) => None,
            None => Some(format!("{} documents", bytes.media_type).into()),
        },
        (_, FileClass::Document) => None,
    }
}

/// Appends a file that the model can read as one part of a content list, and a comma.
pub(super) fn append_file(out: &mut Vec<u8>, file: &File, profile: &OpenAiResponsesProfile) {
    match file {
        File::Binary(bytes) => append_bytes(out, bytes, file.class(), profile),
        File::ImageUrl(image) => {
            out.extend_from_slice(br#"{"type":"input_image","detail":"auto","image_url":"#);
            append(out, image.url());
            out.extend_from_slice(b"},");
        }
        url => {
            out.extend_from_slice(br#"{"type":"input_file","file_url":"#);
            append(out, url.url().unwrap_or_default());
            out.extend_from_slice(b"},");
        }
    }
}

fn append_bytes(out: &mut Vec<u8>, file: &BinaryContent, class: FileClass, profile: &OpenAiResponsesProfile) {
    if class == FileClass::Image {
        out.extend_from_slice(br#"{"type":"input_image","detail":"auto","image_url":"#);
        append_data_url(out, file);
        out.extend_from_slice(b"},");
        return;
    }
    match ending(&file.media_type) {
        Some(ending) if profile.documents => {
            out.extend_from_slice(br#"{"type":"input_file","file_data":"#);
            append_data_url(out, file);
            out.extend_from_slice(br#","filename":"#);
            append(out, &format!("filename.{ending}"));
            out.extend_from_slice(b"},");
        }
        _ => append_text(out, &inlined(&String::from_utf8_lossy(&file.data), &file.media_type, &file.identifier)),
    }
}

/// The ending of the file name by which the API knows what a document is.
fn ending(media_type: &str) -> Option<&'static str> {
    match media_type.split(';').next().unwrap_or_default().trim() {
        "text/plain" => Some("txt"),
        "text/csv" => Some("csv"),
        "text/html" => Some("html"),
        "text/markdown" => Some("md"),
        other => document_ending(other),
    }
}
