//! Server-sent events, decoded from whatever pieces they come in.
//!
//! Only the data of events is kept: their names say nothing that the data does not, and nobody resumes a reply by an id.

use std::mem;

/// The most bytes of one event.
pub(super) const LARGEST: usize = 16 << 20;

/// Decodes a stream of events. It does no reading of its own: it is given bytes.
#[derive(Clone, Default)]
pub(crate) struct Decoder {
    /// The beginning of a line whose end is still to come.
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// The data was given out already.
    is_given: bool,
    /// The last line ended with a carriage return, to which a line feed may belong.
    after_return: bool,
    /// The first line, which may begin with a byte order mark, has been read.
    has_begun: bool,
}

/// An event of more bytes than are kept.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Decoder {
    /// Reads `input` up to the end of the next event, which is [`data`](Self::data) if this is true. What was read is
    /// taken off `input`.
    pub(crate) fn read(&mut self, input: &mut &[u8]) -> Result<bool, TooLarge> {
        if mem::take(&mut self.is_given) {
            self.forget_data();
        }
        while let Some(first) = input.first() {
            if mem::take(&mut self.after_return) && *first == b'\n' {
                *input = &input[1..];
                continue;
            }
            let Some(end) = input.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
                self.make_room(input.len())?;
                self.line.extend_from_slice(mem::take(input));
                break;
            };
            let (line, rest) = input.split_at(end);
            self.after_return = rest[0] == b'\r';
            *input = &rest[1..];
            self.make_room(end)?;
            if self.end_line(line) {
                self.is_given = true;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The data of the event that was just read.
    pub(crate) fn data(&self) -> &[u8] {
        &self.data
    }

    /// When the stream has ended: the data of an event that lacks the blank line after it, and may lack more.
    pub(crate) fn remainder(&mut self) -> Option<&[u8]> {
        if mem::take(&mut self.is_given) {
            self.forget_data();
        }
        if !self.line.is_empty() {
            self.end_line(&[]);
        }
        self.has_data.then_some(&self.data)
    }

    fn forget_data(&mut self) {
        self.data.clear();
        self.has_data = false;
    }

    fn make_room(&self, more: usize) -> Result<(), TooLarge> {
        let size = self.line.len().saturating_add(self.data.len()).saturating_add(more);
        if size > LARGEST { Err(TooLarge) } else { Ok(()) }
    }

    /// Ends a line with its last bytes; whether an event ends with it.
    fn end_line(&mut self, last: &[u8]) -> bool {
        let mut begun = mem::take(&mut self.line);
        let line = if begun.is_empty() {
            last
        } else {
            begun.extend_from_slice(last);
            &begun
        };
        let line = match mem::replace(&mut self.has_begun, true) {
            false => line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line),
            true => line,
        };
        if line.is_empty() {
            return self.has_data;
        }
        if let Some(value) = data_value(line) {
            if mem::replace(&mut self.has_data, true) {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(value);
        }
        begun.clear();
        self.line = begun;
        false
    }
}

/// The value of a line of data; comments and other fields have none.
fn data_value(line: &[u8]) -> Option<&[u8]> {
    let value = match line.strip_prefix(b"data")? {
        [] => &[],
        [b':', b' ', value @ ..] | [b':', value @ ..] => value,
        _ => return None,
    };
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The data of all events of a stream that comes in these pieces, and what its end leaves.
    fn decoded(pieces: &[&[u8]]) -> (Vec<String>, Option<String>) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut decoder = Decoder::default();
        let mut events = Vec::new();
        for mut piece in pieces.iter().copied() {
            while decoder.read(&mut piece).expect("small events") {
                events.push(text(decoder.data()));
            }
            assert!(piece.is_empty());
        }
        (events, decoder.remainder().map(text))
    }

    const STREAMS: [(&str, &[&str], Option<&str>); 14] = [
        ("data: a\n\ndata:b\n\n", &["a", "b"], None),
        ("\u{FEFF}data: é\r\n\r\ndata: 🌍\r\n\r\n", &["é", "🌍"], None),
        ("data: a\rdata: b\r\rdata: c\r\r", &["a\nb", "c"], None),
        ("data: a\r\n\rdata: b\n\r\n", &["a", "b"], None),
        (": ping\n\n: \n\n:data: no\ndata: a\n: ping\ndata: b\n\n", &["a\nb"], None),
        ("data\n\ndata:\n\ndata: \ndata\n\n", &["", "", "\n"], None),
        ("data:  two\n\ndata : no\n\nDATA: no\n\ndatas: no\n\n", &[" two"], None),
        ("event: x\nid: 7\nretry: 1\ndata: a\nevent: y\n\nevent: z\n\n", &["a"], None),
        ("\n\n\r\r\n\ndata: a\n\n\n\n", &["a"], None),
        ("data: a\n\ndata: cut", &["a"], Some("cut")),
        ("data: a\n\ndata: b\ndata: c\n", &["a"], Some("b\nc")),
        ("data: a\n\nda", &["a"], None),
        ("data: a\n\n\u{FEFF}data: b\n\ndata: c\n\n", &["a", "c"], None),
        ("", &[], None),
    ];

    fn expected(events: &[&str], remainder: Option<&str>) -> (Vec<String>, Option<String>) {
        (events.iter().map(|event| (*event).to_owned()).collect(), remainder.map(str::to_owned))
    }

    #[test]
    fn events_are_the_same_in_whatever_pieces_they_come() {
        for (stream, events, remainder) in STREAMS {
            let expected = expected(events, remainder);
            let bytes = stream.as_bytes();
            assert_eq!(decoded(&[bytes]), expected, "{stream:?}");
            assert_eq!(decoded(&bytes.chunks(1).collect::<Vec<_>>()), expected, "{stream:?}");
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                    assert_eq!(decoded(&pieces), expected, "{stream:?} cut at {first} and {second}");
                }
            }
        }
    }

    #[test]
    fn an_event_is_there_with_its_blank_line_and_not_before() {
        let mut decoder = Decoder::default();
        assert!(!decoder.read(&mut b"data: a\r\n".as_slice()).expect("small"));
        assert!(decoder.read(&mut b"\r".as_slice()).expect("small"));
        assert_eq!(decoder.data(), b"a");
        assert!(!decoder.read(&mut b"\ndata: b\n".as_slice()).expect("small"));
        assert_eq!(decoder.remainder(), Some(b"b".as_slice()));
    }

    #[test]
    fn anything_is_read_and_the_same_in_whatever_pieces() {
        const WORDS: [&[u8]; 8] = [b"data:", b"data", b" x", b"\r", b"\n", b"\n", b"\xEF\xBB\xBF", b"\xF0\x9F\xFF"];
        let mut state = 7_u32;
        let mut bytes = Vec::new();
        for _ in 0..5_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            bytes.extend_from_slice(WORDS[usize::try_from(state >> 29).expect("three bits")]);
        }
        let whole = decoded(&[&bytes]);
        assert!(whole.0.len() > 100, "{}", whole.0.len());
        for size in [1, 2, 3, 7, 64] {
            assert_eq!(decoded(&bytes.chunks(size).collect::<Vec<_>>()), whole);
        }
    }

    #[test]
    fn events_are_bounded() {
        let endless = vec![b'x'; 1 << 20];
        let mut in_a_line = Decoder::default();
        assert!((0..17).any(|_| in_a_line.read(&mut endless.as_slice()).is_err()));
        let mut in_lines = Decoder::default();
        let line = [b"data:".as_slice(), &endless, b"\n"].concat();
        assert!((0..17).any(|_| in_lines.read(&mut line.as_slice()).is_err()));
        let mut in_events = Decoder::default();
        let event = [b"data:".as_slice(), &endless, b"\n\n"].concat();
        for _ in 0..40 {
            let mut rest = event.as_slice();
            assert!(in_events.read(&mut rest).expect("each is small") && rest.is_empty());
        }
    }
}
