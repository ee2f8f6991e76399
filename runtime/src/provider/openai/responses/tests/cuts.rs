//! Every packed stream, cut at every byte.

use std::path::Path;

use super::streams::answer;
use super::*;
use crate::http::Decoder;
use crate::provider::stream::StreamedReply;

/// The streams of the conformance cases for this API.
fn packed_streams() -> Vec<String> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance/wire/streams.jsonl");
    let cases = std::fs::read_to_string(cases).expect("the packed cases are there");
    let cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case"));
    let runs = cases.filter(|case| case["api"] == "openai-responses").flat_map(|case| list(&case["runs"]));
    runs.flat_map(|run| list(&run["http"])).filter_map(|reply| reply["sse"].as_str().map(str::to_owned)).collect()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

#[test]
fn a_stream_that_is_cut_is_an_error_or_the_whole_answer() {
    let streams = packed_streams();
    assert!(streams.len() > 20, "only {} streams", streams.len());
    for stream in streams {
        let whole = answer(stream.as_bytes()).expect("it is whole");
        assert!(!whole.parts.is_empty());
        // The last event has to be there, and the line after it.
        let first = first_whole(stream.as_bytes());
        assert_eq!(stream[first..].trim(), "", "{stream}");
        assert_eq!(answer(&stream.as_bytes()[..first]).expect("it was taken for whole").parts, whole.parts);
    }
}

/// Where a stream can end at the earliest for its reply to be taken for whole.
fn first_whole(stream: &[u8]) -> usize {
    let names = WireNames::of([].iter()).expect("no names");
    let mut events = PartEvents::unheard();
    let mut reply = StreamedAnswer::new("openai", &names, &mut events);
    let mut decoder = Decoder::default();
    for end in 0..stream.len() {
        if reply.is_whole(decoder.clone().remainder()) {
            return end;
        }
        let mut next = &stream[end..=end];
        while decoder.read(&mut next).expect("small events") {
            reply.read(decoder.data()).expect("an event");
        }
    }
    stream.len()
}
