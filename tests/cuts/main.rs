//! Streamed replies that are cut: never a panic, and never a shorter answer that passes for the whole one.
//!
//! In a release build, `cargo test --release -p toolwright-tests --test cuts`, the short ones are cut at every byte, and
//! the others at many; in any other build all at fewer. Replies that real providers gave are no part of this repository:
//! where they are at hand, `TOOLWRIGHT_CASES` names the directory of all conformance cases, and `--include-ignored`
//! cuts them, too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;
use toolwright_tests::{Stream, Suite, streams};

/// The environment variable that names the directory of all cases.
const CASES: &str = "TOOLWRIGHT_CASES";

/// Up to how many bytes a reply is cut at each, and at how many places a longer one.
const EVERY_BYTE: usize = if cfg!(debug_assertions) { 128 } else { 8 * 1024 };
const PLACES: usize = if cfg!(debug_assertions) { 30 } else { 2_000 };

/// Where a reply is cut: at every byte, or at as many places as there may be, and around the ends of its lines.
fn places(text: &str) -> BTreeSet<usize> {
    if text.len() <= EVERY_BYTE {
        return (0..=text.len()).collect();
    }
    let spread = (0..=PLACES).map(|place| text.len() * place / PLACES);
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let step = ends.len().div_ceil(PLACES).max(1);
    spread.chain(ends.into_iter().rev().step_by(step).flat_map(|at| [at, at + 1])).collect()
}

fn check(suite: Suite, at_least: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut faults = Vec::new();
    for stream in streams(&suite).into_iter().filter(Stream::is_spoken) {
        let places = places(&stream.text);
        let cuts = places.len();
        faults.extend(runtime.block_on(stream.cut(places)).err().map(|fault| format!("{}: {fault}", stream.id)));
        let count = counts.entry(stream.api.clone()).or_default();
        *count = (count.0 + 1, count.1 + cuts);
    }
    assert_eq!(faults, Vec::<String>::new());
    assert!(counts.values().map(|(streams, _)| streams).sum::<usize>() >= at_least, "{counts:?}");
}

#[test]
fn packed_streams_are_whole_or_errors() {
    let expression = Regex::new("^wire/streams/").expect("an expression of ours");
    check(Suite::packed().expect("the packed cases are there").only(&[expression]), 58);
}

#[test]
#[ignore = "it needs the recorded cases, in the directory that TOOLWRIGHT_CASES names"]
fn recorded_streams_are_whole_or_errors() {
    let directory = std::env::var_os(CASES).expect("TOOLWRIGHT_CASES names a directory");
    let suite = Suite::load(&Path::new(&directory).join("recorded")).expect("the recorded cases are there");
    check(suite, 15);
}
