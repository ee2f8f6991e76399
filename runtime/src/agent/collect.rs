//! The tools of a step: collected from the toolsets, edited by the agent's hooks, and sorted by what the model may see.

use std::collections::HashMap;
use std::sync::Arc;

use super::state::RunState;
use crate::discovery::Discovery;
use crate::error::{Error, Result};
use crate::output::OutputTool;
use crate::report::{Changes, StepReport};
use crate::search::{SEARCH_TOOL, search_tool};
use crate::supersede::staying;
use crate::tool::kind::CheckedKinds;
use crate::tool::{CallKind, Tool, ToolDefinition};
use crate::toolset::{Defined, NameIndex, apply_hook, combine};

/// The tools of a step, as models see them and as calls find them.
pub(super) struct StepTools<D, O> {
    /// All that can be called, hidden ones among them, and the one that finds those.
    pub(super) functions: Vec<Tool<D>>,
    pub(super) definitions: Arc<[ToolDefinition]>,
    /// Those that the model is offered.
    pub(super) offered: Arc<[ToolDefinition]>,
    /// Those that it is to find first.
    pub(super) hidden: Arc<[ToolDefinition]>,
    pub(super) outputs: Arc<[OutputTool<O>]>,
    pub(super) output_definitions: Arc<[ToolDefinition]>,
    /// What can be searched, and the tool that does.
    corpus: Arc<[ToolDefinition]>,
    search: Option<Tool<D>>,
    kinds: CheckedKinds,
    /// Where the function tools are by name: as they were collected, and as they are.
    collected: Option<Arc<NameIndex>>,
    index: Arc<NameIndex>,
}

impl<D, O> Default for StepTools<D, O> {
    fn default() -> Self {
        Self {
            functions: Vec::new(),
            definitions: Arc::default(),
            offered: Arc::default(),
            hidden: Arc::default(),
            outputs: Arc::new([]),
            output_definitions: Arc::default(),
            corpus: Arc::default(),
            search: None,
            kinds: CheckedKinds::default(),
            collected: None,
            index: Arc::default(),
        }
    }
}

