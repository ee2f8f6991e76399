//! Hooks over the tools of each step.

use std::fmt;

use super::{Capability, HookResult, Hooks, Internals};
use crate::context::RunContext;
use crate::panics::{catch, catch_later};
use crate::prepare::{BoxedToolsPrepare, ToolsPrepare, boxed_tools_prepare};
use crate::tool::ToolDefinition;

/// Lets a hook edit, order and leave out the function tools of each step; what
/// [`AgentBuilder::prepare_tools`](crate::AgentBuilder::prepare_tools) adds (specification: "Agent-wide Dynamic Tools").
pub struct PrepareTools<D>(BoxedToolsPrepare<D>);

/// Lets a hook edit, order and leave out the output tools of each step; what
/// [`AgentBuilder::prepare_output_tools`](crate::AgentBuilder::prepare_output_tools) adds.
pub struct PrepareOutputTools<D>(BoxedToolsPrepare<D>);

macro_rules! tools_hook {
    ($($name:ident $method:ident $label:literal)*) => {$(
        impl<D: Send + Sync + 'static> $name<D> {
            /// The capability of this hook; [`prepare`](crate::prepare) says which forms it can have.
            #[must_use]
            pub fn new<Form>(hook: impl ToolsPrepare<D, Form>) -> Self {
                Self(boxed_tools_prepare(hook))
            }
        }

        impl<D: Send + Sync + 'static> Capability<D> for $name<D> {
            async fn $method(
                &self,
                ctx: &RunContext<D>,
                tools: Vec<ToolDefinition>,
            ) -> HookResult<Vec<ToolDefinition>> {
                catch_later(catch(|| (self.0)(ctx, tools))).await
            }

            fn internals(&self) -> Internals<'_, D> {
                Internals {
                    hooks: Hooks { $method: true, ..Hooks::NONE },
                    label: Some($label.into()),
                    ..Internals::default()
                }
            }
        }

        impl<D> fmt::Debug for $name<D> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}
tools_hook! {
    PrepareTools prepare_tools "the `prepare_tools` hook"
    PrepareOutputTools prepare_output_tools "the `prepare_output_tools` hook"
}
