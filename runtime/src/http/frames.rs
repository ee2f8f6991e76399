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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A frame with these headers, all of them texts, made by hand.
    pub(crate) fn frame(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
        let number = |length: usize| u32::try_from(length).expect("a short frame").to_be_bytes();
        let headers: Vec<u8> = headers
            .iter()
            .flat_map(|(name, value)| {
                let lengths = (u8::try_from(name.len()), u16::try_from(value.len()));
                let (Ok(name_length), Ok(value_length)) = lengths else { unreachable!("short headers") };
                [&[name_length][..], name.as_bytes(), &[7], &value_length.to_be_bytes(), value.as_bytes()].concat()
            })
            .collect();
        let prelude = [number(PRELUDE + headers.len() + payload.len() + 4), number(headers.len())].concat();
        let begun = [&prelude, &checksum(&prelude)[..], &headers, payload].concat();
        [&begun, &checksum(&begun)[..]].concat()
    }

    /// The CRC-32 that Ethernet and zip files have, bit by bit.
    fn checksum(bytes: &[u8]) -> [u8; 4] {
        let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        let rest = bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)));
        (!rest).to_be_bytes()
    }

    /// An event with a JSON payload.
    pub(crate) fn event(name: &str, payload: &str) -> Vec<u8> {
        let headers = [(":event-type", name), (":content-type", "application/json"), (":message-type", "event")];
        frame(&headers, payload.as_bytes())
    }

    fn all(mut bytes: &[u8]) -> Result<Vec<String>, BadFrame> {
        let mut decoder = Decoder::default();
        let mut read = Vec::new();
        while decoder.read(&mut bytes)? {
            read.push(String::from_utf8_lossy(decoder.data()).into_owned());
        }
        Ok(read)
    }

    #[test]
    fn frames_say_what_they_are() {
        let exception = frame(&[(":message-type", "exception"), (":exception-type", "x")], b"{}");
        let error = frame(&[(":message-type", "error"), (":error-code", "E\"1"), (":error-message", "no")], b"");
        let bytes = [event("a", r#"{"b":1}"#), exception, error, event("é", " ")].concat();
        let expected = [
            r#"{"kind":"event","name":"a","payload":{"b":1}}"#,
            r#"{"kind":"exception","name":"x","payload":{}}"#,
            r#"{"kind":"error","name":"E\"1","payload":{"message":"no"}}"#,
            r#"{"kind":"event","name":"é","payload":null}"#,
        ];
        assert_eq!(all(&bytes).expect("frames"), expected);
        let mut decoder = Decoder::default();
        let mut read = Vec::new();
        for byte in bytes {
            if decoder.read(&mut [byte].as_slice()).expect("a frame") {
                read.push(String::from_utf8_lossy(decoder.data()).into_owned());
            }
        }
        assert_eq!(read, expected);
    }

    #[test]
    fn every_bit_is_checked() {
        let whole = event("contentBlockDelta", r#"{"delta":{"text":"a"}}"#);
        for byte in 0..whole.len() {
            for bit in 0..8 {
                let mut spoiled = whole.clone();
                spoiled[byte] ^= 1 << bit;
                // A wrong length may only show when the rest is there.
                spoiled.extend_from_slice(&vec![0; 1 << 16]);
                assert!(!all(&spoiled).is_ok_and(|read| !read.is_empty()), "{byte} {bit}");
            }
        }
    }

    #[test]
    fn no_frame_is_kept_that_is_too_large() {
        let largest = u32::try_from(LARGEST).expect("it fits");
        for length in [largest + 1, u32::MAX] {
            assert_eq!(all(&[&length.to_be_bytes()[..], &[0; 8]].concat()), Err(BadFrame::TooLarge));
        }
        for length in [0_u32, 15] {
            assert_eq!(all(&[&length.to_be_bytes()[..], &[0; 8]].concat()), Err(BadFrame::Broken));
        }
        assert_eq!(all(b"data: {\"a\":1}\n\n"), Err(BadFrame::TooLarge));
        assert_eq!(all(&frame(&[], b"{}")), Err(BadFrame::Broken));
    }
}
