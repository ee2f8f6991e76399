//! Parts that a provider numbers, so that a piece says which one it goes on with.

use super::{Form, IncomingParts, Told};
use crate::message::{TextPart, ThinkingPart};
use crate::model::PartDelta;

impl IncomingParts<'_, '_> {
    /// Begins a text, with what is there of it, and gives its place.
    pub(crate) fn begin_text(&mut self, part: TextPart) -> usize {
        self.push(Form::Text(part));
        self.parts.len() - 1
    }

    /// Begins thoughts, with what is there of them, and gives their place.
    pub(crate) fn begin_thinking(&mut self, part: ThinkingPart) -> usize {
        self.push(Form::Thinking(part));
        self.parts.len() - 1
    }

    /// Adds words to the text or the thoughts at a place.
    pub(crate) fn add_words(&mut self, at: usize, words: String) {
        if words.is_empty() {
            return;
        }
        match self.parts.get_mut(at).map(|part| &mut part.form) {
            Some(Form::Text(part)) => {
                part.content.push_str(&words);
                self.tell(at, || PartDelta::Text(words));
            }
            Some(Form::Thinking(part)) => {
                part.content.push_str(&words);
                self.tell(at, || PartDelta::Thinking(words));
            }
            Some(Form::Call(_) | Form::Whole(_)) | None => {}
        }
    }

    /// Makes the text or the thoughts at a place what they are in the end, whatever of them came.
    pub(crate) fn end_words(&mut self, at: usize, whole: &str) {
        let content = match self.parts.get_mut(at).map(|part| &mut part.form) {
            Some(Form::Text(part)) => &mut part.content,
            Some(Form::Thinking(part)) => &mut part.content,
            Some(Form::Call(_) | Form::Whole(_)) | None => return,
        };
        if let Some(rest) = whole.strip_prefix(content.as_str()) {
            let rest = rest.to_owned();
            return self.add_words(at, rest);
        }
        whole.clone_into(content);
        self.tell_anew(at);
    }

    /// Changes what stands beside the words of the thoughts at a place.
    pub(crate) fn edit_thinking(&mut self, at: usize, edit: impl FnOnce(&mut ThinkingPart)) {
        if let Some(Form::Thinking(part)) = self.parts.get_mut(at).map(|part| &mut part.form) {
            edit(part);
            self.tell_anew(at);
        }
    }

    /// Makes the arguments of the call at a place what they are in the end, whatever of them came.
    pub(crate) fn end_arguments(&mut self, at: usize, whole: &str) {
        let before = self.call(at).argument_text();
        match whole.strip_prefix(before) {
            Some(rest) => {
                let rest = (!rest.is_empty()).then(|| rest.into());
                // Text goes on with text.
                let _ = self.add_to_call(at, "", rest);
            }
            None => {
                self.call(at).replace_arguments(whole);
                self.tell_anew(at);
            }
        }
    }

    /// Has the part told of once more in the end: there is more of it than deltas say.
    fn tell_anew(&mut self, at: usize) {
        if self.parts[at].told == Told::All {
            self.parts[at].told = Told::Begun;
        }
    }
}
