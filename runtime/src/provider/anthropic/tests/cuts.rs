//! Streams, cut at every byte.

use std::path::Path;

use super::streams::answer;
use super::*;

/// The streams of the conformance cases for this API.
fn packed_streams() -> Vec<String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/wire/streams.jsonl");
    let cases = std::fs::read_to_string(cases).expect("the packed cases are there");
    let cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case"));
    let runs = cases.filter(|case| case["api"] == "anthropic").flat_map(|case| list(&case["runs"]));
    let replies = runs.flat_map(|run| list(&run["http"]));
    replies.filter_map(|reply| reply["sse"].as_str().map(str::to_owned)).chain([THOUGHTS.to_owned()]).collect()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// A reply with thoughts, of which there are none among the cases.
const THOUGHTS: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hé"}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}

data: {"type":"content_block_stop","index":0}

: ping

data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Yes."}}

data: {"type":"content_block_stop","index":1}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}

data: {"type":"message_stop"}

"#;

#[test]
fn a_stream_that_is_cut_is_an_error_or_the_whole_answer() {
    let streams = packed_streams();
    assert!(streams.len() > 20, "only {} streams", streams.len());
    for stream in streams {
        let whole = untimed(answer(stream.as_bytes()).expect("it is whole"));
        assert!(!whole.parts.is_empty());
        // All that may be missing is the blank line after the event that ends it.
        let needed = stream.trim_end().len();
        for end in 0..=stream.len() {
            match answer(&stream.as_bytes()[..end]) {
                Ok(cut) => {
                    assert!(end >= needed, "cut at {end} of {needed}: {stream}");
                    assert_eq!(untimed(cut), whole);
                }
                Err(error) => assert!(end < needed && error == "cut", "{error} at {end} of {needed}: {stream}"),
            }
        }
    }
}

/// The response without the time at which it came.
fn untimed(mut response: ModelResponse) -> ModelResponse {
    response.timestamp = None;
    response
}
