//! A conversation, in the order in which it happened.

use std::fmt;
use std::sync::Arc;

use serde::de::{self, Deserializer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::request::{ModelRequest, RequestPart};
use super::response::ModelResponse;
use super::stored::{Fields, Stored};
use crate::json::Json;

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Message {
    /// To the model.
    Request(ModelRequest),
    /// From the model.
    Response(ModelResponse),
}

impl From<ModelRequest> for Message {
    fn from(request: ModelRequest) -> Self {
        Self::Request(request)
    }
}

impl From<ModelResponse> for Message {
    fn from(response: ModelResponse) -> Self {
        Self::Response(response)
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Request(request) => {
                request.write(&mut map)?;
                map.serialize_entry("kind", ModelRequest::TAG)?;
            }
            Self::Response(response) => {
                response.write(&mut map)?;
                map.serialize_entry("kind", ModelResponse::TAG)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let kind: String = fields.require("kind").map_err(de::Error::custom)?;
        let message = match kind.as_str() {
            ModelRequest::TAG => ModelRequest::from_fields(fields).map(Self::Request),
            ModelResponse::TAG => ModelResponse::from_fields(fields).map(Self::Response),
            other => return Err(de::Error::custom(format!("message kind `{other}` is neither request nor response"))),
        };
        message.map_err(|error| de::Error::custom(format!("message `{kind}`: {error}")))
    }
}

/// The messages of a conversation, oldest first.
///
/// Cloning shares them. In JSON a history is the list of its messages; parts and keys that this version does not know
/// are kept and stored again (specification: behaviours 15, decision 13).
#[derive(Clone, Default, PartialEq)]
pub struct History(Arc<Vec<Arc<Message>>>);

impl History {
    /// An empty conversation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads a stored conversation.
    ///
    /// # Errors
    ///
    /// When `text` is no list of messages; the error names the part and field.
    pub fn from_json(text: &str) -> crate::Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            crate::Error::misuse("the stored history could not be read; see the source for the part and field")
                .with_source(error)
        })
    }

    /// The conversation as JSON, to be stored.
    #[must_use]
    pub fn to_json(&self) -> String {
        Json::of(self).map_or_else(|_| "[]".to_owned(), |json| json.text().to_owned())
    }

    /// The messages, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.0.iter().map(AsRef::as_ref)
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The newest message.
    #[must_use]
    pub fn last(&self) -> Option<&Message> {
        self.iter().next_back()
    }

    /// The messages from `start` on.
    #[must_use]
    pub fn since(&self, start: usize) -> Self {
        Self(Arc::new(self.0.get(start..).unwrap_or_default().to_vec()))
    }

    /// Adds a message.
    pub fn push(&mut self, message: impl Into<Message>) {
        Arc::make_mut(&mut self.0).push(Arc::new(message.into()));
    }

    /// The shared messages: what a provider has encoded already is told by their addresses.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only providers encode messages"))]
    pub(crate) fn shared(&self) -> &[Arc<Message>] {
        &self.0
    }

    /// Changes the newest message, when it is a request.
    pub(crate) fn edit_last_request(&mut self, edit: impl FnOnce(&mut ModelRequest)) {
        if let Some(last) = Arc::make_mut(&mut self.0).last_mut()
            && let Message::Request(request) = Arc::make_mut(last)
        {
            edit(request);
        }
    }

    /// Takes the newest message away, when it is a request.
    pub(crate) fn pop_request(&mut self) -> Option<ModelRequest> {
        matches!(self.last(), Some(Message::Request(_))).then_some(())?;
        let message = Arc::make_mut(&mut self.0).pop()?;
        match Arc::unwrap_or_clone(message) {
            Message::Request(request) => Some(request),
            Message::Response(_) => None,
        }
    }

    /// The parts of all requests, oldest first.
    pub fn request_parts(&self) -> impl Iterator<Item = &RequestPart> {
        self.iter().flat_map(|message| match message {
            Message::Request(request) => request.parts.as_slice(),
            Message::Response(_) => &[],
        })
    }

    /// The instructions of the newest request that has some.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.iter().rev().find_map(|message| match message {
            Message::Request(request) => request.instructions.as_deref(),
            Message::Response(_) => None,
        })
    }
}

impl<M: Into<Message>> FromIterator<M> for History {
    fn from_iter<I: IntoIterator<Item = M>>(messages: I) -> Self {
        Self(Arc::new(messages.into_iter().map(|message| Arc::new(message.into())).collect()))
    }
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for History {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Message>::deserialize(deserializer).map(|messages| messages.into_iter().collect())
    }
}
