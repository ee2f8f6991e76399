//! What a tool gives back, and how it becomes content.

use serde::Serialize;
use serde::ser::{self, Impossible, SerializeSeq, SerializeTuple, SerializeTupleStruct};
use serde_json::Value;

use crate::error::BoxError;
use crate::json::Json;
use crate::message::{FILE_MARKER, File, Metadata, Prompt, ToolContent, ToolContentItem};

/// A tool's result with more than a value: content for the model beside the result, and data for the application.
///
/// Specification: "Advanced Tool Returns".
///
/// ```
/// use toolwright::{BinaryContent, ToolReturn};
/// use toolwright::message::UserContent;
///
/// let shot = BinaryContent::new(b"\x89PNG".as_slice(), "image/png");
/// let result = ToolReturn::new("Clicked at (0, 0)")
///     .content(vec![UserContent::from("After:"), shot.into()])
///     .metadata(serde_json::json!({"x": 0, "y": 0}));
/// # let _ = result;
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct ToolReturn<T = ToolContent> {
    pub(crate) value: T,
    pub(crate) content: Option<Prompt>,
    pub(crate) metadata: Option<Metadata>,
    pub(crate) reveal: Vec<String>,
}

impl<T> ToolReturn<T> {
    /// The value that answers the call.
    pub fn new(value: T) -> Self {
        Self { value, content: None, metadata: None, reveal: Vec::new() }
    }

    /// The value that answers the call.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Another value, with everything else as it is.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> ToolReturn<U> {
        let Self { value, content, metadata, reveal } = self;
        ToolReturn { value: map(value), content, metadata, reveal }
    }

    /// Content that the model gets after the result, as a message of its own, exactly as given.
    pub fn content(mut self, content: impl Into<Prompt>) -> Self {
        self.content = Some(content.into()).filter(|content| !is_empty(content));
        self
    }

    /// Data that stays with the result in the history and is never sent. A value that is no object is put under the key
    /// `value`.
    pub fn metadata(mut self, metadata: impl Into<Value>) -> Self {
        self.metadata = Some(match metadata.into() {
            Value::Object(map) => map,
            other => Metadata::from_iter([("value".to_owned(), other)]),
        });
        self
    }

    /// Hidden tools that the model has from its next response on, by their names as the model knows them. Each is told once,
    /// also across the runs of one history (specification: "Tool Search").
    pub fn reveal<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.reveal.extend(tools.into_iter().map(Into::into));
        self
    }

    pub(crate) fn try_map<U, E>(self, map: impl FnOnce(T) -> Result<U, E>) -> Result<ToolReturn<U>, E> {
        let Self { value, content, metadata, reveal } = self;
        Ok(ToolReturn { value: map(value)?, content, metadata, reveal })
    }
}

fn is_empty(content: &Prompt) -> bool {
    content.pieces().is_empty() || content.as_text() == Some("")
}

