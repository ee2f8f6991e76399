//! The blocks that a message is made of: texts and files.

use std::borrow::Cow;

use super::profile::{BedrockContent, BedrockProfile};
use crate::json::append;
use crate::message::{File, FileClass};
use crate::provider::file::{append_base64, document_ending, is_text};

/// Appends a text as a block, and a comma. The API takes no blank ones.
pub(super) fn append_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(br#"{"text":"#);
    append(out, text);
    out.extend_from_slice(b"},");
}

/// A sort of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Text,
    Image,
    Document,
    Video,
}

impl BedrockContent {
    pub(super) fn has(self, sort: Sort) -> bool {
        match sort {
            Sort::Text => self.text,
            Sort::Image => self.images,
            Sort::Document => self.documents,
            Sort::Video => self.video,
        }
    }
}

/// A file in a form that the API takes.
#[derive(Clone, Copy)]
pub(super) struct Media<'f> {
    pub(super) sort: Sort,
    format: &'static str,
    file: &'f File,
}

impl<'f> Media<'f> {
    /// The file as it can be sent; else what it is, such as `images`, that the model cannot read.
    pub(super) fn of(file: &'f File, profile: &BedrockProfile) -> Result<Self, Cow<'static, str>> {
        let media_type = file.media_type().split(';').next().unwrap_or_default().trim();
        let (sort, is_read, what, format) = match file.class() {
            FileClass::Audio => return Err("audio files".into()),
            FileClass::Image => (Sort::Image, profile.images, "images", image_format(media_type)),
            FileClass::Video => (Sort::Video, profile.video, "video", video_format(media_type)),
            FileClass::Document => (Sort::Document, profile.documents, "documents", document_format(media_type)),
        };
        if !is_read {
            return Err(what.into());
        }
        if file.url().is_some_and(|url| !url.starts_with("s3://")) {
            return Err(format!("{what} by URL, but for those at S3").into());
        }
        match format {
            Some(format) => Ok(Self { sort, format, file }),
            None => Err(format!("{media_type} {what}").into()),
        }
    }

    /// Whether it is a PDF.
    pub(super) fn is_pdf(&self) -> bool {
        self.format == "pdf"
    }

    /// Appends the file as a block, and a comma. Documents have names, which the count of `documents` makes unlike.
    pub(super) fn append_to(&self, out: &mut Vec<u8>, documents: &mut usize) {
        out.extend_from_slice(match self.sort {
            Sort::Text | Sort::Image => br#"{"image":{"#,
            Sort::Video => br#"{"video":{"#,
            Sort::Document => br#"{"document":{"#,
        });
        if self.sort == Sort::Document {
            *documents += 1;
            out.extend_from_slice(format!(r#""name":"Document {documents}","#).as_bytes());
        }
        out.extend_from_slice(br#""format":"#);
        append(out, self.format);
        out.extend_from_slice(br#","source":{"#);
        self.append_source(out);
        out.extend_from_slice(b"}}},");
    }

    fn append_source(&self, out: &mut Vec<u8>) {
        match self.file {
            File::Binary(bytes) => {
                out.extend_from_slice(br#""bytes":""#);
                append_base64(out, &bytes.data);
                out.push(b'"');
            }
            url => {
                let (uri, query) =
                    url.url().and_then(|url| url.split_once('?')).unwrap_or((url.url().unwrap_or_default(), ""));
                out.extend_from_slice(br#""s3Location":{"uri":"#);
                append(out, uri);
                if let Some(owner) = query.split('&').find_map(|pair| pair.strip_prefix("bucketOwner=")) {
                    out.extend_from_slice(br#","bucketOwner":"#);
                    append(out, owner);
                }
                out.push(b'}');
            }
        }
    }
}

fn image_format(media_type: &str) -> Option<&'static str> {
    Some(match media_type {
        "image/png" => "png",
        "image/jpeg" | "image/jpg" => "jpeg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        _ => return None,
    })
}

fn video_format(media_type: &str) -> Option<&'static str> {
    Some(match media_type {
        "video/mp4" => "mp4",
        "video/quicktime" | "video/mov" => "mov",
        "video/x-matroska" | "video/matroska" | "video/mkv" => "mkv",
        "video/webm" => "webm",
        "video/x-flv" => "flv",
        "video/mpeg" => "mpeg",
        "video/x-ms-wmv" => "wmv",
        "video/3gpp" => "three_gp",
        _ => return None,
    })
}

/// Whatever is text has a format, if only a plain one.
fn document_format(media_type: &str) -> Option<&'static str> {
    match media_type {
        "text/csv" => Some("csv"),
        "text/html" => Some("html"),
        "text/markdown" => Some("md"),
        text if is_text(text) => Some("txt"),
        other => document_ending(other).filter(|ending| *ending != "pptx"),
    }
}
