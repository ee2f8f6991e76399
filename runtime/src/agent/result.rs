//! What a run came to.

use std::fmt;

use crate::message::History;
use crate::report::StepReport;
use crate::usage::RunUsage;

/// What a run came to.
pub struct RunResult<O> {
    pub(super) output: O,
    pub(super) history: History,
    pub(super) new_from: usize,
    pub(super) usage: RunUsage,
    pub(super) steps: Vec<StepReport>,
    pub(super) run_id: String,
}

impl<O> RunResult<O> {
    /// The output.
    #[must_use]
    pub fn output(&self) -> &O {
        &self.output
    }

    /// The output alone.
    #[must_use]
    pub fn into_output(self) -> O {
        self.output
    }

    /// The whole conversation, with what came before the run.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// What the run added to the conversation.
    #[must_use]
    pub fn new_messages(&self) -> History {
        self.history.since(self.new_from)
    }

    /// What the run cost.
    #[must_use]
    pub fn usage(&self) -> &RunUsage {
        &self.usage
    }

    /// What the model was offered, step by step, and what became of the other tools.
    #[must_use]
    pub fn steps(&self) -> &[StepReport] {
        &self.steps
    }

    /// The run's id.
    #[must_use]
    pub fn run_id(&self) -> &str {
        &self.run_id
    }
}

impl<O: fmt::Debug> fmt::Debug for RunResult<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunResult")
            .field("output", &self.output)
            .field("messages", &self.history.len())
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}
