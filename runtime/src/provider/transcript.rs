//! A conversation as it was sent, so that the next request of a run only encodes what is new.

use std::sync::Arc;

use super::availability::Standing;
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
    standing: &'d dyn Fn(&str) -> Standing,
    looked_up: &'d mut Vec<(String, Standing)>,
    additions: &'d mut Vec<String>,
}

impl Draft<'_> {
    /// Whether nothing has been said but what opens the conversation.
    pub(crate) fn opens(&self) -> bool {
        self.messages.is_empty()
    }

    /// Where the tool stands in the request.
    pub(crate) fn standing(&mut self, name: &str) -> Standing {
        let standing = (self.standing)(name);
        if !self.looked_up.iter().any(|(known, _)| known == name) {
            self.looked_up.push((name.to_owned(), standing));
        }
        standing
    }

    /// Whether the messages have not yet said that this tool was added, which they say from here on.
    pub(crate) fn adds(&mut self, name: &str) -> bool {
        let is_new = !self.additions.iter().any(|known| known == name);
        if is_new {
            self.additions.push(name.to_owned());
        }
        is_new
    }

    /// Says which tools have appeared, as far as the model has them now. Their names are as they are sent, so that no name
    /// can say anything else.
    pub(crate) fn announcement(&mut self, names: &[String]) -> Option<String> {
        let rule = self.names;
        let told = names.iter().filter(|name| self.standing(name) != Standing::Absent);
        let told: Vec<_> = told.map(|name| format!("`{}`", rule.wire(name))).collect();
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
    looked_up: Vec<(String, Standing)>,
    /// The names of tools that the messages say were added.
    additions: Vec<String>,
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
    additions: usize,
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
            looked_up: Vec::new(),
            additions: Vec::new(),
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
        let standing = |name: &str| if is_offered(name) { Standing::Open } else { Standing::Absent };
        self.update_placed(history, form, &standing)
    }

    /// The same where tools may stand in several places.
    ///
    /// # Errors
    ///
    /// Misuse, when a prompt cannot be sent to such a model.
    pub(crate) fn update_placed(
        &mut self,
        history: &History,
        form: &F,
        standing: &dyn Fn(&str) -> Standing,
    ) -> Result<()> {
        let fits =
            self.form.as_ref() == Some(form) && self.looked_up.iter().all(|(name, known)| standing(name) == *known);
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
                standing,
                looked_up: &mut self.looked_up,
                additions: &mut self.additions,
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
                additions: self.additions.len(),
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

    /// Whether the messages say of any tool that it was added, in a form of the provider's.
    pub(crate) fn has_additions(&self) -> bool {
        !self.additions.is_empty()
    }

    /// Whether the messages say of this tool that it was added, in a form of the provider's.
    pub(crate) fn has_added(&self, name: &str) -> bool {
        self.additions.iter().any(|known| known == name)
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
        self.additions.truncate(end.additions);
    }
}

/// A response, if it comes first, and the requests up to the next one.
fn next_turn(messages: &[Arc<Message>]) -> Option<&[Arc<Message>]> {
    let end = messages.iter().skip(1).position(|message| matches!(**message, Message::Response(_)));
    let turn = &messages[..end.map_or(messages.len(), |end| end + 1)];
    (!turn.is_empty()).then_some(turn)
}
