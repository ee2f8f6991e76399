//! Plays the packed cases of what is built so far: every one passes.
//!
//! All cases, built or not: `cargo run -p toolwright-tests --bin conformance`.

mod features;

use std::fmt::Write;

use regex::Regex;
use toolwright_tests::{Suite, play};

/// What is built: expressions that the ids of its cases match.
const BUILT: &[&str] = &[
    "^agent-wide-prepare/",
    "^args-validator/",
    "^cancel/",
    "^custom-schema/",
    "^deferred/",
    "^dynamic-tools/",
    "^end-strategy/",
    "^failures/",
    "^malformed/",
    "^mid-run/",
    "^output/",
    "^parallel/",
    "^retries/",
    "^test-model/",
    "^timeouts/",
    "^tool-(choice|kind|output|return|search)/",
    "^toolsets/",
    "^unless-kind/",
    "^usage/",
    "^wire/.*/openai-",
    "^wire/.*/anthropic--",
    "^wire/.*/google--",
    "^wire/.*/(groq|huggingface)--",
    "^wire/.*/(mistral|cohere|bedrock)--",
];

fn expressions<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Regex> {
    texts.into_iter().map(|text| Regex::new(text).expect("an expression of ours")).collect()
}

#[test]
fn every_case_of_what_is_built_passes() {
    let suite = Suite::packed().expect("the packed cases are there");
    let suite = suite.only(&expressions(BUILT.iter().copied()));
    assert!(suite.cases.len() > 200, "only {} cases", suite.cases.len());
    let report = play(suite);
    let failures = report.failures.iter().fold(String::new(), |mut all, (id, difference)| {
        let _ = writeln!(all, "{id}: {difference}");
        all
    });
    assert!(failures.is_empty(), "{failures}");
}
