//! A capability behind a pointer.

use std::fmt;
use std::sync::Arc;

use super::{
    Capability, HookResult, Internals, NextRequest, NextToolExecution, NextToolValidation, ToolInvocation, delegate,
};
use crate::context::RunContext;
use crate::deferred::{DeferredToolRequests, DeferredToolResults};
use crate::later::BoxFuture;
use crate::message::{History, ModelResponse};
use crate::model::{ModelInput, ModelSettings};
use crate::tool::{ToolDefinition, ToolReturn};
use crate::toolset::AnyToolset;

/// A capability behind a pointer. Cloning shares it.
pub struct AnyCapability<D> {
    inner: Arc<dyn ErasedCapability<D>>,
}

impl<D: Send + Sync + 'static> AnyCapability<D> {
    /// Hides the type of `capability`.
    pub fn new(capability: impl Capability<D>) -> Self {
        Self { inner: Arc::new(capability) }
    }
}

impl<D> Clone for AnyCapability<D> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<D: Send + Sync + 'static> fmt::Debug for AnyCapability<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyCapability").field(&self.inner.id()).finish()
    }
}

impl<D: Send + Sync + 'static> Capability<D> for AnyCapability<D> {
    delegate!(id description defer_loading toolsets hooks);
}

/// [`Capability`] with boxed futures, so that it can stand behind a pointer.
trait ErasedCapability<D>: Send + Sync {
    fn id(&self) -> Option<&str>;
    fn description(&self) -> Option<&str>;
    fn defer_loading(&self) -> bool;
    fn instructions<'a>(&'a self, ctx: &'a RunContext<D>) -> BoxFuture<'a, HookResult<Option<String>>>;
    fn toolsets(&self) -> Vec<AnyToolset<D>>;
    fn settings<'a>(&'a self, ctx: &'a RunContext<D>) -> BoxFuture<'a, HookResult<ModelSettings>>;
    fn prepare_tools<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        tools: Vec<ToolDefinition>,
    ) -> BoxFuture<'a, HookResult<Vec<ToolDefinition>>>;
    fn prepare_output_tools<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        tools: Vec<ToolDefinition>,
    ) -> BoxFuture<'a, HookResult<Vec<ToolDefinition>>>;
    fn process_history<'a>(&'a self, ctx: &'a RunContext<D>, history: History) -> BoxFuture<'a, HookResult<History>>;
    fn wrap_model_request<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        input: ModelInput,
        next: NextRequest<'a, D>,
    ) -> BoxFuture<'a, HookResult<ModelResponse>>;
    fn wrap_tool_validation<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        call: ToolInvocation<'a>,
        next: NextToolValidation<'a, D>,
    ) -> BoxFuture<'a, HookResult<()>>;
    fn wrap_tool_execution<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        call: ToolInvocation<'a>,
        next: NextToolExecution<'a, D>,
    ) -> BoxFuture<'a, HookResult<ToolReturn>>;
    fn handle_deferred<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        requests: DeferredToolRequests,
    ) -> BoxFuture<'a, HookResult<Option<DeferredToolResults>>>;
    fn internals(&self) -> Internals<'_, D>;
}

impl<D: Send + Sync + 'static, C: Capability<D>> ErasedCapability<D> for C {
    fn id(&self) -> Option<&str> {
        Capability::id(self)
    }

    fn description(&self) -> Option<&str> {
        Capability::description(self)
    }

    fn defer_loading(&self) -> bool {
        Capability::defer_loading(self)
    }

    fn instructions<'a>(&'a self, ctx: &'a RunContext<D>) -> BoxFuture<'a, HookResult<Option<String>>> {
        Box::pin(Capability::instructions(self, ctx))
    }

    fn toolsets(&self) -> Vec<AnyToolset<D>> {
        Capability::toolsets(self)
    }

    fn settings<'a>(&'a self, ctx: &'a RunContext<D>) -> BoxFuture<'a, HookResult<ModelSettings>> {
        Box::pin(Capability::settings(self, ctx))
    }

    fn prepare_tools<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        tools: Vec<ToolDefinition>,
    ) -> BoxFuture<'a, HookResult<Vec<ToolDefinition>>> {
        Box::pin(Capability::prepare_tools(self, ctx, tools))
    }

    fn prepare_output_tools<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        tools: Vec<ToolDefinition>,
    ) -> BoxFuture<'a, HookResult<Vec<ToolDefinition>>> {
        Box::pin(Capability::prepare_output_tools(self, ctx, tools))
    }

    fn process_history<'a>(&'a self, ctx: &'a RunContext<D>, history: History) -> BoxFuture<'a, HookResult<History>> {
        Box::pin(Capability::process_history(self, ctx, history))
    }

    fn wrap_model_request<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        input: ModelInput,
        next: NextRequest<'a, D>,
    ) -> BoxFuture<'a, HookResult<ModelResponse>> {
        Box::pin(Capability::wrap_model_request(self, ctx, input, next))
    }

    fn wrap_tool_validation<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        call: ToolInvocation<'a>,
        next: NextToolValidation<'a, D>,
    ) -> BoxFuture<'a, HookResult<()>> {
        Box::pin(Capability::wrap_tool_validation(self, ctx, call, next))
    }

    fn wrap_tool_execution<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        call: ToolInvocation<'a>,
        next: NextToolExecution<'a, D>,
    ) -> BoxFuture<'a, HookResult<ToolReturn>> {
        Box::pin(Capability::wrap_tool_execution(self, ctx, call, next))
    }

    fn handle_deferred<'a>(
        &'a self,
        ctx: &'a RunContext<D>,
        requests: DeferredToolRequests,
    ) -> BoxFuture<'a, HookResult<Option<DeferredToolResults>>> {
        Box::pin(Capability::handle_deferred(self, ctx, requests))
    }

    fn internals(&self) -> Internals<'_, D> {
        Capability::internals(self)
    }
}
