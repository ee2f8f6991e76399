//! Files on their way to a model.

use std::borrow::Cow;
use std::io::Write;

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use crate::error::Error;
use crate::json::append;
use crate::message::{BinaryContent, File};

/// Whether files of this media type are text that can stand among words.
pub(crate) fn is_text(media_type: &str) -> bool {
    let bare = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let known = ["application/json", "application/xml", "application/yaml", "application/x-yaml", "application/toml"];
    bare.starts_with("text/") || bare.ends_with("+json") || bare.ends_with("+xml") || known.contains(&bare.as_str())
}

/// What a text file is, if no model can read it: only UTF-8 can stand among words.
pub(crate) fn unreadable_text(file: &BinaryContent) -> Option<Cow<'static, str>> {
    std::str::from_utf8(&file.data).is_err().then_some("text that is not UTF-8".into())
}

/// The content of a text file, marked as one, among words.
pub(crate) fn inlined(text: &str, media_type: &str, identifier: &str) -> String {
    format!(
        "-----BEGIN FILE id=\"{identifier}\" type=\"{media_type}\"-----\n{text}\n-----END FILE id=\"{identifier}\"-----"
    )
}

/// The ending that files of a document's media type have; `None` for what no model is known to read.
pub(crate) fn document_ending(media_type: &str) -> Option<&'static str> {
    Some(match media_type {
        "application/pdf" => "pdf",
        "application/msword" => "doc",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        "application/vnd.ms-excel" => "xls",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => "xlsx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "pptx",
        _ => return None,
    })
}

/// What a tool's result says in place of a file that the model cannot read (`what`, such as `images`).
pub(crate) fn note(file: &File, what: &str) -> String {
    let details = match file {
        File::Binary(bytes) => format!(" ({}, {} bytes)", bytes.media_type, grouped(bytes.data.len())),
        url if url.media_type() == "application/octet-stream" => String::new(),
        url => format!(" ({})", url.media_type()),
    };
    format!("File {}{details} was not sent: this model cannot read {what}.", file.identifier())
}

/// Refuses a prompt with a file that the model cannot read (`what`, such as `images`): the user chose to send it.
pub(crate) fn refused(file: &File, what: &str) -> Error {
    Error::misuse(format!(
        "a prompt has the file `{}`, but the model cannot read {what}; leave it out, send it in another form, or ask \
         another model",
        file.identifier()
    ))
}

/// Appends a file as a JSON string with a `data:` URL.
pub(crate) fn append_data_url(out: &mut Vec<u8>, file: &BinaryContent) {
    append(out, &format!("data:{};base64,", file.media_type));
    out.pop();
    append_base64(out, &file.data);
    out.push(b'"');
}

/// Appends bytes as base64.
pub(crate) fn append_base64(out: &mut Vec<u8>, data: &[u8]) {
    let mut encoder = EncoderWriter::new(out, &STANDARD);
    // A vector takes whatever is written.
    let _ = encoder.write_all(data).and_then(|()| encoder.finish().map(drop));
}

/// A number with its thousands set off by commas.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{AudioUrl, BinaryContent, DocumentUrl};

    #[test]
    fn notes_tell_what_is_known() {
        let bytes = BinaryContent::new(vec![0; 48213], "audio/mpeg").with_identifier("d9a13f");
        assert_eq!(
            note(&bytes.into(), "audio files"),
            "File d9a13f (audio/mpeg, 48,213 bytes) was not sent: this model cannot read audio files."
        );
        let url = AudioUrl::new("https://example.com/a.mp3").with_identifier("x");
        assert!(note(&url.into(), "audio files").starts_with("File x (audio/mpeg) was"));
        assert!(
            note(&DocumentUrl::new("https://example.com/a").with_identifier("y").into(), "z").starts_with("File y was")
        );
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(grouped), ["0", "12", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn text_is_told_from_its_media_type() {
        assert!(
            ["text/csv", "text/plain; charset=utf-8", "image/svg+xml", "application/JSON"].into_iter().all(is_text)
        );
        assert!(!["image/png", "application/pdf", ""].into_iter().any(is_text));
    }
}
