//! What a kind says of its arguments and content: a type, or nothing.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::args::{ArgsReader, ReadOptions};
use crate::json::Json;
use crate::message::ToolContent;
use crate::tool::ToolParameter;

/// What a kind says of its arguments or content: a type that can be read and has a JSON schema, or nothing.
#[diagnostic::on_unimplemented(
    message = "a kind cannot say that its arguments or its content are `{Self}`",
    label = "this type has no JSON schema, or cannot be read from JSON",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it, or leave the option out"
)]
pub trait KindShape: 'static {
    /// What is read.
    type Value: Send + 'static;

    /// The schema, where there is one.
    #[doc(hidden)]
    fn schema() -> Option<Value>;

    /// Reads the text of a call's arguments as tools do: with `"1"` for 1 and the like.
    #[doc(hidden)]
    fn read_args(text: &str) -> Option<Self::Value>;

    /// Reads a result. One that is a string may be JSON in a string.
    #[doc(hidden)]
    fn read_content(content: &ToolContent) -> Option<Self::Value>;
}

#[diagnostic::do_not_recommend]
impl<T: ToolParameter> KindShape for T {
    type Value = T;

    fn schema() -> Option<Value> {
        Some(SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value())
    }

    fn read_args(text: &str) -> Option<T> {
        let mut reader = ArgsReader::new(text, ReadOptions { lenient: true, whole: true }).ok()?;
        let args = reader.get("");
        reader.finish().ok()?;
        args
    }

    fn read_content(content: &ToolContent) -> Option<T> {
        let json = content.to_json();
        json.read().ok().or_else(|| serde_json::from_str(&json.as_str()?).ok())
    }
}

/// Nothing is said: any arguments that are an object fit, and any content.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum AnyShape {}

#[diagnostic::do_not_recommend]
impl KindShape for AnyShape {
    type Value = Json;

    fn schema() -> Option<Value> {
        None
    }

    fn read_args(text: &str) -> Option<Json> {
        Json::from_text(text).ok().filter(Json::is_object)
    }

    fn read_content(content: &ToolContent) -> Option<Json> {
        Some(content.to_json())
    }
}
