//! Frames of AWS event streams, decoded from whatever pieces they come in.
//!
//! A frame has its length, headers that say what it is, a payload, and checksums of its beginning and of all of it.

use aws_smithy_eventstream::frame::read_message_from;
use serde::Deserialize;

use crate::json::{Json, append};

/// The most bytes of one frame.
pub(super) const LARGEST: usize = 16 << 20;
/// The bytes of a frame's beginning: its length, that of its headers, and the checksum of both.
const PRELUDE: usize = 12;

/// What a frame says, as JSON.
#[derive(Deserialize)]
pub(crate) struct EventFrame {
    /// `event`, `exception` or `error`.
    pub(crate) kind: String,
    /// What event, or what error.
    pub(crate) name: String,
    pub(crate) payload: Json,
}

/// Decodes a stream of frames. It does no reading of its own: it is given bytes.
#[derive(Clone, Default)]
pub(crate) struct Decoder {
    /// The beginning of a frame whose end is still to come.
    frame: Vec<u8>,
    data: Vec<u8>,
}

/// What is wrong with a frame.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BadFrame {
    /// It has more bytes than are kept.
    TooLarge,
    /// It is none: its checksum or its form is wrong.
    Broken,
}

impl Decoder {
    /// Reads `input` up to the end of the next frame, whose [`data`](Self::data) is there if this is true. What was read is
    /// taken off `input`.
    pub(crate) fn read(&mut self, input: &mut &[u8]) -> Result<bool, BadFrame> {
        self.fill(input, PRELUDE);
        if self.frame.len() < PRELUDE {
            return Ok(false);
        }
        let length = self.length()?;
        self.fill(input, length);
        if self.frame.len() < length {
            return Ok(false);
        }
        self.decode()?;
        self.frame.clear();
        Ok(true)
    }

    /// The frame that was just read, as the JSON of an [`EventFrame`].
    pub(crate) fn data(&self) -> &[u8] {
        &self.data
    }

    /// Takes bytes off `input` until there are so many.
    fn fill(&mut self, input: &mut &[u8], length: usize) {
        let missing = length.saturating_sub(self.frame.len()).min(input.len());
        let (taken, rest) = input.split_at(missing);
        self.frame.extend_from_slice(taken);
        *input = rest;
    }

    /// The length of the whole frame. It is looked at before it is waited for.
    fn length(&self) -> Result<usize, BadFrame> {
        let Some(&[a, b, c, d]) = self.frame.first_chunk::<4>() else { return Err(BadFrame::Broken) };
        let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        match length {
            _ if length > LARGEST => Err(BadFrame::TooLarge),
            _ if length < PRELUDE + 4 => Err(BadFrame::Broken),
            _ => Ok(length),
        }
    }

    fn decode(&mut self) -> Result<(), BadFrame> {
        let message = read_message_from(&mut self.frame.as_slice()).map_err(|_| BadFrame::Broken)?;
        let header = |name: &str| {
            let mut headers = message.headers().iter().filter(|header| header.name().as_str() == name);
            headers.next()?.value().as_string().ok().map(|value| value.as_str())
        };
        let kind = header(":message-type").ok_or(BadFrame::Broken)?;
        let name = match kind {
            "event" => header(":event-type"),
            "exception" => header(":exception-type"),
            _ => header(":error-code"),
        };
        self.data.clear();
        self.data.extend_from_slice(br#"{"kind":"#);
        append(&mut self.data, kind);
        self.data.extend_from_slice(br#","name":"#);
        append(&mut self.data, name.unwrap_or_default());
        self.data.extend_from_slice(br#","payload":"#);
        match (header(":error-message"), message.payload().trim_ascii()) {
            (Some(error), _) => append(&mut self.data, &serde_json::json!({"message": error})),
            (None, b"") => self.data.extend_from_slice(b"null"),
            (None, payload) => self.data.extend_from_slice(payload),
        }
        self.data.push(b'}');
        Ok(())
    }
}
