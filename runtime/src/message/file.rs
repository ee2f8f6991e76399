//! Files: bytes in hand, or a URL that the model's provider fetches.

use std::fmt;

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, URL_SAFE};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;
use sha1::{Digest, Sha1};

use super::stored::{Extra, Fields, write_extra};

/// The name by which a serializer of ours tells a file from other data; see [`ToolContent`](super::ToolContent).
pub(crate) const FILE_MARKER: &str = "$toolwright::file";

/// A file in a prompt, in a tool's result, or beside it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum File {
    /// Bytes, with their media type.
    Binary(BinaryContent),
    /// An image at a URL.
    ImageUrl(ImageUrl),
    /// A document at a URL.
    DocumentUrl(DocumentUrl),
    /// A sound at a URL.
    AudioUrl(AudioUrl),
    /// A video at a URL.
    VideoUrl(VideoUrl),
}

impl File {
    /// A short name by which text can refer to the file.
    #[must_use]
    pub fn identifier(&self) -> &str {
        match self {
            Self::Binary(file) => &file.identifier,
            other => &other.url_file().1.identifier,
        }
    }

    /// The media type, such as `image/png`: given, or told from the URL's ending.
    #[must_use]
    pub fn media_type(&self) -> &str {
        match self {
            Self::Binary(file) => &file.media_type,
            other => &other.url_file().1.media_type,
        }
    }

    /// The URL, unless the bytes are in hand.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::Binary(_) => None,
            other => Some(&other.url_file().1.url),
        }
    }

    /// What sort of file it is, by its media type (bytes) or by its own type (a URL).
    #[must_use]
    pub fn class(&self) -> FileClass {
        match self {
            Self::Binary(file) => FileClass::of(&file.media_type),
            Self::ImageUrl(_) => FileClass::Image,
            Self::DocumentUrl(_) => FileClass::Document,
            Self::AudioUrl(_) => FileClass::Audio,
            Self::VideoUrl(_) => FileClass::Video,
        }
    }

    fn url_file(&self) -> (&'static str, &UrlFile) {
        match self {
            Self::ImageUrl(ImageUrl(file)) => (ImageUrl::KIND, file),
            Self::DocumentUrl(DocumentUrl(file)) => (DocumentUrl::KIND, file),
            Self::AudioUrl(AudioUrl(file)) => (AudioUrl::KIND, file),
            Self::VideoUrl(VideoUrl(file)) => (VideoUrl::KIND, file),
            Self::Binary(_) => unreachable!("bytes have no URL; every caller has looked"),
        }
    }

    /// Whether a stored object with this `kind` may be a file.
    pub(super) fn is_kind(kind: &str) -> bool {
        kind == BinaryContent::KIND || Self::is_url_kind(kind)
    }

    pub(super) fn is_url_kind(kind: &str) -> bool {
        [ImageUrl::KIND, DocumentUrl::KIND, AudioUrl::KIND, VideoUrl::KIND].contains(&kind)
    }
}

/// Sorts of files that models tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileClass {
    /// `image/*`.
    Image,
    /// `audio/*`.
    Audio,
    /// `video/*`.
    Video,
    /// Everything else.
    Document,
}

impl FileClass {
    /// The class of a media type.
    #[must_use]
    pub fn of(media_type: &str) -> Self {
        match media_type.split('/').next() {
            Some("image") => Self::Image,
            Some("audio") => Self::Audio,
            Some("video") => Self::Video,
            _ => Self::Document,
        }
    }
}

/// Bytes with their media type.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct BinaryContent {
    /// The bytes.
    pub data: Vec<u8>,
    /// Their media type, such as `image/png`.
    pub media_type: String,
    /// A short name by which text can refer to the file; the first six hex digits of the bytes' SHA-1 unless given.
    pub identifier: String,
    /// Keys that this version does not know; kept and stored again.
    pub extra: Extra,
}

impl BinaryContent {
    const KIND: &'static str = "binary";

    /// Bytes of a media type such as `image/png`.
    #[must_use]
    pub fn new(data: impl Into<Vec<u8>>, media_type: impl Into<String>) -> Self {
        let data = data.into();
        let identifier = identifier_of(&data);
        // Other programs read this key of a stored file; ours has no use for it.
        let extra = Extra::of([("vendor_metadata", Value::Null)]);
        Self { data, media_type: media_type.into(), identifier, extra }
    }

