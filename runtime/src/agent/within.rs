//! Runs inside others, and what they share with them.

use std::fmt;
use std::sync::Arc;

use super::run::Run;
use crate::cancel::Deadline;
use crate::context::RunContext;
use crate::event::Event;
use crate::meter::Meter;

/// What a run shares with its caller, beside the tokens that cancel it.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) usage: Option<Arc<Meter>>,
    pub(super) deadline: Option<Deadline>,
    pub(super) events: Option<CallerListener>,
    pub(super) streamed: bool,
}

/// Tells a caller's listener of an event of the run with this id, of an agent with this name.
pub(super) type CallerListener = Box<dyn Fn(Event, &str, Option<&str>) + Send>;

impl<D: Send + Sync + 'static, O: Send + 'static, State> Run<D, O, State> {
    /// Runs inside another run, as an agent does that a tool asks: [usage and limits](Self::share_usage),
    /// [deadline and cancellation](Self::share_cancellation), and [events](Self::share_events) are the caller's, too. To
    /// share only some of it, say so with these three instead.
    ///
    /// Calls of the run that wait for somebody outside wait there: its agent answers them itself, with
    /// [`handle_deferred`](crate::AgentBuilder::handle_deferred), or is built with
    /// [`allow_deferred`](crate::AgentBuilder::allow_deferred) and gives them to the tool, which decides.
    ///
    /// Runs stand at most five deep inside one another, as they share a stack; one in a task of its own begins anew.
    ///
    /// Dependencies, history and settings are the run's own, and so is its end: when it is cancelled alone, with
    /// [`RunContext::cancel`] in one of its own tools or by a token or deadline of its own, it ends with an error, and the
    /// tool that gives that error on has failed. The caller's model is told so, and goes on. Once the caller itself is
    /// cancelled or over, the run is, too.
    ///
    /// ```
    /// use toolwright::model::TestModel;
    /// use toolwright::{Agent, RunContext, UsageLimits, tool, tools};
    ///
    /// struct Staff {
    ///     researcher: Agent<i32>,
    /// }
    ///
    /// /// Ask the researcher.
    /// #[tool]
    /// async fn research(ctx: &RunContext<Staff>, question: String) -> toolwright::Result<String> {
    ///     let run = ctx.deps().researcher.run(question).deps(7).within(ctx);
    ///     Ok(run.await?.into_output())
    /// }
    ///
    /// # #[tokio::main]
    /// # async fn main() -> toolwright::Result<()> {
    /// let researcher = Agent::<i32>::builder(TestModel::new().custom_output_text("It is 42.")).build()?;
    /// let writer = Agent::<Staff>::builder(TestModel::new()).tools(tools![research]).build()?;
    /// let limits = UsageLimits::default().requests(3);
    /// let result = writer.run("Write about it.").deps(Staff { researcher }).limits(limits).await?;
    /// assert_eq!(result.output(), r#"{"research":"It is 42."}"#);
    /// assert_eq!(result.usage().requests, 3, "two of the writer, and one of the researcher");
    /// # Ok(())
    /// # }
    /// ```
    pub fn within<P: Send + Sync + 'static>(self, caller: &RunContext<P>) -> Self {
        self.share_usage(caller).share_cancellation(caller).share_events(caller)
    }

    /// Counts what the run uses for its caller, too, as it is used: also when the run fails, and with others side by side.
    /// The caller's limits, and those of its callers, hold for all of it together. Of its own the run has only the
    /// [limits](Self::limits) that it is given; the result's [usage](crate::RunResult::usage) is its own part.
    ///
    /// A run that would pass a limit ends with an error of the kind [`UsageLimit`](crate::ErrorKind::UsageLimit); a tool
    /// that gives it on ends the caller with the same kind.
    pub fn share_usage<P>(mut self, caller: &RunContext<P>) -> Self {
        self.options.shared.usage = Some(caller.run().meter.clone());
        self
    }

    /// Cancels the run when its caller is cancelled or over, and when the caller's deadline passes.
    pub fn share_cancellation<P>(mut self, caller: &RunContext<P>) -> Self {
        self.options.cancel.extend(caller.run().cancel.tokens());
        self.options.shared.deadline = caller.run().deadline.map(Deadline::for_run_within);
        self
    }

    /// Tells the caller's listener, if it has one, what happens in the run, as [`Event::SubAgent`]; its own
    /// [listener](Self::on_event) is told first. Where the caller is [streamed](Self::stream), the run is streamed as well.
    pub fn share_events<P: Send + Sync + 'static>(mut self, caller: &RunContext<P>) -> Self {
        if caller.run().events.is_heard() {
            self.options.shared.streamed = caller.run().streamed;
            let caller = caller.clone();
            self.options.shared.events = Some(Box::new(move |event, run_id, agent| {
                let owned = |text: &Arc<str>| text.to_string();
                caller.run().emit(Event::SubAgent {
                    tool_name: caller.call().tool_name.as_ref().map(owned),
                    tool_call_id: caller.call().tool_call_id.as_ref().map(owned),
                    agent: agent.map(str::to_owned),
                    run_id: run_id.to_owned(),
                    event: Box::new(event),
                });
            }));
        }
        self
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("usage", &self.usage.is_some())
            .field("deadline", &self.deadline)
            .field("events", &self.events.is_some())
            .finish_non_exhaustive()
    }
}
