//! Settings of each step.

use std::fmt;

use super::{Capability, HookResult, Hooks, Internals};
use crate::context::RunContext;
use crate::model::ModelSettings;
use crate::panics::catch;

type SettingsFunction<D> = Box<dyn Fn(&RunContext<D>) -> ModelSettings + Send + Sync>;

/// Says at each step how the model is to answer; what [`AgentBuilder::step_settings`](crate::AgentBuilder::step_settings)
/// adds (specification: "Dynamic tool choice via capabilities").
pub struct StepSettings<D>(SettingsFunction<D>);

impl<D> StepSettings<D> {
    /// The capability of this function. What it leaves open stays as it is; it may force tools.
    #[must_use]
    pub fn new(settings: impl Fn(&RunContext<D>) -> ModelSettings + Send + Sync + 'static) -> Self {
        Self(Box::new(settings))
    }
}

impl<D: Send + Sync + 'static> Capability<D> for StepSettings<D> {
    async fn settings(&self, ctx: &RunContext<D>) -> HookResult<ModelSettings> {
        catch(|| (self.0)(ctx))
    }

    fn internals(&self) -> Internals<'_, D> {
        Internals {
            hooks: Hooks { context: true, ..Hooks::NONE },
            label: Some("the `step_settings` function".into()),
            ..Internals::default()
        }
    }
}

impl<D> fmt::Debug for StepSettings<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepSettings").finish_non_exhaustive()
    }
}
