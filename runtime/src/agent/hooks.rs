//! What stands at the end of hooks: asking the model, looking at a call's arguments, and running it.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;

use crate::args::ArgsError;
use crate::capability::{AskModel, BlockingPool, Entry, HookResult, ReadCall, RunCall};
use crate::context::{RunContext, RunShared};
use crate::error::{BoxError, Error, Result};
use crate::event::Event;
use crate::later::BoxFuture;
use crate::message::{Arguments, ModelResponse, ResponsePart, ToolCallPart};
use crate::model::{AnyModel, Model, ModelInput, PartEvent, PartEvents, RequestCache};
use crate::panics::{catch, catch_future, catch_later, panic_error};
use crate::tool::{Finished, ModelRetry, ReadArgs, Running, Tool, ToolReturn};
use crate::trace::{Trace, on_thread};

/// Whether any of them stands around something.
pub(super) fn any_around<D>(entries: &[Entry<D>]) -> bool {
    entries.iter().any(|entry| entry.hooks().around)
}

/// Whose hooks stand around something, for errors.
pub(super) fn whose<D>(entries: &[Entry<D>]) -> &str {
    let mut around = entries.iter().filter(|entry| entry.hooks().around);
    match (around.next(), around.next()) {
        (Some(only), None) => only.label(),
        _ => "a capability",
    }
}

/// The arguments' own error in what a hook gave back, also where it is wrapped. One inside the error of another run was that
/// run's.
pub(super) fn args_error<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a ArgsError> {
    std::iter::successors(Some(error), |error| error.source())
        .take_while(|error| !error.is::<Error>())
        .find_map(|error| error.downcast_ref())
}

/// Asks the model.
pub(super) struct Asking<'a, D> {
    pub(super) model: &'a AnyModel,
    pub(super) cache: &'a mut RequestCache,
    pub(super) run: &'a Arc<RunShared<D>>,
    pub(super) trace: &'a Trace,
    /// Gives a call the kind of its tool.
    pub(super) mark_kind: &'a (dyn Fn(&mut ToolCallPart) + Sync),
    /// How often it was asked.
    pub(super) requests: u32,
    /// What was answered last.
    pub(super) answered: Option<ModelResponse>,
    /// Whether it was told what the response makes the run's output.
    pub(super) told_output: bool,
    /// Whose hook was the first to fail, unless a later one has mended that.
    pub(super) failed: Option<String>,
}

impl<D: Send + Sync + 'static> Asking<'_, D> {
    /// Asks once; the parts of the response are told as those behind `before` others.
    pub(super) async fn once(&mut self, input: &ModelInput, before: usize) -> Result<ModelResponse> {
        let room = self.run.meter.reserve_request()?;
        let span = self.trace.chat(self.model, input, self.run.streamed);
        let asked = span.around(self.request(input, before)).await;
        span.end(&asked);
        let response = asked.inspect_err(|error| room.attempts_failed(error.failed_attempts()))?;
        room.request_done(&response);
        self.requests += 1;
        Ok(response)
    }

    /// Sends the request, at once or streamed. A panic is the model's error.
    async fn request(&mut self, input: &ModelInput, before: usize) -> Result<ModelResponse> {
        let asked = if self.run.streamed {
            catch_future(self.streamed(input, before)).await
        } else {
            catch_future(self.model.request(input, self.cache)).await
        };
        let failed = |panic| Error::provider(format!("model `{}` failed", self.model.name())).with_source(panic);
        asked.map_err(failed)?
    }

    /// Asks for a streamed response, and tells of its parts as they come in.
    async fn streamed(&mut self, input: &ModelInput, before: usize) -> Result<ModelResponse> {
        let run = self.run;
        // What a response was told to be is not told again where it goes on.
        self.told_output &= before > 0;
        let told = &mut self.told_output;
        let mark_kind = self.mark_kind;
        let mut listener = |mut event: PartEvent| {
            event.shift(before);
            if let PartEvent::Start { part, .. } | PartEvent::End { part, .. } = &mut event
                && let ResponsePart::ToolCall(call) = part
            {
                mark_kind(call);
            }
            let output = if *told { None } else { final_result(&event, input) };
            run.emit(Event::Part(event));
            if let Some(output) = output {
                *told = true;
                run.emit(output);
            }
        };
        self.model.request_stream(input, self.cache, &mut PartEvents::new(&mut listener)).await
    }
}

impl<D: Send + Sync + 'static> AskModel for Asking<'_, D> {
    fn ask(&mut self, input: ModelInput) -> BoxFuture<'_, HookResult<ModelResponse>> {
        Box::pin(async move {
            let response = self.whole(&input).await?;
            self.answered = Some(response.clone());
            Ok(response)
        })
    }

    fn hook_ended(&mut self, label: &str, failed: bool) {
        if failed {
            self.failed.get_or_insert_with(|| label.to_owned());
        } else {
            self.failed = None;
        }
    }
}

