//! A conversation as it was sent, so that the next request of a run only encodes what is new.

use std::sync::Arc;

use super::name::NameRule;
use super::turn::Turn;
use crate::error::Result;
use crate::message::{CacheTtl, History, Message};

/// How a provider takes messages. Two values that are equal write the same.
pub(crate) trait MessageForm: Clone + PartialEq {
    /// Which names of tools the provider takes.
    const NAMES: NameRule = NameRule::COMMON;

    /// Appends a turn to the draft. Whatever an error leaves in it is taken away again.
    ///
    /// # Errors
    ///
    /// Misuse, when a prompt cannot be sent to such a model.
    fn write(&self, turn: &Turn<'_>, draft: &mut Draft<'_>) -> Result<()>;
}

/// Where messages are written.
pub(crate) struct Draft<'d> {
    /// The system prompts before all other messages.
    pub(crate) opening: &'d mut Vec<u8>,
    /// The messages.
    pub(crate) messages: &'d mut Vec<u8>,
    names: &'d NameRule,
    /// Where prompts say that the request may be cached up to, by position in the messages.
    pub(crate) cache_points: &'d mut Vec<(usize, CacheTtl)>,
    /// The last position in the messages up to which the request may be cached, for an API that does not take every one.
    pub(crate) cacheable: &'d mut Option<usize>,
    /// How many documents there are, for an API that wants each to have a name of its own.
    pub(crate) documents: &'d mut usize,
    is_offered: &'d dyn Fn(&str) -> bool,
    announced: &'d mut Vec<(String, bool)>,
}

impl Draft<'_> {
    /// Whether nothing has been said but what opens the conversation.
    pub(crate) fn opens(&self) -> bool {
        self.messages.is_empty()
    }

    /// Says which tools have appeared, as far as the model has them now. Their names are as they are sent, so that no name
    /// can say anything else.
    pub(crate) fn announcement(&mut self, names: &[String]) -> Option<String> {
        let mut told = Vec::new();
        for name in names {
            let offered = (self.is_offered)(name);
            if !self.announced.iter().any(|(known, _)| known == name) {
                self.announced.push((name.clone(), offered));
            }
            if offered {
                told.push(format!("`{}`", self.names.wire(name)));
            }
        }
        (!told.is_empty()).then(|| format!("The following tool(s) are now available: {}", told.join(", ")))
    }
}

/// What a run has sent so far: the same messages are the same bytes in every request, and new ones are appended.
///
/// A message is known by its address; keeping the history keeps the address from being used for another one.
pub(crate) struct Transcript<F> {
    form: Option<F>,
    turns: Vec<Mark>,
    history: History,
    opening: Vec<u8>,
    messages: Vec<u8>,
    cache_points: Vec<(usize, CacheTtl)>,
    cacheable: Option<usize>,
    documents: usize,
    /// The names of tools that were looked up, with the answers.
    announced: Vec<(String, bool)>,
}

/// Where a turn ends: behind how many messages, and in the bytes.
#[derive(Clone, Copy, Default)]
struct Mark {
    messages: usize,
    opening_bytes: usize,
    message_bytes: usize,
    cache_points: usize,
    cacheable: Option<usize>,
    documents: usize,
}

impl<F> Default for Transcript<F> {
    fn default() -> Self {
        Self {
            form: None,
            turns: Vec::new(),
            history: History::default(),
            opening: Vec::new(),
            messages: Vec::new(),
            cache_points: Vec::new(),
            cacheable: None,
            documents: 0,
            announced: Vec::new(),
        }
    }
}

impl<F: MessageForm> Transcript<F> {
    /// Brings the transcript up to `history`; `is_offered` says whether the model has a tool in this request.
    ///
    /// # Errors
    ///
    /// Misuse, when a prompt cannot be sent to such a model.
    pub(crate) fn update(&mut self, history: &History, form: &F, is_offered: &dyn Fn(&str) -> bool) -> Result<()> {
        let fits = self.form.as_ref() == Some(form)
            && self.announced.iter().all(|(name, offered)| is_offered(name) == *offered);
        if !fits {
            *self = Self { form: Some(form.clone()), ..Self::default() };
        }
        self.keep_common(history);
        let mut end = self.end();
        let fresh: Vec<_> = history.shared_from(end.messages).cloned().collect();
        let mut fresh = fresh.as_slice();
        while let Some(messages) = next_turn(fresh) {
            fresh = &fresh[messages.len()..];
            let mut draft = Draft {
                opening: &mut self.opening,
                messages: &mut self.messages,
                names: &F::NAMES,
                cache_points: &mut self.cache_points,
                cacheable: &mut self.cacheable,
                documents: &mut self.documents,
                is_offered,
                announced: &mut self.announced,
            };
            if let Err(error) = form.write(&Turn::of(messages), &mut draft) {
                self.truncate();
                return Err(error);
            }
            end = Mark {
                messages: end.messages + messages.len(),
                opening_bytes: self.opening.len(),
                message_bytes: self.messages.len(),
                cache_points: self.cache_points.len(),
                cacheable: self.cacheable,
                documents: self.documents,
            };
            self.turns.push(end);
        }
        Ok(())
    }

    /// The system prompts before all other messages, as the form wrote them.
    pub(crate) fn opening(&self) -> &[u8] {
        &self.opening
    }

    /// All other messages, as the form wrote them.
    pub(crate) fn messages(&self) -> &[u8] {
        &self.messages
    }

    /// Where the request may be cached up to, by position in the messages.
    pub(crate) fn cache_points(&self) -> &[(usize, CacheTtl)] {
        &self.cache_points
    }

    /// The last position in the messages up to which the request may be cached, where the form says so.
    pub(crate) fn cacheable(&self) -> Option<usize> {
        self.cacheable
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.opening.len() + self.messages.len()
    }

    /// Where the last turn ends.
    fn end(&self) -> Mark {
        self.turns.last().copied().unwrap_or_default()
    }

    /// Drops what `history` does not begin with, and a last turn that it goes on with.
    fn keep_common(&mut self, history: &History) {
        let common = self.history.shared_with(history);
        let is_whole = |turn: &Mark| match history.shared_from(turn.messages).next() {
            Some(next) => turn.messages <= common && matches!(**next, Message::Response(_)),
            None => turn.messages == common && turn.messages == history.len(),
        };
        while self.turns.last().is_some_and(|turn| !is_whole(turn)) {
            self.turns.pop();
        }
        self.history = history.clone();
        self.truncate();
    }

    /// Drops what is written behind the last turn.
    fn truncate(&mut self) {
        let end = self.end();
        self.opening.truncate(end.opening_bytes);
        self.messages.truncate(end.message_bytes);
        self.cache_points.truncate(end.cache_points);
        self.cacheable = end.cacheable;
        self.documents = end.documents;
    }
}

/// A response, if it comes first, and the requests up to the next one.
fn next_turn(messages: &[Arc<Message>]) -> Option<&[Arc<Message>]> {
    let end = messages.iter().skip(1).position(|message| matches!(**message, Message::Response(_)));
    let turn = &messages[..end.map_or(messages.len(), |end| end + 1)];
    (!turn.is_empty()).then_some(turn)
}
