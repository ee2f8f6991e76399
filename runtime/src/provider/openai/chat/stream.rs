//! A reply that comes in chunks.

use super::calls::Calls;
use super::decode::{Choice, Completion, Envelope, Message, content_text, thinking};
use crate::error::Result;
use crate::http::message_in;
use crate::json::Json;
use crate::message::ModelResponse;
use crate::model::PartEvents;
use crate::provider::incoming::IncomingParts;
use crate::provider::name::WireNames;
use crate::provider::stream::{Fault, StreamedReply};

/// The data of the event that ends every stream.
const END: &[u8] = b"[DONE]";

/// What has come of a reply.
pub(super) struct StreamedCompletion<'a, 'l> {
    parts: IncomingParts<'a, 'l>,
    calls: Calls,
    envelope: Envelope,
    /// Whether the reply is to end with its usage.
    expects_usage: bool,
    has_choice: bool,
    /// The model has stopped.
    has_stopped: bool,
    /// The usage came after the model had stopped.
    has_final_usage: bool,
    has_ended: bool,
}

impl<'a, 'l> StreamedCompletion<'a, 'l> {
    /// Nothing yet.
    pub(super) fn new(names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>, expects_usage: bool) -> Self {
        Self {
            parts: IncomingParts::new(names, events),
            calls: Calls::default(),
            envelope: Envelope::default(),
            expects_usage,
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
            || if self.expects_usage { self.has_final_usage } else { self.has_stopped }
    }

    fn response(self, provider_url: &str) -> Result<ModelResponse, Fault> {
        if !self.has_choice {
            return Err(Fault::Unusable("its reply has no `choices`"));
        }
        Ok(self.envelope.response(self.parts.finish(), provider_url))
    }
}

impl StreamedCompletion<'_, '_> {
    fn chunk(&mut self, data: &[u8]) -> Result<(), Fault> {
        let chunk: Completion = serde_json::from_slice(data).map_err(Fault::Form)?;
        let is_error = chunk.error.is_some_and(|error| !error.is_null());
        if (is_error || chunk.choices.is_none() && chunk.usage.is_none())
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
        if let Some(usage) = chunk.usage.filter(Json::is_object) {
            self.envelope.usage = Some(usage);
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
        if let Some((thought, field)) = delta.thought() {
            self.parts.thinking(thinking(thought, field));
        }
        if let Some(content) = &delta.content {
            self.parts.text(content_text(content));
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

/// Takes what is newer, unless it is empty.
fn replace(known: &mut Option<String>, newer: Option<String>) {
    if newer.as_ref().is_some_and(|text| !text.is_empty()) {
        *known = newer;
    }
}