    /// Names the file.
    #[must_use]
    pub fn with_identifier(mut self, identifier: impl Into<String>) -> Self {
        self.identifier = identifier.into();
        self
    }
}

impl fmt::Debug for BinaryContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BinaryContent")
            .field("media_type", &self.media_type)
            .field("identifier", &self.identifier)
            .field("bytes", &self.data.len())
            .finish_non_exhaustive()
    }
}

/// What the four URL types share.
#[derive(Clone, Debug, PartialEq)]
struct UrlFile {
    url: String,
    media_type: String,
    identifier: String,
    extra: Extra,
}

impl UrlFile {
    fn new(url: String) -> Self {
        let media_type = media_type_of(&url).to_owned();
        let identifier = identifier_of(url.as_bytes());
        // Other programs read these keys of a stored URL; ours has no use for them.
        let extra = Extra::of([("force_download", false.into()), ("vendor_metadata", Value::Null)]);
        Self { url, media_type, identifier, extra }
    }
}

macro_rules! url_file {
    ($(#[$meta:meta])* $name:ident, $kind:literal) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(UrlFile);

        impl $name {
            const KIND: &'static str = $kind;

            /// The file at this URL. Its media type is told from the URL's ending; see [`Self::with_media_type`].
            #[must_use]
            pub fn new(url: impl Into<String>) -> Self {
                Self(UrlFile::new(url.into()))
            }

            /// Sets the media type, where the URL does not show it.
            #[must_use]
            pub fn with_media_type(mut self, media_type: impl Into<String>) -> Self {
                self.0.media_type = media_type.into();
                self
            }

            /// Names the file; the first six hex digits of the URL's SHA-1 unless given.
            #[must_use]
            pub fn with_identifier(mut self, identifier: impl Into<String>) -> Self {
                self.0.identifier = identifier.into();
                self
            }

            /// The URL.
            #[must_use]
            pub fn url(&self) -> &str {
                &self.0.url
            }
        }

        impl From<$name> for File {
            fn from(file: $name) -> Self {
                Self::$name(file)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(FILE_MARKER, &StoredUrl(Self::KIND, &self.0))
            }
        }
    };
}

url_file!(
    /// An image at a URL. Returned by a tool, or put in a prompt.
    ImageUrl, "image-url"
);
url_file!(
    /// A document at a URL. Returned by a tool, or put in a prompt.
    DocumentUrl, "document-url"
);
url_file!(
    /// A sound at a URL. Returned by a tool, or put in a prompt.
    AudioUrl, "audio-url"
);
url_file!(
    /// A video at a URL. Returned by a tool, or put in a prompt.
    VideoUrl, "video-url"
);

impl From<BinaryContent> for File {
    fn from(file: BinaryContent) -> Self {
        Self::Binary(file)
    }
}

struct StoredUrl<'a>(&'static str, &'a UrlFile);

impl Serialize for StoredUrl<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(kind, file) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("url", &file.url)?;
        map.serialize_entry("kind", kind)?;
        map.serialize_entry("media_type", &file.media_type)?;
        map.serialize_entry("identifier", &file.identifier)?;
        write_extra(&mut map, &file.extra)?;
        map.end()
    }
}

struct StoredBinary<'a>(&'a BinaryContent);

impl Serialize for StoredBinary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("data", &URL_SAFE.encode(&self.0.data))?;
        map.serialize_entry("media_type", &self.0.media_type)?;
        map.serialize_entry("kind", BinaryContent::KIND)?;
        map.serialize_entry("identifier", &self.0.identifier)?;
        write_extra(&mut map, &self.0.extra)?;
        map.end()
    }
}

impl Serialize for BinaryContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(FILE_MARKER, &StoredBinary(self))
    }
}

impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Binary(file) => file.serialize(serializer),
            other => {
                let (kind, file) = other.url_file();
                serializer.serialize_newtype_struct(FILE_MARKER, &StoredUrl(kind, file))
            }
        }
    }
}

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let kind: String = fields.require("kind").map_err(de::Error::custom)?;
        if kind == BinaryContent::KIND {
            return binary_from(fields).map(Self::Binary).map_err(de::Error::custom);
        }
        let file = url_from(&mut fields).map_err(de::Error::custom)?;
        let file = UrlFile { extra: fields.rest(), ..file };
        match kind.as_str() {
            ImageUrl::KIND => Ok(Self::ImageUrl(ImageUrl(file))),
            DocumentUrl::KIND => Ok(Self::DocumentUrl(DocumentUrl(file))),
            AudioUrl::KIND => Ok(Self::AudioUrl(AudioUrl(file))),
            VideoUrl::KIND => Ok(Self::VideoUrl(VideoUrl(file))),
            other => Err(de::Error::custom(format!("`{other}` is no kind of file"))),
        }
    }
}

impl<'de> Deserialize<'de> for BinaryContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match File::deserialize(deserializer)? {
            File::Binary(file) => Ok(file),
            other => Err(de::Error::custom(format!("a file's bytes are wanted, and this is `{}`", other.url_file().0))),
        }
    }
}

fn binary_from(mut fields: Fields) -> Result<BinaryContent, String> {
    let text: String = fields.require("data").map_err(|error| error.to_string())?;
    let data = decode_base64(&text)?;
    let media_type: String = fields.require("media_type").map_err(|error| error.to_string())?;
    let identifier: Option<String> = fields.take("identifier").map_err(|error| error.to_string())?;
    let mut file = BinaryContent::new(data, media_type);
    if let Some(identifier) = identifier {
        file.identifier = identifier;
    }
    file.extra = fields.rest();
    Ok(file)
}

fn url_from(fields: &mut Fields) -> Result<UrlFile, String> {
    let url: String = fields.require("url").map_err(|error| error.to_string())?;
    let media_type: Option<String> = fields.take("media_type").map_err(|error| error.to_string())?;
    let identifier: Option<String> = fields.take("identifier").map_err(|error| error.to_string())?;
    let mut file = UrlFile::new(url);
    file.media_type = media_type.unwrap_or(file.media_type);
    file.identifier = identifier.unwrap_or(file.identifier);
    Ok(file)
}

/// Reads base64 in either alphabet, padded or not.
fn decode_base64(text: &str) -> Result<Vec<u8>, String> {
    const LENIENT: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    const URL: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::URL_SAFE, LENIENT);
    const STANDARD: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, LENIENT);
    let engine = if text.contains(['+', '/']) { STANDARD } else { URL };
    engine.decode(text).map_err(|error| format!("the data is no base64: {error}"))
}

fn identifier_of(bytes: &[u8]) -> String {
    let digest = Sha1::digest(bytes);
    format!("{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2])
}

/// Whether a URL leads to a video by no ending of its own.
fn is_youtube(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    matches!(host, "youtu.be" | "youtube.com" | "www.youtube.com" | "m.youtube.com")
}

/// The media type that a URL's ending tells, or one that says nothing.
fn media_type_of(url: &str) -> &'static str {
    if is_youtube(url) {
        return "video/mp4";
    }
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("gif") => "image/gif",
        Some("webp") => "image/webp",
        Some("svg") => "image/svg+xml",
        Some("bmp") => "image/bmp",
        Some("tif" | "tiff") => "image/tiff",
        Some("pdf") => "application/pdf",
        Some("txt") => "text/plain",
        Some("csv") => "text/csv",
        Some("html" | "htm") => "text/html",
        Some("md") => "text/markdown",
        Some("json") => "application/json",
        Some("xml") => "application/xml",
        Some("doc") => "application/msword",
        Some("docx") => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Some("xls") => "application/vnd.ms-excel",
        Some("xlsx") => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Some("mp3") => "audio/mpeg",
        Some("wav") => "audio/wav",
        Some("flac") => "audio/flac",
        Some("ogg" | "oga") => "audio/ogg",
        Some("aac") => "audio/aac",
        Some("aiff") => "audio/aiff",
        Some("mp4") => "video/mp4",
        Some("mov") => "video/quicktime",
        Some("mkv") => "video/x-matroska",
        Some("webm") => "video/webm",
        Some("mpeg" | "mpg") => "video/mpeg",
        Some("wmv") => "video/x-ms-wmv",
        Some("3gp") => "video/3gpp",
        _ => "application/octet-stream",
    }
}
