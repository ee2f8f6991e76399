//! Which of the tools that an agent wants of providers its model's provider has.

use std::sync::Arc;

use super::NativeTool;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::tool::ToolDefinition;

/// The tools of providers that an agent wants, sorted by whether a model has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct WantedTools {
    pub(crate) there: Arc<[NativeTool]>,
    /// Those that the model does not have, and that must be replaced. No agent has many.
    missing: Vec<NativeTool>,
}

impl WantedTools {
    /// Sorts `wanted` by what `model` has.
    pub(crate) fn of(wanted: &Arc<[NativeTool]>, model: &impl Model) -> Self {
        if wanted.iter().all(|tool| model.has_native_tool(tool)) {
            return Self { there: wanted.clone(), missing: Vec::new() };
        }
        let (there, missing): (Vec<_>, Vec<_>) = wanted.iter().cloned().partition(|tool| model.has_native_tool(tool));
        Self { there: there.into(), missing: missing.into_iter().filter(|tool| !tool.is_optional()).collect() }
    }

    /// Refuses a step whose function tools do not replace what the model does not have.
    ///
    /// # Errors
    ///
    /// Misuse.
    pub(crate) fn check_replaced<'t>(
        &self,
        tools: impl Iterator<Item = &'t ToolDefinition> + Clone,
        model: &impl Model,
    ) -> Result<()> {
        let is_replaced = |wanted: &&NativeTool| tools.clone().any(|tool| tool.unless_native() == Some(wanted.kind()));
        match self.missing.iter().find(|wanted| !is_replaced(wanted)) {
            None => Ok(()),
            Some(lost) => Err(Error::misuse(format!(
                "the model `{}` has no `{kind}` of its own, or not within the limits that are set; make it optional with \
                 `NativeTool::optional`, give the agent a tool with `unless_native = \"{kind}\"` that takes its place, or use \
                 another model",
                model.name(),
                kind = lost.kind(),
            ))),
        }
    }
}
