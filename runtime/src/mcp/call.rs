//! What runs when a server's tool is called.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::sync::mpsc;

use super::connection::Connection;
use super::failure::Failure;
use super::progress::{self, Progress};
use super::session::CallRequest;
use super::settings::ToolErrorBehavior;
use super::tools::RemoteTool;
use crate::args::{ArgsError, read_object};
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::message::Arguments;
use crate::tool::{Finished, ModelRetry, ReadArgs, Running, ToolBody, ToolFailed, foreign_args};

/// Gives what is sent with a call besides its arguments.
pub(super) type CallMetadata<D> = Arc<dyn Fn(&RunContext<D>) -> Option<Map<String, Value>> + Send + Sync>;

/// A tool of a server, to be called.
pub(super) struct RemoteCall<D> {
    pub(super) connection: Arc<Connection>,
    pub(super) tool: Arc<RemoteTool>,
    pub(super) metadata: Option<CallMetadata<D>>,
}

impl<D> Clone for RemoteCall<D> {
    fn clone(&self) -> Self {
        Self { connection: self.connection.clone(), tool: self.tool.clone(), metadata: self.metadata.clone() }
    }
}

/// Arguments as they were read, and as they came: for a call that has to be made once more.
type Read = (Map<String, Value>, Arguments);

impl<D: Send + Sync + 'static> ToolBody<D> for RemoteCall<D> {
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError> {
        read_object(args.text()).map(|object| Box::new((object, args.clone())) as ReadArgs)
    }

    fn check(&self, _: &RunContext<D>, _: &ReadArgs, _: &Arguments) -> Later<Result<(), BoxError>> {
        Later::Now(Ok(()))
    }

    fn call(&self, ctx: RunContext<D>, args: ReadArgs) -> Running {
        match args.downcast::<Read>() {
            Ok(args) => {
                let call = self.clone();
                Running::Future(Box::pin(async move { call.run(ctx, *args).await }))
            }
            Err(args) => Running::Done(Err(foreign_args(&args))),
        }
    }
}

impl<D: Send + Sync + 'static> RemoteCall<D> {
    async fn run(self, ctx: RunContext<D>, (args, raw): Read) -> Finished {
        let (progress, mut told) = progress::channel();
        let metadata = self.metadata.as_ref().and_then(|metadata| metadata(&ctx));
        let again = (metadata.clone(), progress.clone());
        let request = self.request(args, metadata, progress);
        let again = || self.request(read_object(raw.text()).unwrap_or_default(), again.0, again.1);
        let mut calling = std::pin::pin!(self.connection.call(request, again));
        let outcome = loop {
            tokio::select! {
                biased;
                Some(progress) = told.recv() => tell(&ctx, progress),
                outcome = &mut calling => break outcome,
            }
        };
        while let Ok(progress) = told.try_recv() {
            tell(&ctx, progress);
        }
        match outcome {
            Ok(outcome) if outcome.is_error => Err(self.refusal(outcome.text())),
            Ok(outcome) => Ok(outcome.into_return()),
            Err(failure) => Err(self.failed(&failure)),
        }
    }

    fn request(
        &self,
        args: Map<String, Value>,
        metadata: Option<Map<String, Value>>,
        progress: mpsc::Sender<Progress>,
    ) -> CallRequest {
        CallRequest { name: self.tool.name.clone(), args, metadata, progress }
    }

    /// What becomes of a call whose server says that it has failed.
    fn refusal(&self, message: String) -> BoxError {
        match self.connection.server.settings.error_behavior {
            ToolErrorBehavior::Retry => ModelRetry::new(message).into(),
            ToolErrorBehavior::Fail => ToolFailed::new(message).into(),
        }
    }

    fn failed(&self, failure: &Failure) -> BoxError {
        let why = self.connection.server.shown(failure.why());
        match failure {
            Failure::Refused(_) => self.refusal(why),
            Failure::Unsent(_) => {
                ToolFailed::new(format!("The tool has not run: its server could not be reached ({why}).")).into()
            }
            Failure::Lost(_) => {
                ToolFailed::new(format!("The tool may or may not have run: its server has given no result ({why})."))
                    .into()
            }
            Failure::Late(_) => {
                ToolFailed::new(format!("The tool may or may not have run: its server was too slow ({why}).")).into()
            }
        }
    }
}

fn tell<D>(ctx: &RunContext<D>, progress: Progress) {
    ctx.emit_progress(progress.done, progress.total, progress.message);
}
