//! What comes next inside a hook that stands around something: the hooks after it, and at last the thing itself.

use std::fmt;

use super::{Capability, Entry, HookResult};
use crate::context::RunContext;
use crate::later::BoxFuture;
use crate::message::{Arguments, ModelResponse, ToolCallPart};
use crate::model::ModelInput;
use crate::tool::{ToolDefinition, ToolReturn};

/// A call of a tool, as hooks see it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolInvocation<'a> {
    /// The call, as the model made it.
    pub call: &'a ToolCallPart,
    /// The tool's definition in this step.
    pub tool: &'a ToolDefinition,
    /// The arguments that the tool is to be given: the model's, unless somebody gave others.
    pub args: Arguments,
}

/// What asks the model at last.
pub(crate) trait AskModel: Send {
    fn ask(&mut self, input: ModelInput) -> BoxFuture<'_, HookResult<ModelResponse>>;

    /// Hears how the hook of the capability that is called so has ended.
    fn hook_ended(&mut self, label: &str, failed: bool);
}

/// What reads and checks the arguments of a call at last.
pub(crate) trait ReadCall: Send {
    fn read(&mut self, args: Arguments) -> BoxFuture<'_, HookResult<()>>;
}

/// What runs a call at last.
pub(crate) trait RunCall: Send {
    fn run(&mut self, args: Arguments) -> BoxFuture<'_, HookResult<ToolReturn>>;
}

/// The rest of a request to the model; see [`Capability::wrap_model_request`].
pub struct NextRequest<'a, D> {
    rest: &'a [Entry<D>],
    ctx: &'a RunContext<D>,
    model: &'a mut dyn AskModel,
}

/// The rest of a look at a call's arguments; see [`Capability::wrap_tool_validation`].
pub struct NextToolValidation<'a, D> {
    rest: &'a [Entry<D>],
    ctx: &'a RunContext<D>,
    reader: &'a mut dyn ReadCall,
}

/// The rest of a call's execution; see [`Capability::wrap_tool_execution`].
pub struct NextToolExecution<'a, D> {
    rest: &'a [Entry<D>],
    ctx: &'a RunContext<D>,
    body: &'a mut dyn RunCall,
}

/// The first hook that is worth calling, and those after it.
fn split<D>(entries: &[Entry<D>]) -> Option<(&Entry<D>, &[Entry<D>])> {
    let place = entries.iter().position(|entry| entry.hooks().around)?;
    Some((&entries[place], &entries[place + 1..]))
}

impl<'a, D: Send + Sync + 'static> NextRequest<'a, D> {
    pub(crate) fn new(rest: &'a [Entry<D>], ctx: &'a RunContext<D>, model: &'a mut dyn AskModel) -> Self {
        Self { rest, ctx, model }
    }

    /// The same for a shorter time.
    pub(crate) fn reborrow(&mut self) -> NextRequest<'_, D> {
        NextRequest { rest: self.rest, ctx: self.ctx, model: &mut *self.model }
    }

    /// Asks the model, by way of the hooks that come next. Asking again is another request: it counts, and costs.
    ///
    /// # Errors
    ///
    /// Those of the hooks that come next; of the model, as [`Error`](crate::Error).
    pub async fn run(&mut self, input: ModelInput) -> HookResult<ModelResponse> {
        match split(self.rest) {
            None => self.model.ask(input).await,
            Some((entry, rest)) => {
                let next = NextRequest { rest, ctx: self.ctx, model: &mut *self.model };
                let ended = entry.capability().wrap_model_request(self.ctx, input, next).await;
                self.model.hook_ended(entry.label(), ended.is_err());
                ended
            }
        }
    }
}

impl<'a, D: Send + Sync + 'static> NextToolValidation<'a, D> {
    pub(crate) fn new(rest: &'a [Entry<D>], ctx: &'a RunContext<D>, reader: &'a mut dyn ReadCall) -> Self {
        Self { rest, ctx, reader }
    }

    /// The same for a shorter time.
    pub(crate) fn reborrow(&mut self) -> NextToolValidation<'_, D> {
        NextToolValidation { rest: self.rest, ctx: self.ctx, reader: &mut *self.reader }
    }

    /// Reads the arguments in `call` as the tool's types and has its validator look at them, by way of the hooks that come
    /// next. The arguments that were read last are those that the tool is given.
    ///
    /// # Errors
    ///
    /// Those of the hooks that come next; an [`ArgsError`](crate::args::ArgsError), where arguments cannot be read; and
    /// those of the tool's validator.
    pub async fn run(&mut self, call: ToolInvocation<'_>) -> HookResult<()> {
        match split(self.rest) {
            None => self.reader.read(call.args).await,
            Some((entry, rest)) => {
                let next = NextToolValidation { rest, ctx: self.ctx, reader: &mut *self.reader };
                entry.capability().wrap_tool_validation(self.ctx, call, next).await
            }
        }
    }
}

impl<'a, D: Send + Sync + 'static> NextToolExecution<'a, D> {
    pub(crate) fn new(rest: &'a [Entry<D>], ctx: &'a RunContext<D>, body: &'a mut dyn RunCall) -> Self {
        Self { rest, ctx, body }
    }

    /// The same for a shorter time.
    pub(crate) fn reborrow(&mut self) -> NextToolExecution<'_, D> {
        NextToolExecution { rest: self.rest, ctx: self.ctx, body: &mut *self.body }
    }

    /// Runs the tool with the arguments in `call`, by way of the hooks that come next. Each run is one of its own, with the
    /// whole of the tool's timeout.
    ///
    /// # Errors
    ///
    /// Those of the hooks that come next; the tool's own; where its time is up, a [`ModelRetry`](crate::ModelRetry); where
    /// the arguments are others than those that were checked and cannot be read, an [`ArgsError`](crate::args::ArgsError).
    pub async fn run(&mut self, call: ToolInvocation<'_>) -> HookResult<ToolReturn> {
        match split(self.rest) {
            None => self.body.run(call.args).await,
            Some((entry, rest)) => {
                let next = NextToolExecution { rest, ctx: self.ctx, body: &mut *self.body };
                entry.capability().wrap_tool_execution(self.ctx, call, next).await
            }
        }
    }
}

macro_rules! opaque_debug {
    ($($name:ident)*) => {$(
        impl<D> fmt::Debug for $name<'_, D> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("hooks", &self.rest.len()).finish_non_exhaustive()
            }
        }
    )*};
}
opaque_debug!(NextRequest NextToolValidation NextToolExecution);
