//! What stands in a message: a user's content, and a tool's result.

use serde::de::{self, Deserializer};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::cache_point::CachePoint;
use super::file::File;
use crate::json::Json;

/// One piece of what a user says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum UserContent {
    /// Words.
    Text(String),
    /// A file.
    File(File),
    /// A place up to which the provider may cache the request.
    CachePoint(CachePoint),
    /// Something a newer version stored; kept, and left out of requests.
    Unknown(Json),
}

impl From<&str> for UserContent {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for UserContent {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<CachePoint> for UserContent {
    fn from(point: CachePoint) -> Self {
        Self::CachePoint(point)
    }
}

impl<T: Into<File>> From<T> for UserContent {
    fn from(file: T) -> Self {
        Self::File(file.into())
    }
}

impl Serialize for UserContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::File(file) => file.serialize(serializer),
            Self::CachePoint(point) => point.serialize(serializer),
            Self::Unknown(json) => json.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for UserContent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        match (json.as_str(), kind_of(&json)) {
            (Some(text), _) => Ok(Self::Text(text)),
            (None, Some(kind)) if File::is_kind(&kind) => json.read().map(Self::File).map_err(de::Error::custom),
            // One of a form that only a newer version knows is kept as it is.
            (None, Some(kind)) if kind == CachePoint::KIND => {
                Ok(json.read().map_or(Self::Unknown(json), Self::CachePoint))
            }
            _ => Ok(Self::Unknown(json)),
        }
    }
}

/// What a user says: one piece, or a list of them, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    pieces: Vec<UserContent>,
    /// Whether it is stored as a list: a text alone need not be, but one that was put into a list stays there.
    is_list: bool,
}

impl Prompt {
    /// The pieces, in order.
    #[must_use]
    pub fn pieces(&self) -> &[UserContent] {
        &self.pieces
    }

    fn list<T: Into<UserContent>>(pieces: impl IntoIterator<Item = T>) -> Self {
        Self { pieces: pieces.into_iter().map(Into::into).collect(), is_list: true }
    }

    /// The text, when the prompt is nothing else.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [UserContent::Text(text)] if !self.is_list => Some(text),
            _ => None,
        }
    }
}

impl<T: Into<UserContent>> From<T> for Prompt {
    fn from(piece: T) -> Self {
        let piece = piece.into();
        let is_list = !matches!(piece, UserContent::Text(_));
        Self { pieces: vec![piece], is_list }
    }
}

impl<T: Into<UserContent>> From<Vec<T>> for Prompt {
    fn from(pieces: Vec<T>) -> Self {
        Self::list(pieces)
    }
}

impl<T: Into<UserContent>, const N: usize> From<[T; N]> for Prompt {
    fn from(pieces: [T; N]) -> Self {
        Self::list(pieces)
    }
}

impl Serialize for Prompt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_text() {
            Some(text) => serializer.serialize_str(text),
            None => self.pieces.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Prompt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        if json.is_array() {
            json.read::<Vec<UserContent>>().map(Self::list).map_err(de::Error::custom)
        } else {
            json.read::<UserContent>().map(Self::from).map_err(de::Error::custom)
        }
    }
}

/// What a tool gave back: JSON, a file, or a list of both.
///
/// Files count at the top and as items of a list; one inside an object is data like any other.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolContent {
    /// A JSON value.
    Json(Json),
    /// One file.
    File(File),
    /// A list that holds at least one file.
    List(Vec<ToolContentItem>),
}

/// One item of a [`ToolContent::List`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolContentItem {
    /// A JSON value.
    Json(Json),
    /// A file.
    File(File),
}

