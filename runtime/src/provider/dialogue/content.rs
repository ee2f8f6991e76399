//! Parts of content lists, as far as APIs take them alike. Each is followed by a comma.

use crate::json::append;
use crate::message::{BinaryContent, File};
use crate::provider::file::{append_data_url, inlined};
use crate::provider::frame;

/// Appends a text.
pub(crate) fn append_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"type":"text","text":"#);
    append(out, text);
    out.extend_from_slice(b"},");
}

/// Appends what a text file says, marked as one. In a frame, it cannot open or close one.
pub(crate) fn append_text_file(out: &mut Vec<u8>, file: &BinaryContent, in_frame: bool) {
    let text = inlined(&String::from_utf8_lossy(&file.data), &file.media_type, &file.identifier);
    append_text(out, &if in_frame { frame::escape(&text) } else { text.into() });
}

/// Appends an image, by its URL or with its bytes.
pub(crate) fn append_image(out: &mut Vec<u8>, image: &File) {
    out.extend_from_slice(br#"{"type":"image_url","image_url":{"url":"#);
    append_url(out, image);
    out.extend_from_slice(b"}},");
}

/// Appends a file's URL, or one that holds its bytes, as a JSON string.
pub(crate) fn append_url(out: &mut Vec<u8>, file: &File) {
    match file {
        File::Binary(bytes) => append_data_url(out, bytes),
        url => append(out, url.url().unwrap_or_default()),
    }
}
