//! Which cases passed, by section, and what was first wrong with each that failed.

use std::collections::BTreeMap;
use std::fmt;

use crate::case::Case;

/// How the cases of a suite ended.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    sections: BTreeMap<String, Tally>,
    /// The ids of the cases that failed, in order, each with its first difference.
    pub failures: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    passed: usize,
    total: usize,
}

impl Report {
    pub(crate) fn add(&mut self, case: &Case, result: Result<(), String>) {
        let tally = self.sections.entry(case.section().to_owned()).or_default();
        tally.total += 1;
        match result {
            Ok(()) => tally.passed += 1,
            Err(difference) => {
                self.failures.insert(case.id.clone(), difference);
            }
        }
    }

    /// How many cases passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.sections.values().map(|tally| tally.passed).sum()
    }
}

impl fmt::Display for Report {
    /// One line a section, and last the sum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (section, Tally { passed, total }) in &self.sections {
            writeln!(f, "{section} {passed}/{total}")?;
        }
        write!(f, "conformance: {} passed, {} failed", self.passed(), self.failures.len())
    }
}
