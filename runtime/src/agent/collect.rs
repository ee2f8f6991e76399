//! The tools of a step: collected from the toolsets, edited by the agent's hooks, and sorted by what the model may see.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::state::RunState;
use crate::capability::{Capability, Entry, HookResult, LOAD_TOOL, load_tool};
use crate::context::RunContext;
use crate::discovery::Discovery;
use crate::error::{Error, Result};
use crate::message::ToolCallPart;
use crate::model::Model;
use crate::output::OutputTool;
use crate::panics::catch_future;
use crate::report::{Changes, StepReport};
use crate::search::{SEARCH_TOOL, search_tool};
use crate::supersede::staying;
use crate::tool::kind::CheckedKinds;
use crate::tool::{CallKind, Tool, ToolDefinition};
use crate::toolset::{Defined, HandedOut, Member, NameIndex, combine};

/// The tools of a step, as models see them and as calls find them.
pub(super) struct StepTools<D, O> {
    /// All that can be called, hidden ones among them, and the one that finds those.
    pub(super) functions: Vec<Tool<D>>,
    pub(super) definitions: Arc<[ToolDefinition]>,
    /// Those that the model is offered.
    pub(super) offered: Arc<[ToolDefinition]>,
    /// Those that it is to find first.
    pub(super) hidden: Arc<[ToolDefinition]>,
    /// Those that were hidden before anything was found, in their order.
    pub(super) deferred: Arc<[ToolDefinition]>,
    pub(super) outputs: Arc<[OutputTool<O, RunContext<D>>]>,
    pub(super) output_definitions: Arc<[ToolDefinition]>,
    /// What can be searched, and the tool that does.
    corpus: Arc<[ToolDefinition]>,
    search: Option<Tool<D>>,
    kinds: CheckedKinds,
    /// Where the function tools are by name: as they were collected, and as they are.
    collected: Option<Arc<NameIndex>>,
    index: Arc<NameIndex>,
    /// The toolsets' revisions when they were asked; empty where hooks have looked at what they gave.
    revisions: Vec<Option<u64>>,
    /// The tools found and the capabilities loaded when the hidden tools were told from the others.
    shown: (Arc<HashSet<String>>, Arc<HashSet<String>>),
}

