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
    let runs = cases.filter(|case| case["api"] == "openai-chat").flat_map(|case| list(&case["runs"]));
    runs.flat_map(|run| list(&run["http"])).filter_map(|reply| reply["sse"].as_str().map(str::to_owned)).collect()
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

#[test]
fn a_stream_that_is_cut_is_an_error_or_the_whole_answer() {
    let streams = packed_streams();
    assert!(streams.len() > 40, "only {} streams", streams.len());
    for stream in streams {
        let whole = untimed(answer(stream.as_bytes()).expect("it is whole"));
        assert!(!whole.parts.is_empty());
        let cuts = whole_cuts(stream.as_bytes());
        for end in &cuts {
            let cut = answer(&stream.as_bytes()[..*end]).expect("it was taken for whole");
            assert_eq!(untimed(cut), whole, "cut at {end}: {stream}");
        }
        // All that may be missing is the event that ends a stream.
        assert_eq!(stream[cuts[0]..].trim(), "data: [DONE]");
    }
}

/// Where a stream can end for its reply to be taken for whole.
fn whole_cuts(stream: &[u8]) -> Vec<usize> {
    let names = WireNames::of([].iter()).expect("no names");
    let mut events = PartEvents::unheard();
    let form = form_of(&ChatProfile::of("gpt-5.2"));
    let mut reply = StreamedCompletion::new(&form, &names, &mut events);
    let mut decoder = Decoder::default();
    let mut ends = Vec::new();
    for end in 0..=stream.len() {
        if reply.is_whole(decoder.clone().remainder()) {
            ends.push(end);
        }
        let mut next = stream.get(end..=end).unwrap_or_default();
        while decoder.read(&mut next).expect("small events") {
            reply.read(decoder.data()).expect("a chunk");
        }
    }
    ends
}

/// The response without the time at which it came.
fn untimed(mut response: ModelResponse) -> ModelResponse {
    response.timestamp = None;
    response
}