/// What a part that begins says of the run's output.
fn final_result(event: &PartEvent, input: &ModelInput) -> Option<Event> {
    let PartEvent::Start { part, .. } = event else { return None };
    match part {
        ResponsePart::Text(_) if input.allow_text => Some(Event::FinalResult { tool_name: None, tool_call_id: None }),
        ResponsePart::File(_) if input.allow_files => Some(Event::FinalResult { tool_name: None, tool_call_id: None }),
        ResponsePart::ToolCall(call) if input.output_tools.iter().any(|tool| tool.name() == call.tool_name) => {
            let (tool_name, tool_call_id) = (Some(call.tool_name.clone()), Some(call.tool_call_id.clone()));
            Some(Event::FinalResult { tool_name, tool_call_id })
        }
        _ => None,
    }
}

/// Looks at the arguments of a call.
pub(super) struct Reading<'a, D> {
    tool: &'a Tool<D>,
    ctx: &'a RunContext<D>,
    /// The arguments that were read last, and what they were read as.
    read: Option<(Arguments, ReadArgs)>,
    /// The panic of whatever reads arguments.
    panic: Option<BoxError>,
}

impl<'a, D: Send + Sync + 'static> Reading<'a, D> {
    pub(super) fn new(tool: &'a Tool<D>, ctx: &'a RunContext<D>) -> Self {
        Self { tool, ctx, read: None, panic: None }
    }

    /// Reads the arguments, and lets the tool's validator look at them.
    pub(super) async fn check(&mut self, args: Arguments) -> HookResult<()> {
        self.only_read(args)?;
        let body = &self.tool.inner().body;
        let checked = match &self.read {
            Some((args, read)) => catch(|| body.check(self.ctx, read, args)),
            None => return Ok(()),
        };
        catch_later(checked).await
    }

    /// Reads the arguments.
    pub(super) fn only_read(&mut self, args: Arguments) -> HookResult<()> {
        self.read = None;
        self.panic = None;
        match catch(|| self.tool.inner().body.read(&args)) {
            Ok(read) => self.read = Some((args, read?)),
            Err(panic) => {
                self.panic = Some(panic);
                return Err("reading the arguments failed".into());
            }
        }
        Ok(())
    }

    /// Whether arguments were read: only then is there anything to show to whoever is asked.
    pub(super) fn has_read(&self) -> bool {
        self.read.is_some()
    }

    /// The arguments, and what they were read as.
    pub(super) fn finish(self) -> (Option<(Arguments, ReadArgs)>, Option<BoxError>) {
        (self.read, self.panic)
    }
}

impl<D: Send + Sync + 'static> ReadCall for Reading<'_, D> {
    fn read(&mut self, args: Arguments) -> BoxFuture<'_, HookResult<()>> {
        Box::pin(self.check(args))
    }
}

/// Runs a call.
pub(super) struct Body<D> {
    pub(super) tool: Tool<D>,
    pub(super) ctx: RunContext<D>,
    pub(super) args: Arguments,
    /// What they were read as, for the first time that they are used.
    pub(super) read: Option<ReadArgs>,
    pub(super) pool: Option<BlockingPool>,
    /// Whether it ran out of time.
    pub(super) is_late: bool,
}

impl<D: Send + Sync + 'static> Body<D> {
    /// Runs the tool's body to its end, or to its time limit. A panic is the tool's error.
    pub(super) async fn once(&mut self, args: &Arguments) -> Finished {
        let inner = self.tool.inner();
        let read = match self.read.take() {
            Some(read) if *args == self.args => read,
            _ => catch(|| inner.body.read(args))??,
        };
        let timeout = self.tool.definition().timeout().or(inner.default_timeout);
        let body = running(inner.body.call(self.ctx.clone(), read), self.pool.as_ref());
        let Some(timeout) = timeout else { return body.await };
        let finished = tokio::time::timeout(timeout, body).await.unwrap_or_else(|elapsed| Err(elapsed.into()));
        self.is_late = finished.as_ref().is_err_and(|error| is_elapsed(&**error));
        if self.is_late { Err(timed_out(timeout)) } else { finished }
    }
}

impl<D: Send + Sync + 'static> RunCall for Body<D> {
    fn run(&mut self, args: Arguments) -> BoxFuture<'_, HookResult<ToolReturn>> {
        // The clock, too, can panic: a runtime may have none.
        Box::pin(async move { catch_future(self.once(&args)).await.unwrap_or_else(Err) })
    }
}

async fn running(running: Running, pool: Option<&BlockingPool>) -> Finished {
    let job = match running {
        Running::Done(finished) => return finished,
        Running::Future(future) => return future.await,
        Running::Blocking(job) => job,
    };
    let turn = match pool {
        Some(pool) => pool.turn().await,
        None => None,
    };
    let job = move || {
        // The turn is the thread's, which ends later than a call that is given up.
        let _turn = turn;
        job()
    };
    // A call that still waits for a thread when it is dropped must not begin any more.
    match AbortOnDropHandle::new(tokio::task::spawn_blocking(on_thread(job))).await {
        Ok(finished) => finished,
        Err(error) if error.is_panic() => Err(panic_error(&*error.into_panic())),
        Err(error) => Err(error.into()),
    }
}

fn timed_out(timeout: Duration) -> BoxError {
    ModelRetry::new(format!("Timed out after {} seconds.", timeout.as_secs_f64())).into()
}

/// Whether the tool's own error says that something timed out.
fn is_elapsed(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<tokio::time::error::Elapsed>())
}
