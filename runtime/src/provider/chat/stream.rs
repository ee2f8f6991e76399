//! A reply that comes in chunks.

use super::ChatForm;
use super::calls::Calls;
use super::decode::{Choice, Completion, Envelope, Message, TAGGED, content_pieces};
use super::detail::Details;
use super::failed::{self, FailedGeneration};
use super::think::{Piece, ThinkTags};
use crate::error::Result;
use crate::http::message_in;
use crate::message::{ModelResponse, ThinkingPart};
use crate::model::PartEvents;
use crate::provider::incoming::IncomingParts;
use crate::provider::name::WireNames;
use crate::provider::stream::{Fault, StreamedReply};

/// The data of the event that ends every stream.
const END: &[u8] = b"[DONE]";

/// What has come of a reply.
pub(super) struct StreamedCompletion<'a, 'l> {
    form: &'a ChatForm,
    names: &'a WireNames<'a>,
    parts: IncomingParts<'a, 'l>,
    calls: Calls,
    tags: ThinkTags,
    details: Details,
    envelope: Envelope,
    has_choice: bool,
    /// The model has stopped.
    has_stopped: bool,
    /// The usage came after the model had stopped.
    has_final_usage: bool,
    has_ended: bool,
}

impl<'a, 'l> StreamedCompletion<'a, 'l> {
    /// Nothing yet.
    pub(super) fn new(form: &'a ChatForm, names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>) -> Self {
        Self {
            form,
            names,
            parts: IncomingParts::new(names, events),
            calls: Calls::default(),
            tags: ThinkTags::default(),
            details: Details::default(),
            envelope: Envelope::default(),
            has_choice: false,
            has_stopped: false,
            has_final_usage: false,
            has_ended: false,
        }
    }
}

impl StreamedReply for StreamedCompletion<'_, '_> {
    fn read(&mut self, data: &[u8]) -> Result<(), Fault> {
        match data.trim_ascii() {
            [] => {}
            END => self.has_ended = true,
            data => self.chunk(data)?,
        }
        Ok(())
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Not every server sends the event that ends a stream. Then everything that was asked for must have come: why the
    /// model stopped and after that, where it was asked for, the usage.
    fn is_whole(&self, remainder: Option<&[u8]>) -> bool {
        self.has_ended
            || remainder == Some(END)
            || if self.form.profile.stream_usage { self.has_final_usage } else { self.has_stopped }
    }

    fn response(mut self, provider_url: &str) -> Result<ModelResponse, Fault> {
        if !self.has_choice {
            return Err(Fault::Unusable("its reply has no `choices`"));
        }
        let rest = self.tags.rest();
        self.say(rest);
        Ok(self.envelope.response(self.form, self.parts.finish(), provider_url))
    }
}

impl StreamedCompletion<'_, '_> {
    fn chunk(&mut self, data: &[u8]) -> Result<(), Fault> {
        let chunk: Completion = serde_json::from_slice(data).map_err(Fault::Form)?;
        let usage = chunk.usage();
        let is_error = chunk.error.is_some_and(|error| !error.is_null());
        if is_error
            && self.form.profile.failed_generations
            && let Some(failed) = FailedGeneration::of(data)
        {
            self.fail(failed);
            return Ok(());
        }
        if (is_error || chunk.choices.is_none() && usage.is_none())
            && let Some(message) = message_in(data)
        {
            return Err(Fault::Told(message));
        }
        replace(&mut self.envelope.id, chunk.id);
        replace(&mut self.envelope.model, chunk.model);
        let mut choices = chunk.choices.into_iter().flatten();
        if let Some(choice) = choices.find(|choice| choice.index.as_ref().is_none_or(|index| index.text() == "0")) {
            self.choice(choice)?;
        }
        if usage.is_some() {
            self.envelope.usage = usage;
            self.has_final_usage = self.has_stopped;
        }
        Ok(())
    }

    fn choice(&mut self, choice: Choice) -> Result<(), Fault> {
        self.has_choice = true;
        if let Some(delta) = choice.delta {
            self.delta(delta)?;
        }
        replace(&mut self.envelope.finish_reason, choice.finish_reason);
        self.has_stopped = self.envelope.finish_reason.is_some();
        Ok(())
    }

    fn delta(&mut self, delta: Message) -> Result<(), Fault> {
        let details = delta.details(self.form);
        if !details.is_empty() {
            self.details.add(details, self.form, &mut self.parts);
        } else if let Some((thought, field)) = delta.thought() {
            self.parts.thinking(self.form.thinking(thought, field));
        }
        if let Some(content) = &delta.content {
            for piece in content_pieces(content) {
                match piece {
                    Piece::Text(words) => self.text(words),
                    Piece::Thought(words) => self.parts.thinking(ThinkingPart::new(words)),
                    Piece::End => {}
                }
            }
        }
        if let Some(words) = delta.refusal {
            self.envelope.refusal.get_or_insert_default().push_str(&words);
        }
        for (place, call) in delta.tool_calls.into_iter().flatten().enumerate() {
            self.calls.add(&mut self.parts, call, place).map_err(Fault::Mixed)?;
        }
        Ok(())
    }
}

impl StreamedCompletion<'_, '_> {
    /// Ends the reply with what the server would not let pass; mostly it has told of that already.
    fn fail(&mut self, failed: FailedGeneration) {
        let rest = self.tags.rest();
        self.say(rest);
        self.parts.end_part();
        if let Some(part) = failed.part(self.names) {
            self.parts.add(part);
        }
        self.envelope.finish_reason = Some(failed::CODE.to_owned());
        self.has_choice = true;
        self.has_ended = true;
    }

    fn text(&mut self, words: String) {
        if self.form.profile.think_tags {
            let pieces = self.tags.split(&words);
            self.say(pieces);
        } else {
            self.say([Piece::Text(words)]);
        }
    }

    fn say(&mut self, pieces: impl IntoIterator<Item = Piece>) {
        for piece in pieces {
            match piece {
                Piece::Text(words) => {
                    let begins = !self.parts.has_open_text();
                    if !(begins && self.form.profile.blank_beginnings && words.trim().is_empty()) {
                        self.parts.text(words);
                    }
                }
                Piece::Thought(words) => self.parts.thinking(self.form.thinking(words, TAGGED)),
                Piece::End => self.parts.end_part(),
            }
        }
    }
}

/// Takes what is newer, unless it is empty.
fn replace(known: &mut Option<String>, newer: Option<String>) {
    if newer.as_ref().is_some_and(|text| !text.is_empty()) {
        *known = newer;
    }
}
