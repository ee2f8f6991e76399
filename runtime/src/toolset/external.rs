//! Tools that run elsewhere: the run waits for their results.

use std::sync::Arc;

use super::Toolset;
use crate::args::{ArgsError, read_object};
use crate::context::RunContext;
use crate::error::{BoxError, Result};
use crate::later::Later;
use crate::message::Arguments;
use crate::tool::{CallKind, ReadArgs, Running, Tool, ToolBody, ToolDefinition};

/// Tools that run elsewhere: in a browser, in another service, in a person's hands. A call of one pauses the run, whose
/// output then is the [deferred requests](crate::DeferredToolRequests); an agent that is to have such runs is built with
/// [`allow_deferred`](crate::AgentBuilder::allow_deferred), or answers them itself with
/// [`handle_deferred`](crate::AgentBuilder::handle_deferred) (specification: behaviours 11).
#[derive(Clone, Debug)]
pub struct ExternalToolset {
    id: String,
    definitions: Arc<[ToolDefinition]>,
}

impl ExternalToolset {
    /// The tools with these definitions, whatever their [`CallKind`] was. Errors name the toolset by `id`.
    pub fn new(id: impl Into<String>, definitions: impl IntoIterator<Item = ToolDefinition>) -> Self {
        let id = id.into();
        let definitions = definitions
            .into_iter()
            .map(|definition| definition.with_kind(CallKind::External).with_toolset_id(&id))
            .collect();
        Self { id, definitions }
    }
}

impl<D: Send + Sync + 'static> Toolset<D> for ExternalToolset {
    fn id(&self) -> Option<&str> {
        Some(&self.id)
    }

    fn revision(&self) -> Option<u64> {
        Some(0)
    }

    async fn tools(&self, _: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        let body: Arc<dyn ToolBody<D>> = Arc::new(Elsewhere);
        let tool = |definition: &ToolDefinition| {
            let mut tool = Tool::from_parts(definition.clone(), body.clone());
            tool.inner_mut().max_retries = Some(0);
            tool
        };
        Ok(self.definitions.iter().map(tool).collect())
    }
}

/// Reads any argument object; is never run.
struct Elsewhere;

impl<D> ToolBody<D> for Elsewhere {
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError> {
        read_object(args.text()).map(|object| Box::new(object) as ReadArgs)
    }

    fn check(&self, _: &RunContext<D>, _: &ReadArgs, _: &Arguments) -> Later<Result<(), BoxError>> {
        Later::Now(Ok(()))
    }

    fn call(&self, _: RunContext<D>, _: ReadArgs) -> Running {
        Running::Done(Err("an external tool runs elsewhere: give its result, not an approval".into()))
    }
}
