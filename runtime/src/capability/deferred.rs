//! Answers to calls that would wait for somebody outside.

use std::fmt;

use super::{Capability, HookResult, Hooks, Internals};
use crate::context::RunContext;
use crate::deferred::{
    BoxedDeferredHandler, DeferredHandler, DeferredToolRequests, DeferredToolResults, boxed_deferred_handler,
};
use crate::panics::{catch, catch_later};

/// Answers calls that would wait for somebody outside, inside the run; what
/// [`AgentBuilder::handle_deferred`](crate::AgentBuilder::handle_deferred) adds, which says what forms the handler can have.
pub struct HandleDeferredToolCalls<D>(BoxedDeferredHandler<D>);

impl<D: Send + Sync + 'static> HandleDeferredToolCalls<D> {
    /// The capability of this handler.
    #[must_use]
    pub fn new<Form>(handler: impl DeferredHandler<D, Form>) -> Self {
        Self(boxed_deferred_handler(handler))
    }
}

impl<D: Send + Sync + 'static> Capability<D> for HandleDeferredToolCalls<D> {
    async fn handle_deferred(
        &self,
        ctx: &RunContext<D>,
        requests: DeferredToolRequests,
    ) -> HookResult<Option<DeferredToolResults>> {
        catch_later(catch(|| (self.0)(ctx, requests))).await
    }

    fn internals(&self) -> Internals<'_, D> {
        Internals {
            hooks: Hooks { handle_deferred: true, ..Hooks::NONE },
            label: Some("the `handle_deferred` handler".into()),
            ..Internals::default()
        }
    }
}

impl<D> fmt::Debug for HandleDeferredToolCalls<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HandleDeferredToolCalls").finish_non_exhaustive()
    }
}
