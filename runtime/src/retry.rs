//! How often a model may be asked to try again: the budgets, and what of them is used up.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::error::{BoxError, Error, Result};

/// How often a model may be asked to try again: a tool call, and the run's output.
///
/// A number sets both budgets; [`Retries::tools`] and [`Retries::output`] set one and leave the other as it is. The first
/// of these that says something counts: the tool, its toolset, the run, the agent, and at last 1 (specification: "Which
/// retry limit wins").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Retries {
    tools: Option<u32>,
    output: Option<u32>,
}

impl Retries {
    /// For each tool, in a row; 0 is never.
    pub const fn tools(tools: u32) -> Self {
        Self { tools: Some(tools), output: None }
    }

    /// For the run's output; 0 is never.
    pub const fn output(output: u32) -> Self {
        Self { tools: None, output: Some(output) }
    }

    /// For the run's output, too.
    pub const fn with_output(mut self, output: u32) -> Self {
        self.output = Some(output);
        self
    }

    /// These budgets, with what `over` sets in place of them.
    pub(crate) fn merged(self, over: Self) -> Self {
        Self { tools: over.tools.or(self.tools), output: over.output.or(self.output) }
    }

    pub(crate) fn tool_budget(self) -> u32 {
        self.tools.unwrap_or(1)
    }

    pub(crate) fn output_budget(self) -> u32 {
        self.output.unwrap_or(1)
    }
}

impl From<u32> for Retries {
    fn from(both: u32) -> Self {
        Self { tools: Some(both), output: Some(both) }
    }
}

/// How often each tool was asked again, in a row, by the name the model knows.
pub(crate) type RetryCounts = Arc<HashMap<String, u32>>;

/// What of the budgets is used up. Counts move only between steps: however often a tool fails in one, it costs one.
#[derive(Default)]
pub(crate) struct RetryLedger {
    counts: RetryCounts,
    failed: HashSet<String>,
    succeeded: HashSet<String>,
    output_used: u32,
}

impl RetryLedger {
    pub(crate) fn counts(&self) -> RetryCounts {
        self.counts.clone()
    }

    pub(crate) fn count(&self, name: &str) -> u32 {
        self.counts.get(name).copied().unwrap_or_default()
    }

    /// Carries the counts into the next step.
    pub(crate) fn next_step(&mut self) {
        if self.failed.is_empty() && self.succeeded.is_empty() {
            return;
        }
        let counts = Arc::make_mut(&mut self.counts);
        for name in self.succeeded.drain() {
            if !self.failed.contains(&name) {
                counts.remove(&name);
            }
        }
        for name in self.failed.drain() {
            *counts.entry(name).or_default() += 1;
        }
    }

    pub(crate) fn succeeded(&mut self, name: &str) {
        self.succeeded.insert(name.to_owned());
    }

    /// Counts a failure of the tool; which attempt it was, from 1, or the error that ends the run.
    pub(crate) fn failed(&mut self, name: &str, max_retries: u32, cause: impl Into<BoxError>) -> Result<u32> {
        let used = self.count(name);
        if used >= max_retries {
            return Err(Error::model_behavior(format!(
                "Tool '{name}' exceeded max retries count of {max_retries}; raise it with `retries` on the tool, its toolset \
                 or the agent, or see in the source why the calls failed"
            ))
            .with_source(cause));
        }
        self.failed.insert(name.to_owned());
        Ok(used + 1)
    }

    pub(crate) fn output_used(&self) -> u32 {
        self.output_used
    }

    /// Counts a failed output tool, whose own budget is counted by [`Self::failed`].
    pub(crate) fn output_tool_failed(&mut self) {
        self.output_used += 1;
    }

    /// Counts a response that held no output; which attempt it was, from 1, or the error that ends the run.
    pub(crate) fn output_failed(&mut self, max_retries: u32, cause: impl Into<BoxError>) -> Result<u32> {
        self.output_used += 1;
        if self.output_used > max_retries {
            return Err(output_exhausted(max_retries).with_source(cause));
        }
        Ok(self.output_used)
    }
}

pub(crate) fn output_exhausted(max_retries: u32) -> Error {
    Error::model_behavior(format!(
        "Exceeded maximum output retries ({max_retries}); raise them with `Retries::output`, or see in the source what was \
         wrong with the model's output"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_one_step_cost_one() {
        let mut ledger = RetryLedger::default();
        assert_eq!(ledger.failed("t", 1, "a").ok(), Some(1));
        assert_eq!(ledger.failed("t", 1, "b").ok(), Some(1));
        ledger.succeeded("t");
        ledger.next_step();
        assert!(ledger.failed("t", 1, "c").is_err());
    }

    #[test]
    fn success_in_a_later_step_resets_and_idling_does_not() {
        let mut ledger = RetryLedger::default();
        ledger.failed("t", 1, "a").expect("budget");
        ledger.next_step();
        ledger.next_step();
        assert_eq!(ledger.count("t"), 1);
        ledger.succeeded("t");
        ledger.next_step();
        assert_eq!(ledger.count("t"), 0);
    }

    #[test]
    fn the_first_layer_that_says_something_counts() {
        let agent = Retries::tools(2).with_output(5);
        assert_eq!(agent.merged(Retries::output(7)).tool_budget(), 2);
        assert_eq!(agent.merged(3.into()).output_budget(), 3);
        assert_eq!(Retries::default().tool_budget(), 1);
    }
}