/// What a tool may return: anything that is `Serialize`, files and lists of files among it.
///
/// A tool may also return a [`ToolReturn`], or a `Result` of either with an error that is
/// `Into<Box<dyn Error + Send + Sync>>`.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    label = "this type is not `Serialize`",
    note = "a tool returns anything that is `serde::Serialize`, a `ToolReturn`, or a `Result` of either"
)]
pub trait ToolOutput {
    /// The value as content.
    ///
    /// # Errors
    ///
    /// What the value's own `Serialize` says.
    fn to_content(&self) -> Result<ToolContent, serde_json::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> ToolOutput for T {
    fn to_content(&self) -> Result<ToolContent, serde_json::Error> {
        match self.serialize(Probe) {
            Ok(content) => Ok(content),
            Err(Stop::Plain) => Json::of(self).map(ToolContent::Json),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// What a tool's body ends with: its result, or why there is none.
pub(crate) type Finished = Result<ToolReturn<ToolContent>, BoxError>;

/// Serializes only as far as needed to see whether a value is a file or a list; anything else stops it at once, so that
/// nothing is serialized twice.
struct Probe;

/// Why the probe has no content to give.
#[derive(Debug)]
enum Stop {
    /// The value is neither a file nor a list.
    Plain,
    Failed(serde_json::Error),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Plain => f.write_str("neither a file nor a list"),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Stop {}

impl ser::Error for Stop {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Failed(ser::Error::custom(message))
    }
}

macro_rules! stop_at {
    ($($method:ident($($argument:ty),*))*) => {
        $( fn $method(self, $(_: $argument),*) -> Result<ToolContent, Stop> { Err(Stop::Plain) } )*
    };
}

impl ser::Serializer for Probe {
    type Ok = ToolContent;
    type Error = Stop;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Impossible<ToolContent, Stop>;
    type SerializeMap = Impossible<ToolContent, Stop>;
    type SerializeStruct = Impossible<ToolContent, Stop>;
    type SerializeStructVariant = Impossible<ToolContent, Stop>;

    stop_at! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_u128(u128) serialize_f32(f32) serialize_f64(f64) serialize_char(char) serialize_str(&str)
        serialize_bytes(&[u8]) serialize_none() serialize_unit() serialize_unit_struct(&'static str)
        serialize_unit_variant(&'static str, u32, &'static str)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<ToolContent, Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<ToolContent, Stop> {
        if name != FILE_MARKER {
            return value.serialize(self);
        }
        let file: File = Json::of(value).and_then(|json| json.read()).map_err(Stop::Failed)?;
        Ok(ToolContent::File(file))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<ToolContent, Stop> {
        Err(Stop::Plain)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Stop> {
        Ok(Items(Vec::with_capacity(length.unwrap_or_default().min(1024))))
    }

    fn serialize_tuple(self, length: usize) -> Result<Items, Stop> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Items, Stop> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Stop> {
        Err(Stop::Plain)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Stop> {
        Err(Stop::Plain)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Stop> {
        Err(Stop::Plain)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Stop> {
        Err(Stop::Plain)
    }
}

/// A list, item by item: each is a file, or serialized once as JSON.
struct Items(Vec<ToolContentItem>);

impl Items {
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let item = match value.serialize(Probe) {
            Ok(ToolContent::File(file)) => ToolContentItem::File(file),
            Err(Stop::Failed(error)) => return Err(Stop::Failed(error)),
            Ok(ToolContent::Json(json)) => ToolContentItem::Json(json),
            // A file in a list within the list is data like any other.
            Ok(ToolContent::List(_)) | Err(Stop::Plain) => {
                ToolContentItem::Json(Json::of(value).map_err(Stop::Failed)?)
            }
        };
        self.0.push(item);
        Ok(())
    }

    fn finish(self) -> Result<ToolContent, Stop> {
        if self.0.iter().any(|item| matches!(item, ToolContentItem::File(_))) {
            return Ok(ToolContent::List(self.0));
        }
        let items: Vec<_> = self
            .0
            .iter()
            .filter_map(|item| match item {
                ToolContentItem::Json(json) => Some(json),
                ToolContentItem::File(_) => None,
            })
            .collect();
        Json::of(&items).map(ToolContent::Json).map_err(Stop::Failed)
    }
}

impl SerializeSeq for Items {
    type Ok = ToolContent;
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.add(value)
    }

    fn end(self) -> Result<ToolContent, Stop> {
        self.finish()
    }
}

impl SerializeTuple for Items {
    type Ok = ToolContent;
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.add(value)
    }

    fn end(self) -> Result<ToolContent, Stop> {
        self.finish()
    }
}

impl SerializeTupleStruct for Items {
    type Ok = ToolContent;
    type Error = Stop;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.add(value)
    }

    fn end(self) -> Result<ToolContent, Stop> {
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "a variant other than the one wanted fails a test")]

    use super::*;
    use crate::message::{BinaryContent, ImageUrl};

    fn png() -> BinaryContent {
        BinaryContent::new(b"png".as_slice(), "image/png")
    }

    #[test]
    fn files_count_at_the_top_and_in_a_list() {
        assert!(matches!(png().to_content(), Ok(ToolContent::File(_))));
        assert!(matches!(Some(ImageUrl::new("https://a/b.png")).to_content(), Ok(ToolContent::File(_))));
        let Ok(ToolContent::List(items)) = (1, png(), "x").to_content() else { unreachable!("no list") };
        assert!(matches!(
            items.as_slice(),
            [ToolContentItem::Json(_), ToolContentItem::File(_), ToolContentItem::Json(_)]
        ));
    }

    #[test]
    fn a_file_inside_an_object_is_data() {
        let Ok(ToolContent::Json(json)) = std::collections::BTreeMap::from([("pic", png())]).to_content() else {
            unreachable!("no JSON")
        };
        assert!(json.text().starts_with(r#"{"pic":{"data":"cG5n","media_type":"image/png","kind":"binary""#), "{json}");
    }

    #[test]
    fn values_and_lists_are_compact_json() {
        assert_eq!(vec![1, 2].to_content().expect("content"), ToolContent::from(serde_json::json!([1, 2])));
        let empty: [u8; 0] = [];
        assert_eq!(empty.to_content().expect("content").to_json().text(), "[]");
        assert_eq!(().to_content().expect("content").to_json().text(), "null");
        assert_eq!(f64::NAN.to_content().expect("content").to_json().text(), "null");
    }
}
