//! Replies that no server should give: each comes to an answer or to a proper error, soon, and what was answered can be
//! stored and sent on. The fuzz targets in `tests/fuzz` look for more of them; what they find is put here.

mod samples;
mod spoiled;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolwright_tests::decoding::{Api, Decoders, Form};

use self::samples::samples;
use self::spoiled::{JSON, spoiled};

/// How long a reply may be decoded, with what is checked of it: thousands of parts take tenths of it on a busy machine.
const SOON: Duration = Duration::from_secs(20);
const THOUSANDS: usize = 1_000;

struct Reader(Decoders);

impl Reader {
    fn new() -> Self {
        Self(Decoders::new().expect("models"))
    }

    /// Whether there is an answer.
    fn read(&self, api: Api, form: Form, reply: &[u8]) -> bool {
        let begun = Instant::now();
        let read = self.0.read(api, form, reply);
        let shown = || String::from_utf8_lossy(&reply[..reply.len().min(2_000)]).into_owned();
        assert!(begun.elapsed() < SOON, "{api:?} {form:?}: {:?} for {}", begun.elapsed(), shown());
        match read {
            Ok(answer) => answer.is_ok(),
            Err(fault) => unreachable!("{api:?} {form:?}: {fault}: {}", shown()),
        }
    }
}

#[test]
fn samples_are_answers() {
    let reader = Reader::new();
    for sample in samples() {
        assert!(reader.read(sample.api, Form::Whole, sample.whole.to_string().as_bytes()));
        assert!(reader.read(sample.api, Form::Streamed, &sample.stream()));
    }
}

#[test]
fn no_beginning_of_a_reply_is_one() {
    let reader = Reader::new();
    for sample in samples() {
        let whole = sample.whole.to_string();
        for end in 0..whole.len() {
            assert!(!reader.read(sample.api, Form::Whole, &whole.as_bytes()[..end]), "{}", &whole[..end]);
        }
    }
}

#[test]
fn any_value_may_be_any_other() {
    let reader = Reader::new();
    for sample in samples() {
        for reply in spoiled(&sample.whole) {
            reader.read(sample.api, Form::Whole, &reply);
        }
        for (place, event) in sample.events.iter().enumerate() {
            for event in spoiled(event) {
                reader.read(sample.api, Form::Streamed, &sample.with_event(place, &event));
            }
        }
    }
}

#[test]
fn events_may_come_in_any_order() {
    let reader = Reader::new();
    for sample in samples() {
        let read = |events: Vec<Value>| reader.read(sample.api, Form::Streamed, &sample.stream_of(&events));
        let events = &sample.events;
        read(events.iter().rev().cloned().collect());
        read(events.iter().chain(events).cloned().collect());
        for place in 0..events.len() {
            let mut fewer = events.clone();
            let event = fewer.remove(place);
            read(fewer.clone());
            for other in 0..=fewer.len() {
                let mut moved = fewer.clone();
                moved.insert(other, event.clone());
                read(moved.clone());
                moved.insert(place, event.clone());
                read(moved);
            }
        }
    }
}

#[test]
fn anything_may_come() {
    let reader = Reader::new();
    let deep = ["[", "{\"a\":", "[{\"choices\":"].map(|open| open.repeat(100_000));
    let lines = [
        "data",
        "data:",
        "data: \n\n",
        "data: [DONE]",
        "data: [DONE]\n\n",
        ":\n\n",
        "event: message_stop\n\n",
        "\r\r\n",
    ];
    let pieces = JSON.iter().copied().chain(deep.iter().map(String::as_bytes)).chain(lines.map(str::as_bytes));
    for piece in
        pieces.chain([b"".as_slice(), b"\xEF\xBB\xBF{}", b"\xFF\xFE{\x00}\x00", b"{\"\xFF\":1}", b"\x00", b"nul"])
    {
        for api in Api::ALL {
            assert!(!reader.read(api, Form::Whole, piece));
            for stream in [piece.to_vec(), [b"data: ", piece, b"\n\n"].concat(), piece.repeat(3)] {
                assert!(!reader.read(api, Form::Streamed, &stream));
            }
        }
    }
}