impl<D, O> Default for StepTools<D, O> {
    fn default() -> Self {
        Self {
            functions: Vec::new(),
            definitions: Arc::default(),
            offered: Arc::default(),
            hidden: Arc::default(),
            deferred: Arc::default(),
            outputs: Arc::new([]),
            output_definitions: Arc::default(),
            corpus: Arc::default(),
            search: None,
            kinds: CheckedKinds::default(),
            collected: None,
            index: Arc::default(),
            revisions: Vec::new(),
            shown: Default::default(),
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

    /// A call is of the kind of its tool, whatever its name.
    pub(super) fn mark_kind(&self, call: &mut ToolCallPart) {
        if let Target::Function(place, _) = self.target(&call.tool_name)
            && let Some(kind) = self.definitions[place].tool_kind()
        {
            call.tool_kind.get_or_insert_with(|| kind.to_owned());
        }
    }

    /// The names a model can call, in alphabetical order.
    pub(super) fn callable_names(&self) -> Vec<&str> {
        let all = self.offered.iter().chain(self.output_definitions.iter());
        let mut names: Vec<_> = all.map(ToolDefinition::name).collect();
        names.sort_unstable();
        names
    }

    /// Sorts them anew by what the model has found or loaded since they were collected; whether that was anything.
    fn sort_again(&mut self, discovery: &Discovery) -> bool {
        if discovery.is_as(&self.shown.0, &self.shown.1) {
            return false;
        }
        (self.offered, self.hidden) = sort(&self.definitions, self.search.is_some(), discovery, self);
        self.shown = (discovery.names(), discovery.loaded());
        true
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
    /// Collects the tools of the step, and lets the hooks have their say. Where neither toolsets nor hooks can say anything
    /// new, nothing is done for a tool.
    pub(super) async fn collect_tools(&mut self) -> Result<()> {
        if self.is_unchanged() {
            self.tools.sort_again(&self.discovery);
            self.repeat_report();
            return Ok(());
        }
        let revisions = if self.is_hooked() { Vec::new() } else { self.members.iter().map(Member::revision).collect() };
        let ctx = self.context(self.retries.tool_budget());
        ctx.trail().begin();
        let (mut functions, collected) = combine(&ctx, &self.members, self.tools.collected.as_ref()).await?;
        for entry in self.active.iter().filter(|entry| entry.hooks().prepare_tools) {
            let (list, given) = HandedOut::new(&functions);
            let back = prepared(entry, entry.capability().prepare_tools(&ctx, given)).await?;
            functions = list.take_back(&ctx, functions, back, entry.label())?;
        }
        let outputs = self.prepare_outputs().await?;
        let all = functions.iter().map(Tool::definition).chain(outputs.iter().map(OutputTool::definition));
        let kinds = self.tools.kinds.check(all)?;
        let mut changes = ctx.trail().end();
        supersede(&mut functions, &mut changes);
        self.add_load_tool(&mut functions, &outputs)?;
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
        let deferred: Vec<_> = definitions.iter().filter(is_deferred).collect();
        let deferred = reuse(deferred.into_iter(), &before.deferred);
        if self.step.number > 0 {
            let tools = [&offered, &hidden, &output_definitions].map(Arc::clone);
            self.keep_report(StepReport::new(self.step.number, tools, self.agent.output.allows_text(), changes));
        }
        self.tools = StepTools {
            functions,
            definitions,
            offered,
            hidden,
            deferred,
            outputs,
            output_definitions,
            corpus,
            search,
            kinds,
            collected: Some(collected),
            index,
            revisions,
            shown: (self.discovery.names(), self.discovery.loaded()),
        };
        Ok(())
    }

    /// Whether hooks look at the tools of the step.
    fn is_hooked(&self) -> bool {
        self.active.iter().any(|entry| entry.hooks().prepare_tools || entry.hooks().prepare_output_tools)
    }

    /// Whether everybody would say of the tools what they said for the step before, which has a report.
    fn is_unchanged(&self) -> bool {
        let known = &self.tools.revisions;
        !self.reports.is_empty()
            && !self.is_hooked()
            && self.members.len() == known.len()
            && self.members.iter().zip(known).all(|(member, known)| known.is_some() && member.revision() == *known)
    }

    /// Takes up what the model has found or loaded since the tools of this step were collected.
    pub(super) fn show_found(&mut self) {
        if self.tools.sort_again(&self.discovery) {
            self.repeat_report();
        }
    }

    /// Reports of this step what the newest report says, but for what is hidden.
    fn repeat_report(&mut self) {
        if let Some(before) = self.reports.last() {
            let (offered, hidden) = (self.tools.offered.clone(), self.tools.hidden.clone());
            self.keep_report(before.again(self.step.number, offered, hidden));
        }
    }

    async fn prepare_outputs(&mut self) -> Result<Arc<[OutputTool<O, RunContext<D>>]>> {
        let mut outputs = self.agent.output.tools.clone();
        let ctx = self.context(self.retries.output_budget());
        for entry in self.active.iter().filter(|entry| entry.hooks().prepare_output_tools) {
            let (list, given) = HandedOut::new(&outputs);
            let back = prepared(entry, entry.capability().prepare_output_tools(&ctx, given)).await?;
            outputs = list.take_back(&ctx, outputs, back, entry.label())?;
        }
        Ok(outputs.into())
    }

    /// Adds the tool that loads capabilities, where there are some to load.
    fn add_load_tool(&self, functions: &mut Vec<Tool<D>>, outputs: &[OutputTool<O, RunContext<D>>]) -> Result<()> {
        let Some(definition) = self.capabilities.load() else { return Ok(()) };
        check_reserved(LOAD_TOOL, "loads capabilities", "let no capability be loaded on demand", functions, outputs)?;
        functions.insert(0, load_tool(definition, self.capabilities.all()));
        Ok(())
    }

    /// Adds the tool that finds hidden ones, where there are some; the one of the step before, where they are the same.
    fn search_tool(
        &self,
        functions: &mut Vec<Tool<D>>,
        outputs: &[OutputTool<O, RunContext<D>>],
    ) -> Result<Searchable<D>> {
        let searchable = |tool: &&ToolDefinition| tool.defer_loading() && tool.capability_id().is_none();
        let deferred: Vec<_> = functions.iter().map(Tool::definition).filter(searchable).collect();
        if deferred.is_empty() {
            return Ok((Arc::default(), None));
        }
        check_reserved(SEARCH_TOOL, "finds hidden tools", "let no tool be hidden", functions, outputs)?;
        let strategy = self.capabilities.tool_search().strategy();
        if !self.model.can_search(strategy) {
            return Err(Error::misuse(format!(
                "the model `{}` cannot search hidden tools by {}, which only some providers can; use \
                 `ToolSearch::automatic()`, `ToolSearch::keywords()`, or a model of such a provider",
                self.model.name(),
                strategy.as_str()
            )));
        }
        let corpus = reuse(deferred.into_iter(), &self.tools.corpus);
        let search = match &self.tools.search {
            Some(search) if Arc::ptr_eq(&corpus, &self.tools.corpus) => search.clone(),
            _ => search_tool(self.capabilities.tool_search(), corpus.clone()),
        };
        functions.push(search.clone());
        Ok((corpus, Some(search)))
    }
}

/// What a hook of a capability gave back.
async fn prepared<D: Send + Sync + 'static, T>(
    entry: &Entry<D>,
    hook: impl Future<Output = HookResult<T>>,
) -> Result<T> {
    let given = catch_future(hook).await.and_then(|given| given);
    given.map_err(|error| Error::tool(format!("{} failed", entry.label()), error))
}

/// Refuses a tool whose name the library needs itself.
fn check_reserved<D: Send + Sync + 'static, O>(
    name: &str,
    does: &str,
    instead: &str,
    functions: &[Tool<D>],
    outputs: &[OutputTool<O, RunContext<D>>],
) -> Result<()> {
    let mut names = functions.iter().map(Tool::name).chain(outputs.iter().map(|output| output.definition().name()));
    if names.any(|taken| taken == name) {
        return Err(Error::misuse(format!(
            "a tool is named `{name}`, which is the name of the one that {does}; rename it, or {instead}"
        )));
    }
    Ok(())
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

/// What the model is offered, and what it is to find or to load first: tools that were never hidden, then those that it has
/// found or loaded, and last the one that finds them.
fn sort<D, O>(
    definitions: &Arc<[ToolDefinition]>,
    searchable: bool,
    discovery: &Discovery,
    before: &StepTools<D, O>,
) -> (Arc<[ToolDefinition]>, Arc<[ToolDefinition]>) {
    if !definitions.iter().any(|tool| is_deferred(&tool)) {
        return (definitions.clone(), Arc::default());
    }
    let (all, search) = definitions.split_at(definitions.len() - usize::from(searchable));
    let is_open = |tool: &&ToolDefinition| discovery.is_open(tool);
    let never_hidden = all.iter().filter(|tool| !is_deferred(tool));
    let offered: Vec<_> = never_hidden.chain(all.iter().filter(is_deferred).filter(is_open)).chain(search).collect();
    let hidden: Vec<_> = all.iter().filter(is_deferred).filter(|tool| !is_open(tool)).collect();
    (reuse(offered.into_iter(), &before.offered), reuse(hidden.into_iter(), &before.hidden))
}

/// Whether a tool is hidden before it is found or loaded.
fn is_deferred(tool: &&ToolDefinition) -> bool {
    tool.defer_loading() || tool.capability_id().is_some()
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
