//! A reply that comes in events, block by block.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::decode::{CallBlock, Envelope, Thoughts};
use crate::http::EventFrame;
use crate::json::Json;
use crate::message::ModelResponse;
use crate::model::PartEvents;
use crate::provider::incoming::IncomingParts;
use crate::provider::name::WireNames;
use crate::provider::stream::{Fault, StreamedReply};

/// What has come of a reply.
pub(super) struct StreamedConverse<'a, 'l> {
    model: &'a str,
    parts: IncomingParts<'a, 'l>,
    envelope: Envelope,
    /// The block that words last came for.
    words: Option<u64>,
    /// The places of calls, by their blocks; none for those that the provider runs itself.
    calls: HashMap<u64, Option<usize>>,
    has_stopped: bool,
    has_usage: bool,
}

#[derive(Deserialize)]
struct BlockStart {
    #[serde(rename = "contentBlockIndex", default)]
    index: u64,
    start: Start,
}

#[derive(Deserialize)]
struct Start {
    #[serde(rename = "toolUse")]
    call: Option<CallBlock>,
}

#[derive(Deserialize)]
struct BlockDelta {
    #[serde(rename = "contentBlockIndex", default)]
    index: u64,
    delta: Delta,
}

#[derive(Deserialize)]
struct Delta {
    text: Option<String>,
    #[serde(rename = "toolUse")]
    call: Option<CallDelta>,
    #[serde(rename = "reasoningContent")]
    thoughts: Option<Thoughts>,
}

#[derive(Deserialize)]
struct CallDelta {
    input: Option<Json>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Exception {
    message: Option<String>,
    #[serde(rename = "originalStatusCode")]
    original_status: Option<u16>,
}

impl<'a, 'l> StreamedConverse<'a, 'l> {
    /// Nothing yet.
    pub(super) fn new(model: &'a str, names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>) -> Self {
        Self {
            model,
            parts: IncomingParts::new(names, events),
            envelope: Envelope::default(),
            words: None,
            calls: HashMap::new(),
            has_stopped: false,
            has_usage: false,
        }
    }
}

impl StreamedReply for StreamedConverse<'_, '_> {
    fn read(&mut self, data: &[u8]) -> Result<(), Fault> {
        let EventFrame { kind, name, payload } = serde_json::from_slice(data).map_err(Fault::Form)?;
        if kind != "event" {
            return Err(told(name, &payload));
        }
        match &*name {
            "contentBlockStart" => self.start(read(&payload)?)?,
            "contentBlockDelta" => self.delta(read(&payload)?)?,
            "contentBlockStop" => self.end_words(),
            "messageStop" => {
                let envelope: Envelope = read(&payload)?;
                self.envelope.stop_reason = envelope.stop_reason;
                self.envelope.additional = envelope.additional;
                self.has_stopped = true;
            }
            "metadata" => {
                let envelope: Envelope = read(&payload)?;
                self.envelope.usage = envelope.usage;
                self.envelope.trace = envelope.trace;
                self.has_usage = true;
            }
            // The beginning, and what newer versions tell.
            _ => {}
        }
        Ok(())
    }

    fn has_ended(&self) -> bool {
        self.has_usage && self.has_stopped
    }

    /// All has been said when the message has stopped; what follows only counts.
    fn is_whole(&self, _remainder: Option<&[u8]>) -> bool {
        self.has_stopped
    }

    fn response(self, provider_url: &str) -> Result<ModelResponse, Fault> {
        Ok(self.envelope.response(self.parts.finish(), self.model, provider_url))
    }
}

impl StreamedConverse<'_, '_> {
    fn start(&mut self, event: BlockStart) -> Result<(), Fault> {
        self.end_words();
        let Some(call) = event.start.call else { return Ok(()) };
        let mut place = None;
        if !call.is_servers() {
            let at = self.parts.place_call();
            self.parts.call(at).identify(&call.id);
            self.parts.add_to_call(at, &call.name, None).map_err(Fault::Mixed)?;
            place = Some(at);
        }
        self.calls.insert(event.index, place);
        Ok(())
    }

    fn delta(&mut self, event: BlockDelta) -> Result<(), Fault> {
        let Delta { text, call, thoughts } = event.delta;
        if let Some(call) = call {
            return match self.calls.get(&event.index) {
                Some(Some(at)) => self.parts.add_to_call(*at, "", call.input).map_err(Fault::Mixed),
                Some(None) => Ok(()),
                None => Err(Fault::Unusable("its reply goes on with a call that has not begun")),
            };
        }
        if text.is_some() || thoughts.is_some() {
            if self.words != Some(event.index) {
                self.end_words();
                self.words = Some(event.index);
            }
            self.parts.text(text.unwrap_or_default());
            if let Some(part) = thoughts.and_then(Thoughts::part) {
                self.parts.thinking(part);
            }
        }
        Ok(())
    }

    /// What comes next is of another block.
    fn end_words(&mut self) {
        self.words = None;
        self.parts.end_part();
    }
}

fn read<T: DeserializeOwned>(payload: &Json) -> Result<T, Fault> {
    payload.read().map_err(Fault::Form)
}

/// The fault for an exception within a stream. It has a status of its own, though the reply began with success.
fn told(name: String, payload: &Json) -> Fault {
    let Exception { message, original_status } = payload.read().unwrap_or_default();
    let message = message.filter(|message| !message.is_empty());
    let message = message.map_or_else(|| name.clone(), |message| format!("{name}: {message}"));
    let status = match name.to_ascii_lowercase().as_str() {
        "validationexception" => 400,
        "accessdeniedexception" => 403,
        "resourcenotfoundexception" => 404,
        "modeltimeoutexception" => 408,
        "modelstreamerrorexception" => original_status.filter(|status| (400..600).contains(status)).unwrap_or(424),
        "throttlingexception" => 429,
        "internalserverexception" => 500,
        "serviceunavailableexception" => 503,
        _ => return Fault::Told(message),
    };
    Fault::Refused(message, status)
}
