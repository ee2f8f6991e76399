//! Values with files in them: `{"$file": {…}}` stands for one.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use toolwright::error::BoxError;
use toolwright::message::{Prompt, UserContent};
use toolwright::{AudioUrl, BinaryContent, DocumentUrl, File, ImageUrl, VideoUrl};

/// A value in which files are files: what a tool of an application would return.
pub(crate) enum Given {
    Json(Value),
    File(File),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Given {
    pub(crate) fn new(value: &Value) -> Result<Self, BoxError> {
        Ok(match value {
            Value::Object(map) if map.contains_key("$file") => Self::File(file(&map["$file"])?),
            Value::Object(map) => {
                let entry = |(key, value): (&String, &Value)| Ok((key.clone(), Self::new(value)?));
                Self::Object(map.iter().map(entry).collect::<Result<_, BoxError>>()?)
            }
            Value::Array(items) => Self::List(items.iter().map(Self::new).collect::<Result<_, _>>()?),
            other => Self::Json(other.clone()),
        })
    }
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Json(value) => value.serialize(serializer),
            Self::File(file) => file.serialize(serializer),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

/// A prompt, or content beside a tool's result: a text, or a list of texts and files.
pub(crate) fn prompt(value: &Value) -> Result<Prompt, BoxError> {
    let piece = |value: &Value| -> Result<UserContent, BoxError> {
        match (value, Given::new(value)?) {
            (Value::String(text), _) => Ok(text.as_str().into()),
            (_, Given::File(file)) => Ok(UserContent::File(file)),
            _ => Err(format!("needs a prompt with {value} in it").into()),
        }
    };
    match value {
        Value::Array(pieces) => Ok(pieces.iter().map(piece).collect::<Result<Vec<_>, _>>()?.into()),
        one => Ok(piece(one)?.into()),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSpec {
    kind: String,
    media_type: Option<String>,
    data: Option<String>,
    url: Option<String>,
    identifier: Option<String>,
}

macro_rules! url_file {
    ($type:ident, $spec:ident) => {{
        let mut file = $type::new($spec.url.ok_or("a file without its `url`")?);
        if let Some(media_type) = $spec.media_type {
            file = file.with_media_type(media_type);
        }
        if let Some(identifier) = $spec.identifier {
            file = file.with_identifier(identifier);
        }
        file.into()
    }};
}

fn file(value: &Value) -> Result<File, BoxError> {
    let spec: FileSpec = serde_json::from_value(value.clone())?;
    Ok(match spec.kind.as_str() {
        "binary" => {
            let data = STANDARD.decode(spec.data.ok_or("a file without its `data`")?)?;
            let file = BinaryContent::new(data, spec.media_type.ok_or("bytes without their `media_type`")?);
            spec.identifier.into_iter().fold(file, BinaryContent::with_identifier).into()
        }
        "image-url" => url_file!(ImageUrl, spec),
        "document-url" => url_file!(DocumentUrl, spec),
        "audio-url" => url_file!(AudioUrl, spec),
        "video-url" => url_file!(VideoUrl, spec),
        other => return Err(format!("needs files of the kind `{other}`").into()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright::message::ToolContent;
    use toolwright::tool::ToolOutput;

    use super::*;

    #[test]
    fn a_file_is_a_file_at_the_top_and_in_a_list() {
        let file = json!({"$file": {"kind": "binary", "media_type": "image/png", "data": "cG5n"}});
        let content = |value: Value| Given::new(&value).expect("a value").to_content().expect("content");
        assert!(matches!(content(file.clone()), ToolContent::File(File::Binary(_))));
        assert_eq!(content(json!([1, file])).files().count(), 1);
        let inside = content(json!({"pic": file}));
        assert_eq!((inside.files().count(), inside.to_json().to_value()["pic"]["kind"].clone()), (0, json!("binary")));
    }

    #[test]
    fn a_url_keeps_the_name_and_type_it_was_given() {
        let spec = json!({"kind": "video-url", "url": "https://a/b", "media_type": "video/mp4", "identifier": "clip"});
        let file = file(&spec).expect("a file");
        assert_eq!((file.url(), file.media_type(), file.identifier()), (Some("https://a/b"), "video/mp4", "clip"));
        assert!(super::file(&json!({"kind": "video-url"})).is_err());
        assert!(super::file(&json!({"kind": "hologram"})).is_err());
    }

    #[test]
    fn a_prompt_is_a_text_or_a_list_with_files() {
        assert_eq!(prompt(&json!("Go.")).expect("a prompt").as_text(), Some("Go."));
        let mixed = json!(["See:", {"$file": {"kind": "image-url", "url": "https://a/b.png"}}]);
        assert!(matches!(prompt(&mixed).expect("a prompt").pieces(), [UserContent::Text(_), UserContent::File(_)]));
        assert!(prompt(&json!(1)).is_err());
    }
}