/// What can be searched, and the tool that does.
type Searchable<D> = (Arc<[ToolDefinition]>, Option<Tool<D>>);

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
            Some(place) => Target::Function(place, self.definitions[place].kind()),
            None => Target::Unknown,
        }
    }

    /// The names a model can call, in alphabetical order.
    pub(super) fn callable_names(&self) -> Vec<&str> {
        let all = self.offered.iter().chain(self.output_definitions.iter());
        let mut names: Vec<_> = all.map(ToolDefinition::name).collect();
        names.sort_unstable();
        names
    }

    pub(super) fn are_collected(&self) -> bool {
        self.collected.is_some()
    }

    /// Whether no tool is there, not even one to be found.
    pub(super) fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.output_definitions.is_empty()
    }
}

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Collects the tools of the step, and lets the hooks have their say.
    pub(super) async fn collect_tools(&mut self) -> Result<()> {
        let ctx = self.context(self.retries.tool_budget());
        ctx.trail().begin();
        let (mut functions, collected) = combine(&ctx, &self.members, self.tools.collected.as_ref()).await?;
        let agent = self.agent.clone();
        for (place, hook) in agent.prepare_tools.iter().enumerate() {
            functions = apply_hook(&ctx, functions, hook, &hook_name("prepare_tools", place)).await?;
        }
        let outputs = self.prepare_outputs().await?;
        let all = functions.iter().map(Tool::definition).chain(outputs.iter().map(OutputTool::definition));
        let kinds = self.tools.kinds.check(all)?;
        let mut changes = ctx.trail().end();
        supersede(&mut functions, &mut changes);
        let (corpus, search) = self.search_tool(&mut functions, &outputs)?;
        let index = index_of(&functions, &collected, &self.tools.index)?;
        for output in outputs.iter() {
            if index.get(output.definition().name()).is_some() {
                return Err(output_clash(output.definition().name()));
            }
        }
        let before = &self.tools;
        let definitions = reuse(functions.iter().map(Tool::definition), &before.definitions);
        let output_definitions = reuse(outputs.iter().map(OutputTool::definition), &before.output_definitions);
        let (offered, hidden) = sort(&definitions, search.is_some(), &self.discovery, before);
        if self.step.number > 0 {
            let tools = [&offered, &hidden, &output_definitions].map(Arc::clone);
            self.reports.push(StepReport::new(self.step.number, tools, self.agent.output.text.is_some(), changes));
        }
        self.tools = StepTools {
            functions,
            definitions,
            offered,
            hidden,
            outputs,
            output_definitions,
            corpus,
            search,
            kinds,
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

    /// Adds the tool that finds hidden ones, where there are some; the one of the step before, where they are the same.
    fn search_tool(&self, functions: &mut Vec<Tool<D>>, outputs: &[OutputTool<O>]) -> Result<Searchable<D>> {
        let deferred: Vec<_> = functions.iter().map(Tool::definition).filter(|tool| tool.defer_loading()).collect();
        if deferred.is_empty() {
            return Ok((Arc::default(), None));
        }
        let mut names = functions.iter().map(Tool::name).chain(outputs.iter().map(|output| output.definition().name()));
        if names.any(|name| name == SEARCH_TOOL) {
            return Err(Error::misuse(format!(
                "a tool is named `{SEARCH_TOOL}`, which is the name of the one that finds hidden tools; rename it, or let no tool \
                 be hidden"
            )));
        }
        let corpus = reuse(deferred.into_iter(), &self.tools.corpus);
        let search = match &self.tools.search {
            Some(search) if Arc::ptr_eq(&corpus, &self.tools.corpus) => search.clone(),
            _ => search_tool(&self.agent.tool_search, corpus.clone()),
        };
        functions.push(search.clone());
        Ok((corpus, Some(search)))
    }
}

fn hook_name(list: &str, place: usize) -> String {
    if place == 0 { format!("the `{list}` hook") } else { format!("the `{list}` hook number {}", place + 1) }
}

/// Leaves out the tools that step aside for others.
fn supersede<D: Send + Sync + 'static>(functions: &mut Vec<Tool<D>>, changes: &mut Changes) {
    if functions.iter().all(|tool| tool.definition().unless_tool_kind().is_none()) {
        return;
    }
    let definitions: Vec<_> = functions.iter().map(|tool| tool.definition().clone()).collect();
    let Some(stays) = staying(&definitions) else { return };
    let mut winners = HashMap::new();
    for (tool, _) in definitions.iter().zip(&stays).filter(|(_, stays)| **stays) {
        tool.tool_kind().map(|kind| winners.entry(kind).or_insert(tool));
    }
    for (tool, _) in definitions.iter().zip(&stays).filter(|(_, stays)| !**stays) {
        if let Some(winner) = tool.unless_tool_kind().and_then(|kind| winners.get(kind)) {
            changes.superseded(tool, winner.shared_name());
        }
    }
    let mut stays = stays.into_iter();
    functions.retain(|_| stays.next().unwrap_or(true));
}

/// What the model is offered, and what it is to find first: tools that were never hidden, then those that it has found, and
/// last the one that finds them.
fn sort<D, O>(
    definitions: &Arc<[ToolDefinition]>,
    searchable: bool,
    discovery: &Discovery,
    before: &StepTools<D, O>,
) -> (Arc<[ToolDefinition]>, Arc<[ToolDefinition]>) {
    if !searchable {
        return (definitions.clone(), Arc::default());
    }
    let all = &definitions[..definitions.len() - 1];
    let search = definitions.last();
    let found = |tool: &&ToolDefinition| tool.defer_loading() && discovery.contains(tool.name());
    let open = all.iter().filter(|tool| !tool.defer_loading());
    let offered: Vec<_> = open.chain(all.iter().filter(found)).chain(search).collect();
    let hidden: Vec<_> = all.iter().filter(|tool| tool.defer_loading() && !found(tool)).collect();
    (reuse(offered.into_iter(), &before.offered), reuse(hidden.into_iter(), &before.hidden))
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
