//! A conversation, in the order in which it happened.

use std::fmt;
use std::sync::Arc;

use serde::de::{self, Deserializer};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::request::{ModelRequest, RequestPart};
use super::response::ModelResponse;
use super::stored::{Fields, Stored};

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
/// Cloning shares them, and adding to a history copies none of them, however many handles there are. In JSON a history
/// is the list of its messages; parts and keys that this version does not know are kept and stored again
/// (specification: behaviours 15, decision 13).
#[derive(Clone, Default)]
pub struct History {
    /// Messages that no longer change: the first `settled` are this history's, any others are those of handles that
    /// have gone on from it.
    log: Arc<boxcar::Vec<Arc<Message>>>,
    settled: usize,
    /// The newest message, which may still be edited.
    newest: Option<Arc<Message>>,
}

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
        match serde_json::to_string(self) {
            Ok(text) => text,
            Err(error) => unreachable!("messages are made of what JSON has: {error}"),
        }
    }

    /// The messages, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.shared().map(AsRef::as_ref)
    }

    fn shared(&self) -> impl DoubleEndedIterator<Item = &Arc<Message>> {
        self.shared_from(0)
    }

    /// The shared messages from `start` on: what a provider has encoded already is told by their addresses.
    pub(crate) fn shared_from(&self, start: usize) -> impl DoubleEndedIterator<Item = &Arc<Message>> {
        let newest = self.newest.as_ref().filter(|_| start <= self.settled);
        (start..self.settled).map(|place| &self.log[place]).chain(newest)
    }

    /// How many messages both begin with, as far as they share them.
    pub(crate) fn shared_with(&self, other: &Self) -> usize {
        // A log is only ever added to, so two handles of one log need not be compared: a step would else cost more with
        // every step before it.
        let same = if Arc::ptr_eq(&self.log, &other.log) { self.settled.min(other.settled) } else { 0 };
        let rest = self.shared_from(same).zip(other.shared_from(same));
        same + rest.take_while(|(a, b)| Arc::ptr_eq(a, b)).count()
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.settled + usize::from(self.newest.is_some())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    /// The newest message.
    #[must_use]
    pub fn last(&self) -> Option<&Message> {
        self.newest.as_deref()
    }

    /// The messages from `start` on.
    #[must_use]
    pub fn since(&self, start: usize) -> Self {
        let mut since = Self::new();
        self.shared_from(start).for_each(|message| since.push_shared(message.clone()));
        since
    }

    /// Adds a message.
    pub fn push(&mut self, message: impl Into<Message>) {
        self.push_shared(Arc::new(message.into()));
    }

    pub(crate) fn push_shared(&mut self, message: Arc<Message>) {
        if let Some(settled) = self.newest.replace(message) {
            self.settle(settled);
        }
    }

    /// Adds to the log where this history ends; a log that has gone on without it is left to those who went.
    fn settle(&mut self, message: Arc<Message>) {
        if self.log.count() != self.settled || self.log.push(message.clone()) != self.settled {
            let log: boxcar::Vec<_> = (0..self.settled).map(|place| self.log[place].clone()).collect();
            log.push(message);
            self.log = Arc::new(log);
        }
        self.settled += 1;
    }

    /// Changes the newest message, when it is a request.
    pub(crate) fn edit_last_request(&mut self, edit: impl FnOnce(&mut ModelRequest)) {
        if let Some(newest) = &mut self.newest
            && let Message::Request(request) = Arc::make_mut(newest)
        {
            edit(request);
        }
    }

    /// Takes the newest message away, when it is a request.
    pub(crate) fn pop_request(&mut self) -> Option<ModelRequest> {
        matches!(self.last(), Some(Message::Request(_))).then_some(())?;
        let newest = self.newest.take()?;
        if let Some(before) = self.settled.checked_sub(1) {
            self.newest = Some(self.log[before].clone());
            self.settled = before;
        }
        match Arc::unwrap_or_clone(newest) {
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

    /// The instructions of the newest request: older ones no longer hold.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        let newest = self.iter().rev().find_map(|message| match message {
            Message::Request(request) => Some(request),
            Message::Response(_) => None,
        });
        newest.and_then(|request| request.instructions.as_deref())
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.shared().zip(other.shared()).all(|(a, b)| Arc::ptr_eq(a, b) || a == b)
    }
}

impl<M: Into<Message>> FromIterator<M> for History {
    fn from_iter<I: IntoIterator<Item = M>>(messages: I) -> Self {
        let mut history = Self::new();
        history.extend(messages);
        history
    }
}

impl<M: Into<Message>> Extend<M> for History {
    fn extend<I: IntoIterator<Item = M>>(&mut self, messages: I) {
        messages.into_iter().for_each(|message| self.push(message));
    }
}

impl From<Vec<Message>> for History {
    fn from(messages: Vec<Message>) -> Self {
        messages.into_iter().collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Message {
        ModelResponse::text(text).into()
    }

    fn texts(history: &History) -> Vec<String> {
        history
            .iter()
            .map(|message| serde_json::to_value(message).expect("JSON")["parts"][0]["content"].to_string())
            .collect()
    }

    #[test]
    fn handles_that_go_on_from_one_history_do_not_meet() {
        let mut first: History = [said("a"), said("b")].into_iter().collect();
        let mut second = first.clone();
        first.push(said("c"));
        first.push(said("d"));
        second.push(said("x"));
        second.push(said("y"));
        assert_eq!(texts(&first), [r#""a""#, r#""b""#, r#""c""#, r#""d""#]);
        assert_eq!(texts(&second), [r#""a""#, r#""b""#, r#""x""#, r#""y""#]);
    }

    #[test]
    fn what_two_histories_share_is_told_whatever_became_of_them() {
        let mut first: History = [said("a"), said("b")].into_iter().collect();
        let mut second = first.clone();
        assert_eq!(first.shared_with(&second), 2);
        first.push(said("c"));
        assert_eq!((first.shared_with(&second), second.shared_with(&first)), (2, 2));
        second.push(said("c"));
        second.push(said("d"));
        assert_eq!((first.shared_with(&second), second.shared_with(&first)), (2, 2));
        second.push(ModelRequest::new(Vec::new()));
        let third = second.clone();
        second.edit_last_request(|request| request.instructions = Some("x".to_owned()));
        assert_eq!(third.shared_with(&second), 4);
        second.pop_request();
        second.push(said("e"));
        assert_eq!((third.shared_with(&second), third.shared_with(&third)), (4, 5));
        assert_eq!(History::new().shared_with(&third), 0);
    }

    #[test]
    fn an_edit_of_the_newest_request_does_not_show_in_clones() {
        let mut history = History::new();
        history.push(ModelRequest::new(Vec::new()));
        let before = history.clone();
        history.edit_last_request(|request| request.instructions = Some("x".to_owned()));
        assert_eq!((before.instructions(), history.instructions()), (None, Some("x")));
    }

    #[test]
    fn a_popped_request_leaves_the_rest() {
        let mut history: History = [said("a")].into_iter().collect();
        history.push(ModelRequest::new(Vec::new()));
        assert!(history.pop_request().is_some());
        assert!(history.pop_request().is_none());
        history.push(said("b"));
        assert_eq!(texts(&history), [r#""a""#, r#""b""#]);
    }
}
