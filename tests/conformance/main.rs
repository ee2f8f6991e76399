//! Plays all packed cases: every one passes.

mod features;

use std::fmt::Write;

use toolwright_tests::{Suite, play};

#[test]
fn every_case_passes() {
    let suite = Suite::packed().expect("the packed cases are there");
    assert!(suite.cases.len() > 1000, "only {} cases", suite.cases.len());
    let report = play(suite);
    let failures = report.failures.iter().fold(String::new(), |mut all, (id, difference)| {
        let _ = writeln!(all, "{id}: {difference}");
        all
    });
    assert!(failures.is_empty(), "{failures}");
}