#[test]
fn depth_is_no_harm() {
    let reader = Reader::new();
    for sample in samples() {
        for depth in [100, 5_000] {
            let deep = format!("{}1{}", "{\"a\":[".repeat(depth), "]}".repeat(depth));
            for reply in spoiled::put_everywhere(&sample.whole, deep.as_bytes()) {
                reader.read(sample.api, Form::Whole, &reply);
            }
            for (place, event) in sample.events.iter().enumerate() {
                for event in spoiled::put_everywhere(event, deep.as_bytes()) {
                    reader.read(sample.api, Form::Streamed, &sample.with_event(place, &event));
                }
            }
        }
    }
}

#[test]
fn there_may_be_thousands_of_parts() {
    let reader = Reader::new();
    for sample in samples() {
        for part in 0..sample.parts().len() {
            for of_many in [vec![part], vec![part, 0], (0..sample.parts().len()).collect()] {
                let many = of_many.iter().cycle().take(THOUSANDS).map(|part| sample.parts()[*part].clone()).collect();
                let whole = sample.with_parts(many).to_string();
                assert!(reader.read(sample.api, Form::Whole, whole.as_bytes()), "{:?}: {}", sample.api, &whole[..300]);
            }
        }
    }
}

#[test]
fn there_may_be_thousands_of_events() {
    let reader = Reader::new();
    for sample in samples() {
        for place in 0..sample.events.len() {
            let mut events = sample.events.clone();
            let event = events.remove(place);
            events.splice(place..place, std::iter::repeat_n(event, THOUSANDS));
            reader.read(sample.api, Form::Streamed, &sample.stream_of(&events));
            // The same, each with numbers of its own.
            for (number, event) in events[place..place + THOUSANDS].iter_mut().enumerate() {
                spoiled::renumber(event, (u64::MAX - 7_919 * number as u64).into());
            }
            reader.read(sample.api, Form::Streamed, &sample.stream_of(&events));
        }
    }
}

#[test]
fn stored_histories_may_hold_anything() {
    let reader = Reader::new();
    let call = json!({"part_kind": "tool-call", "tool_name": "add", "args": "{\"a\":1}", "tool_call_id": "c"});
    let answer =
        json!({"part_kind": "tool-return", "tool_name": "add", "content": {"b": [1, "x"]}, "tool_call_id": "c"});
    let prompt = json!({"part_kind": "user-prompt", "content": ["Hi", {"kind": "binary", "data": "aGk=", "media_type": "text/plain"}]});
    let text = json!({"part_kind": "text", "content": "Hello"});
    let history = json!([
        {"kind": "request", "parts": [prompt]},
        {"kind": "response", "parts": [text, call, {"part_kind": "thinking", "content": "hm", "signature": "s"}]},
        {"kind": "request", "parts": [answer]},
    ]);
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    for stored in spoiled(&history).into_iter().chain(spoiled::put_everywhere(&history, deep.as_bytes())) {
        let read = reader.0.read_history(&String::from_utf8_lossy(&stored));
        assert_eq!(read, Ok(()), "{}", String::from_utf8_lossy(&stored));
    }
}

#[test]
fn schemas_may_be_anything() {
    let reader = Reader::new();
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": ["string", "null"], "enum": ["x", null]}, "b": {"$ref": "#/$defs/B"}},
        "required": ["a"],
        "$defs": {"B": {"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"const": 1}], "default": {}}},
    });
    for schema in spoiled(&schema) {
        if let Ok(schema) = serde_json::from_slice(&schema) {
            assert_eq!(reader.0.read_schema(&schema), Ok(()), "{schema}");
        }
    }
}