impl ToolContent {
    /// A text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Json(text.into())
    }

    /// The JSON form of the content, files included.
    #[must_use]
    pub fn to_json(&self) -> Json {
        match self {
            Self::Json(json) => json.clone(),
            // A file's form is made of strings and known JSON.
            other => Json::of(other).unwrap_or_else(|_| Json::null()),
        }
    }

    /// The content as a tool's own type.
    ///
    /// # Errors
    ///
    /// When it does not fit `T`.
    pub fn read<T: de::DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        self.to_json().read()
    }

    /// The files, in order.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        let (one, list) = match self {
            Self::Json(_) => (None, [].as_slice()),
            Self::File(file) => (Some(file), [].as_slice()),
            Self::List(items) => (None, items.as_slice()),
        };
        one.into_iter().chain(list.iter().filter_map(|item| match item {
            ToolContentItem::File(file) => Some(file),
            ToolContentItem::Json(_) => None,
        }))
    }

    /// What stored content vouches for: the digests of its files at URLs, unless it is a scalar. Bytes need no voucher.
    pub(crate) fn file_digests(&self) -> Option<Vec<String>> {
        if let Self::Json(json) = self {
            return (json.is_object() || json.is_array()).then(Vec::new);
        }
        let at_urls = self.files().filter(|file| file.url().is_some());
        let mut digests: Vec<_> = at_urls.filter_map(|file| Json::of(file).ok()).map(|json| json.digest()).collect();
        digests.sort();
        digests.dedup();
        Some(digests)
    }

    /// Turns URL-shaped objects back into files, where `digests` vouch that they were files when stored.
    ///
    /// A tool's data can look just like a stored file; without this check a model could smuggle in a URL to be fetched.
    pub(crate) fn revive_urls(self, digests: &[String]) -> Self {
        let revive = |json: Json| match kind_of(&json) {
            Some(kind) if File::is_url_kind(&kind) && digests.contains(&json.digest()) => {
                json.read().map_or(ToolContentItem::Json(json), ToolContentItem::File)
            }
            _ => ToolContentItem::Json(json),
        };
        if digests.is_empty() {
            return self;
        }
        match self {
            Self::Json(json) if json.is_array() => match json.read::<Vec<Json>>() {
                Ok(items) => Self::from_items(items.into_iter().map(revive).collect(), json),
                Err(_) => Self::Json(json),
            },
            Self::Json(json) => match revive(json) {
                ToolContentItem::Json(json) => Self::Json(json),
                ToolContentItem::File(file) => Self::File(file),
            },
            Self::List(items) => Self::List(
                items
                    .into_iter()
                    .map(|item| match item {
                        ToolContentItem::Json(json) => revive(json),
                        file => file,
                    })
                    .collect(),
            ),
            file => file,
        }
    }

    fn from_items(items: Vec<ToolContentItem>, whole: Json) -> Self {
        if items.iter().any(|item| matches!(item, ToolContentItem::File(_))) {
            Self::List(items)
        } else {
            Self::Json(whole)
        }
    }
}

impl Default for ToolContent {
    fn default() -> Self {
        Self::Json(Json::null())
    }
}

impl From<Json> for ToolContent {
    fn from(json: Json) -> Self {
        Self::Json(json)
    }
}

impl From<Value> for ToolContent {
    fn from(value: Value) -> Self {
        Self::Json(value.into())
    }
}

impl<T: Into<File>> From<T> for ToolContent {
    fn from(file: T) -> Self {
        Self::File(file.into())
    }
}

impl Serialize for ToolContent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Json(json) => json.serialize(serializer),
            Self::File(file) => file.serialize(serializer),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    match item {
                        ToolContentItem::Json(json) => list.serialize_element(json)?,
                        ToolContentItem::File(file) => list.serialize_element(file)?,
                    }
                }
                list.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for ToolContent {
    /// Reads stored content. Bytes are files at once; URLs only once the part they are in vouches for them.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let revive = |json: Json| match kind_of(&json).as_deref() {
            Some("binary") => json.read().map_or(ToolContentItem::Json(json), ToolContentItem::File),
            _ => ToolContentItem::Json(json),
        };
        let json = Json::deserialize(deserializer)?;
        if json.is_array() {
            let items: Vec<Json> = json.read().map_err(de::Error::custom)?;
            return Ok(Self::from_items(items.into_iter().map(revive).collect(), json));
        }
        Ok(match revive(json) {
            ToolContentItem::Json(json) => Self::Json(json),
            ToolContentItem::File(file) => Self::File(file),
        })
    }
}

/// The `kind` of a JSON object that has one.
fn kind_of(json: &Json) -> Option<String> {
    #[derive(Deserialize)]
    struct Tag {
        kind: String,
    }
    if !json.is_object() || !json.text().contains("\"kind\"") {
        return None;
    }
    json.read::<Tag>().ok().map(|tag| tag.kind)
}
