//! Every packed stream, cut at every byte.

use std::path::Path;

use super::streams::answer;
use super::*;

/// The streams of the conformance cases for this API.
fn packed_streams() -> Vec<String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/wire/streams.jsonl");
    let cases = std::fs::read_to_string(cases).expect("the packed cases are there");
    let cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case"));
    let runs = cases.filter(|case| case["api"] == "google").flat_map(|case| list(&case["runs"]));
    runs.flat_map(|run| list(&run["http"])).filter_map(|reply| reply["sse"].as_str().map(str::to_owned)).collect()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

#[test]
fn a_stream_that_is_cut_is_an_error_or_the_whole_answer() {
    let streams = packed_streams();
    assert!(streams.len() > 10, "only {} streams", streams.len());
    for stream in streams {
        let whole = untimed(answer(stream.as_bytes()).expect("it is whole"));
        assert!(!whole.parts.is_empty());
        let mut wholes = 0;
        for end in 0..stream.len() {
            match answer(&stream.as_bytes()[..end]) {
                Ok(cut) => {
                    assert_eq!(untimed(cut), whole, "cut at {end}: {stream}");
                    wholes += 1;
                }
                Err(fault) => assert_eq!(fault, "cut", "cut at {end}: {stream}"),
            }
        }
        // A carriage return ends the last event; the line feed that belongs to it may be missing.
        assert!(wholes <= 1, "{stream}");
    }
}

/// The response without the time at which it came.
fn untimed(mut response: ModelResponse) -> ModelResponse {
    response.timestamp = None;
    response
}
