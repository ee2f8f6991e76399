//! The tools of a step: collected from the toolsets, then edited by the agent's hooks.

use std::sync::Arc;

use super::StepReport;
use super::state::RunState;
use crate::error::{Error, Result};
use crate::output::OutputTool;
use crate::tool::{CallKind, Tool, ToolDefinition};
use crate::toolset::{Defined, NameIndex, apply_hook, combine};

/// The tools of a step, as models see them and as calls find them.
pub(super) struct StepTools<D, O> {
    pub(super) functions: Vec<Tool<D>>,
    pub(super) function_definitions: Arc<[ToolDefinition]>,
    pub(super) outputs: Arc<[OutputTool<O>]>,
    pub(super) output_definitions: Arc<[ToolDefinition]>,
    /// Where the function tools are by name, before the hooks and after them.
    collected: Option<Arc<NameIndex>>,
    index: Arc<NameIndex>,
}

impl<D, O> Default for StepTools<D, O> {
    fn default() -> Self {
        Self {
            functions: Vec::new(),
            function_definitions: Arc::default(),
            outputs: Arc::new([]),
            output_definitions: Arc::default(),
            collected: None,
            index: Arc::default(),
        }
    }
}

/// What a call's name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Output(usize),
    Function(usize, CallKind),
    Unknown,
}

impl<D, O> StepTools<D, O> {
    pub(super) fn target(&self, name: &str) -> Target {
        if let Some(place) = self.output_definitions.iter().position(|definition| definition.name() == name) {
            return Target::Output(place);
        }
        match self.index.get(name) {
            Some(place) => Target::Function(place, self.function_definitions[place].kind()),
            None => Target::Unknown,
        }
    }

    /// The names a model can call, in alphabetical order.
    pub(super) fn callable_names(&self) -> Vec<&str> {
        let all = self.function_definitions.iter().chain(self.output_definitions.iter());
        let mut names: Vec<_> = all.map(ToolDefinition::name).collect();
        names.sort_unstable();
        names
    }

    pub(super) fn is_empty(&self) -> bool {
        self.function_definitions.is_empty() && self.output_definitions.is_empty()
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Collects the tools of the step, and lets the hooks have their say.
    pub(super) async fn collect_tools(&mut self) -> Result<()> {
        let budget = self.retries.tool_budget();
        let ctx = self.context(budget);
        let (mut functions, collected) = combine(&ctx, &self.members, self.tools.collected.as_ref()).await?;
        let agent = self.agent.clone();
        for (place, hook) in agent.prepare_tools.iter().enumerate() {
            functions = apply_hook(&ctx, functions, hook, &hook_name("prepare_tools", place)).await?;
        }
        let index = index_of(&functions, &collected, &self.tools.index)?;
        let outputs = self.prepare_outputs().await?;
        for output in outputs.iter() {
            if index.get(output.definition().name()).is_some() {
                return Err(output_clash(output.definition().name()));
            }
        }
        let before = &self.tools;
        let function_definitions = reuse(functions.iter().map(Tool::definition), &before.function_definitions);
        let output_definitions = reuse(outputs.iter().map(OutputTool::definition), &before.output_definitions);
        self.reports.push(StepReport {
            step: self.step.number,
            function_tools: function_definitions.clone(),
            output_tools: output_definitions.clone(),
        });
        self.tools = StepTools {
            functions,
            function_definitions,
            outputs,
            output_definitions,
            collected: Some(collected),
            index,
        };
        Ok(())
    }

    async fn prepare_outputs(&mut self) -> Result<Arc<[OutputTool<O>]>> {
        let agent = self.agent.clone();
        let mut outputs = agent.output.tools.clone();
        if agent.prepare_output_tools.is_empty() {
            return Ok(outputs.into());
        }
        let ctx = self.context(self.retries.output_budget());
        for (place, hook) in agent.prepare_output_tools.iter().enumerate() {
            outputs = apply_hook(&ctx, outputs, hook, &hook_name("prepare_output_tools", place)).await?;
        }
        Ok(outputs.into())
    }
}

fn hook_name(list: &str, place: usize) -> String {
    if place == 0 { format!("the `{list}` hook") } else { format!("the `{list}` hook number {}", place + 1) }
}

/// Where each tool is now; what is known already is used again.
fn index_of<D: Send + Sync + 'static>(
    functions: &[Tool<D>],
    collected: &Arc<NameIndex>,
    before: &Arc<NameIndex>,
) -> Result<Arc<NameIndex>> {
    let definitions = || functions.iter().map(Tool::definition);
    if let Some(known) = [collected, before].into_iter().find(|known| known.fits(definitions())) {
        return Ok(known.clone());
    }
    NameIndex::new(definitions())
        .map(Arc::new)
        .map_err(|clash| Error::misuse(format!("the hooks left two tools named `{}`", clash.name)))
}

fn output_clash(name: &str) -> Error {
    Error::misuse(format!(
        "an output tool and a function tool are both named `{name}`; rename the function tool, or name the output tool with \
         `OutputTool::named`"
    ))
}

/// The definitions as a shared list: the one of the step before, where nothing has changed.
fn reuse<'a>(
    definitions: impl ExactSizeIterator<Item = &'a ToolDefinition> + Clone,
    before: &Arc<[ToolDefinition]>,
) -> Arc<[ToolDefinition]> {
    let unchanged =
        definitions.len() == before.len() && definitions.clone().zip(before.iter()).all(|(a, b)| a.is_same(b));
    if unchanged { before.clone() } else { definitions.cloned().collect() }
}
