//! What stands in a user message: texts and files.

use std::borrow::Cow;

use super::profile::ChatProfile;
use crate::json::append;
use crate::message::{File, FileClass};
use crate::provider::dialogue::content::{append_image, append_text_file, append_url};
use crate::provider::file::{append_base64, document_ending, is_text, unreadable_text};

/// What a file of a prompt is, if the API cannot carry it. A sound that the model cannot hear is sent all the same: the user
/// chose it, and the server says best what its models hear. A text is but words.
pub(super) fn unsendable(file: &File, profile: &ChatProfile) -> Option<Cow<'static, str>> {
    match file {
        File::Binary(bytes) if audio_format(&bytes.media_type).is_some() => None,
        File::Binary(bytes) if is_text(&bytes.media_type) => unreadable_text(bytes),
        _ => unreadable(file, profile),
    }
}

/// What a file is, such as `images`, if the model cannot read it.
pub(super) fn unreadable(file: &File, profile: &ChatProfile) -> Option<Cow<'static, str>> {
    let known = |readable: bool, what: &'static str| if readable { None } else { Some(what.into()) };
    match (file, file.class()) {
        (File::Binary(bytes), _) if profile.text_files && is_text(&bytes.media_type) => unreadable_text(bytes),
        (_, FileClass::Image) => known(profile.images, "images"),
        (_, FileClass::Video) => known(profile.video, "video"),
        (File::Binary(bytes), FileClass::Audio) => {
            known(profile.audio && audio_format(&bytes.media_type).is_some(), "audio files")
        }
        (_, FileClass::Audio) => Some(if profile.audio { "audio files by URL" } else { "audio files" }.into()),
        _ if !profile.documents => Some("documents".into()),
        (File::Binary(bytes), FileClass::Document) => match document_ending(&bytes.media_type) {
            Some(_) => None,
            None => Some(format!("{} documents", bytes.media_type).into()),
        },
        (_, FileClass::Document) => known(profile.document_urls, "documents by URL"),
    }
}

/// Appends a file that the model can read as one part of a content list, and a comma.
pub(super) fn append_file(out: &mut Vec<u8>, file: &File, in_frame: bool) {
    match (file, file.class()) {
        (File::Binary(bytes), _) if is_text(&bytes.media_type) => append_text_file(out, bytes, in_frame),
        (File::ImageUrl(_), _) | (File::Binary(_), FileClass::Image) => append_image(out, file),
        (File::Binary(bytes), FileClass::Audio) => {
            out.extend_from_slice(br#"{"type":"input_audio","input_audio":{"format":"#);
            append(out, audio_format(&bytes.media_type).unwrap_or_default());
            out.extend_from_slice(br#","data":""#);
            append_base64(out, &bytes.data);
            out.extend_from_slice(b"\"}},");
        }
        (_, FileClass::Video) => {
            out.extend_from_slice(br#"{"type":"video_url","video_url":{"url":"#);
            append_url(out, file);
            out.extend_from_slice(b"}},");
        }
        _ => {
            out.extend_from_slice(br#"{"type":"file","file":{"file_data":"#);
            append_url(out, file);
            append_filename(out, file.media_type());
        }
    }
}

/// Ends a part with the name that the API wants for every file.
fn append_filename(out: &mut Vec<u8>, media_type: &str) {
    out.extend_from_slice(br#","filename":"#);
    append(out, &format!("filename.{}", document_ending(media_type).unwrap_or("bin")));
    out.extend_from_slice(b"}},");
}

fn audio_format(media_type: &str) -> Option<&'static str> {
    match media_type {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Some("wav"),
        "audio/mpeg" | "audio/mp3" => Some("mp3"),
        _ => None,
    }
}
