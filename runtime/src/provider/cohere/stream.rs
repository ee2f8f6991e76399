//! A reply that comes in events, each of which has a type.

use std::collections::HashMap;

use serde::Deserialize;

use super::decode::{Call, Content, Envelope, Function, Message, contents, items};
use crate::error::Result;
use crate::http::message_in;
use crate::json::Json;
use crate::message::{ModelResponse, TextPart, ThinkingPart};
use crate::model::PartEvents;
use crate::provider::incoming::IncomingParts;
use crate::provider::name::WireNames;
use crate::provider::stream::{Fault, StreamedReply};

/// An event.
#[derive(Deserialize)]
struct Event {
    r#type: Option<String>,
    id: Option<String>,
    /// Which content or which call it is about.
    index: Option<Json>,
    delta: Option<Delta>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Delta {
    message: Option<Message>,
    finish_reason: Option<String>,
    usage: Option<Json>,
    error: Option<String>,
}

/// What has come of a reply.
pub(super) struct StreamedMessage<'a, 'l> {
    model: &'a str,
    parts: IncomingParts<'a, 'l>,
    /// The texts and the thoughts, by index.
    texts: HashMap<String, usize>,
    thoughts: HashMap<String, usize>,
    /// The last call at each index.
    calls: HashMap<String, usize>,
    /// The call that began last.
    latest_call: Option<usize>,
    envelope: Envelope,
    has_begun: bool,
    has_ended: bool,
}

impl<'a, 'l> StreamedMessage<'a, 'l> {
    /// Nothing yet of what the model `model` says.
    pub(super) fn new(model: &'a str, names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>) -> Self {
        Self {
            model,
            parts: IncomingParts::new(names, events),
            texts: HashMap::new(),
            thoughts: HashMap::new(),
            calls: HashMap::new(),
            latest_call: None,
            envelope: Envelope::default(),
            has_begun: false,
            has_ended: false,
        }
    }
}

impl StreamedReply for StreamedMessage<'_, '_> {
    fn read(&mut self, data: &[u8]) -> Result<(), Fault> {
        match data.trim_ascii() {
            // Some servers end a stream as others do, after the event that ends it here.
            [] | b"[DONE]" => Ok(()),
            data => self.event(data),
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn is_whole(&self, _remainder: Option<&[u8]>) -> bool {
        self.has_ended
    }

    fn response(self, provider_url: &str) -> Result<ModelResponse, Fault> {
        if !self.has_begun {
            return Err(Fault::Unusable("its reply has no `message-start`"));
        }
        Ok(self.envelope.response(self.parts.finish(), self.model, provider_url))
    }
}

impl StreamedMessage<'_, '_> {
    fn event(&mut self, data: &[u8]) -> Result<(), Fault> {
        let event: Event = serde_json::from_slice(data).map_err(Fault::Form)?;
        let index = event.index.map(|index| index.text().to_owned()).unwrap_or_default();
        let delta = event.delta.unwrap_or_default();
        let message = delta.message.unwrap_or_default();
        match event.r#type.as_deref() {
            Some("message-start") => {
                self.has_begun = true;
                self.envelope.id = event.id.filter(|id| !id.is_empty()).or(self.envelope.id.take());
            }
            Some("content-start" | "content-delta") => self.contents(&index, &message),
            Some("tool-plan-delta") => self.envelope.tool_plan.push_str(&message.tool_plan.unwrap_or_default()),
            Some("tool-call-start") => self.begin_calls(index, &message)?,
            Some("tool-call-delta") => self.add_to_calls(&index, &message)?,
            Some("message-end") => {
                if let Some(error) = delta.error.filter(|error| !error.is_empty()) {
                    return Err(Fault::Told(error));
                }
                self.envelope.finish_reason = delta.finish_reason;
                self.envelope.usage = delta.usage;
                self.has_ended = true;
            }
            None | Some("error") => {
                let message = message_in(data).unwrap_or_else(|| "it does not say what is wrong".to_owned());
                return Err(Fault::Told(message));
            }
            // Ends of parts, citations, and what is newer than this library.
            Some(_) => {}
        }
        Ok(())
    }

    fn contents(&mut self, index: &str, message: &Message) {
        for Content { text, thinking } in message.content.as_ref().map(contents).unwrap_or_default() {
            if let Some(words) = thinking.filter(|words| !words.is_empty()) {
                match self.thoughts.get(index) {
                    Some(at) => self.parts.add_words(*at, words),
                    None => {
                        let at = self.parts.begin_thinking(ThinkingPart::new(words));
                        self.thoughts.insert(index.to_owned(), at);
                    }
                }
            }
            if let Some(words) = text.filter(|words| !words.is_empty()) {
                match self.texts.get(index) {
                    Some(at) => self.parts.add_words(*at, words),
                    None => {
                        let at = self.parts.begin_text(TextPart::new(words));
                        self.texts.insert(index.to_owned(), at);
                    }
                }
            }
        }
    }

    fn begin_calls(&mut self, index: String, message: &Message) -> Result<(), Fault> {
        for call in message.tool_calls.as_ref().map(items).unwrap_or_default() {
            let at = self.parts.place_call();
            self.latest_call = Some(at);
            self.calls.insert(index.clone(), at);
            self.add_to_call(at, call)?;
        }
        Ok(())
    }

    fn add_to_calls(&mut self, index: &str, message: &Message) -> Result<(), Fault> {
        for call in message.tool_calls.as_ref().map(items).unwrap_or_default() {
            if let Some(at) = self.calls.get(index).copied().or(self.latest_call) {
                self.add_to_call(at, call)?;
            }
        }
        Ok(())
    }

    fn add_to_call(&mut self, at: usize, call: Call) -> Result<(), Fault> {
        let Function { name, arguments } = call.function.unwrap_or_default();
        self.parts.call(at).identify(&call.id.unwrap_or_default());
        self.parts.add_to_call(at, &name.unwrap_or_default(), arguments).map_err(Fault::Mixed)
    }
}
