//! A history that is edited before each request.

use std::fmt;

use super::{Capability, HookResult, Hooks, Internals};
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::message::History;
use crate::panics::{catch, catch_later};
use crate::prepare::{form, hook_forms};

/// What a history processor returns: the history, or a `Result` of it.
#[diagnostic::on_unimplemented(
    message = "a history processor cannot return `{Self}`",
    note = "it returns a `History`, or a `Result` of one with an error that is `Into<Box<dyn Error + Send + Sync>>`"
)]
pub trait ProcessedHistory {
    /// The history that is sent, and kept.
    ///
    /// # Errors
    ///
    /// What the processor returned; it ends the run.
    fn into_history(self) -> Result<History, BoxError>;
}

impl ProcessedHistory for History {
    fn into_history(self) -> Result<History, BoxError> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> ProcessedHistory for Result<History, E> {
    fn into_history(self) -> Result<History, BoxError> {
        self.map_err(Into::into)
    }
}

hook_forms! {
    /// A function that edits a conversation before it is sent; see [`ProcessHistory`].
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no history processor for an agent whose dependencies are `{D}`",
        label = "expected `fn(&RunContext<{D}>, History) -> History`",
        note = "it takes `&RunContext<{D}>` (or, `async` or not, `RunContext<{D}>`) and a `History`, and returns a `History` or \
                a `Result` of one; a closure's parameters need their types"
    )]
    HistoryProcessor, History => History, ProcessedHistory, into_history
}

type BoxedHistoryProcessor<D> = Box<dyn Fn(&RunContext<D>, History) -> Later<Result<History, BoxError>> + Send + Sync>;

/// Edits the conversation before each request: to shorten it, or to take something out.
///
/// What it gives back is kept: it is the run's history from then on. It must end with the newest request. Tools whose evidence
/// it drops are hidden again (specification: "Tool discovery and message history").
///
/// ```
/// use toolwright::capability::ProcessHistory;
/// use toolwright::message::Message;
/// use toolwright::model::TestModel;
/// use toolwright::{Agent, History, RunContext};
///
/// /// Keeps what was said last: an odd number of messages begins with a request, as it ends with one.
/// fn newest(_: &RunContext<()>, history: History) -> History {
///     history.since(history.len().saturating_sub(11))
/// }
///
/// # fn main() -> toolwright::Result<()> {
/// let agent = Agent::<()>::builder(TestModel::new()).capability(ProcessHistory::new(newest)).build()?;
/// # agent.run("Hello.").run_blocking()?;
/// # Ok(())
/// # }
/// ```
pub struct ProcessHistory<D>(BoxedHistoryProcessor<D>);

impl<D: Send + Sync + 'static> ProcessHistory<D> {
    /// The capability of this function: `fn(&RunContext<D>, History) -> History`, `async` or not, fallible or not.
    #[must_use]
    pub fn new<Form>(processor: impl HistoryProcessor<D, Form>) -> Self {
        Self(Box::new(move |ctx, history| processor.run(ctx, history)))
    }
}

impl<D: Send + Sync + 'static> Capability<D> for ProcessHistory<D> {
    async fn process_history(&self, ctx: &RunContext<D>, history: History) -> HookResult<History> {
        catch_later(catch(|| (self.0)(ctx, history))).await
    }

    fn internals(&self) -> Internals<'_, D> {
        Internals {
            hooks: Hooks { process_history: true, ..Hooks::NONE },
            label: Some("the history processor".into()),
            ..Internals::default()
        }
    }
}

impl<D> fmt::Debug for ProcessHistory<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessHistory").finish_non_exhaustive()
    }
}
