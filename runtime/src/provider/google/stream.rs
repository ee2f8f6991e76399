//! A reply that comes in chunks.

use super::decode::{Completion, Envelope};
use crate::http::message_in;
use crate::message::ModelResponse;
use crate::model::PartEvents;
use crate::provider::incoming::IncomingParts;
use crate::provider::name::WireNames;
use crate::provider::stream::{Fault, StreamedReply};

/// What has come of a reply.
///
/// No event ends a stream: it is whole if its connection ends well after it was said why the model stopped.
pub(super) struct StreamedCandidate<'a, 'l> {
    parts: IncomingParts<'a, 'l>,
    names: &'a WireNames<'a>,
    envelope: Envelope,
    has_candidate: bool,
}

impl<'a, 'l> StreamedCandidate<'a, 'l> {
    /// Nothing yet.
    pub(super) fn new(names: &'a WireNames<'a>, events: &'a mut PartEvents<'l>) -> Self {
        Self { parts: IncomingParts::new(names, events), names, envelope: Envelope::default(), has_candidate: false }
    }
}

impl StreamedReply for StreamedCandidate<'_, '_> {
    fn read(&mut self, data: &[u8]) -> Result<(), Fault> {
        if data.trim_ascii().is_empty() {
            return Ok(());
        }
        let chunk: Completion = serde_json::from_slice(data).map_err(Fault::Form)?;
        let is_error = chunk.error.as_ref().is_some_and(|error| !error.is_null());
        if (is_error || chunk.is_empty())
            && let Some(message) = message_in(data)
        {
            return Err(Fault::Told(message));
        }
        if let Some(candidate) = self.envelope.take(chunk) {
            self.has_candidate = true;
            for part in self.envelope.open(candidate) {
                if let Some(part) = self.envelope.read(part, self.names) {
                    self.parts.add(part);
                }
            }
        }
        Ok(())
    }

    fn has_ended(&self) -> bool {
        false
    }

    fn is_whole(&self, remainder: Option<&[u8]>) -> bool {
        self.envelope.has_ended() && remainder.is_none()
    }

    fn response(mut self, provider_url: &str) -> Result<ModelResponse, Fault> {
        if !self.has_candidate && !self.envelope.is_blocked() {
            return Err(Fault::Unusable("its reply has no `candidates`"));
        }
        for part in self.envelope.searches().into_iter().flatten() {
            self.parts.add(part);
        }
        Ok(self.envelope.response(self.parts.finish(), provider_url))
    }
}
