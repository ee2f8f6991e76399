//! An agent's capabilities, in order, with what errors call them.

use std::collections::HashSet;
use std::sync::Arc;

use super::{AnyCapability, BlockingPool, Capability, Hooks, load_definition};
use crate::discovery::Discovery;
use crate::error::{Error, Result};
use crate::search::ToolSearch;
use crate::tool::ToolDefinition;
use crate::toolset::{MappedToolset, Member, Toolset, ToolsetExt};

/// One of an agent's capabilities.
pub(crate) struct Entry<D>(Arc<Shared<D>>);

/// Several of them, in order.
pub(crate) type Entries<D> = Arc<[Entry<D>]>;

struct Shared<D> {
    capability: AnyCapability<D>,
    label: String,
    hooks: Hooks,
    /// Under what the model loads it.
    load_id: Option<Arc<str>>,
}

impl<D> Clone for Entry<D> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<D: Send + Sync + 'static> Entry<D> {
    /// The capability that is added to `others`.
    pub(crate) fn next(others: &[Self], capability: AnyCapability<D>) -> Self {
        let internals = capability.internals();
        let label = match (capability.id(), &internals.label) {
            (Some(id), _) => format!("capability `{id}`"),
            (None, Some(label)) => numbered(label, others),
            (None, None) => format!("capability number {}", others.len() + 1),
        };
        let hooks = internals.hooks;
        let load_id = capability.defer_loading().then(|| capability.id().unwrap_or_default().into());
        Self(Arc::new(Shared { capability, label, hooks, load_id }))
    }
}

impl<D: Send + Sync + 'static> Entry<D> {
    /// The toolsets it brings.
    fn members(&self) -> impl Iterator<Item = Member<D>> {
        self.capability().toolsets().into_iter().map(|toolset| {
            let label = match toolset.id() {
                Some(id) => format!("toolset `{id}` of {}", self.label()),
                None => self.label().to_owned(),
            };
            let toolset = match self.load_id() {
                Some(id) => MappedToolset::owned_by(toolset, id.clone()).boxed(),
                None => toolset,
            };
            Member { toolset, label: label.into() }
        })
    }
}

impl<D> Entry<D> {
    pub(crate) fn capability(&self) -> &AnyCapability<D> {
        &self.0.capability
    }

    pub(crate) fn label(&self) -> &str {
        &self.0.label
    }

    pub(crate) fn hooks(&self) -> Hooks {
        self.0.hooks
    }

    /// The id under which the model loads it, if it does not hold from the start.
    pub(crate) fn load_id(&self) -> Option<&Arc<str>> {
        self.0.load_id.as_ref()
    }
}

/// The library's own capabilities are told apart by their number.
fn numbered<D>(label: &str, others: &[Entry<D>]) -> String {
    let before = others.iter().filter(|entry| entry.label().starts_with(label)).count();
    if before == 0 { label.to_owned() } else { format!("{label} number {}", before + 1) }
}

/// What an agent's capabilities come to.
pub(crate) struct Capabilities<D> {
    all: Entries<D>,
    tool_search: Arc<ToolSearch<D>>,
    blocking_pool: Option<BlockingPool>,
    /// The tool that loads some of them, where there are some to load.
    load: Option<ToolDefinition>,
}

impl<D> Clone for Capabilities<D> {
    fn clone(&self) -> Self {
        Self {
            all: self.all.clone(),
            tool_search: self.tool_search.clone(),
            blocking_pool: self.blocking_pool.clone(),
            load: self.load.clone(),
        }
    }
}

impl<D: Send + Sync + 'static> Capabilities<D> {
    /// # Errors
    ///
    /// Misuse, when the model or errors could not tell them apart.
    pub(crate) fn new(all: Vec<Entry<D>>) -> Result<Self> {
        check(&all)?;
        // What is loaded on demand is none of these: they hold for a whole run.
        let at_once = || all.iter().filter(|entry| entry.load_id().is_none());
        let newest = || at_once().rev().map(|entry| entry.capability().internals());
        Ok(Self {
            tool_search: newest()
                .find_map(|internals| internals.tool_search.cloned())
                .map_or_else(|| Arc::new(ToolSearch::automatic()), Arc::new),
            blocking_pool: newest().find_map(|internals| internals.blocking_pool.cloned()),
            load: load_tool_of(&all),
            all: all.into(),
        })
    }

    /// These, and then `more`.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub(crate) fn with(&self, more: Vec<AnyCapability<D>>) -> Result<Self> {
        let mut all = self.all.to_vec();
        for capability in more {
            all.push(Entry::next(&all, capability));
        }
        Self::new(all)
    }

    /// The toolsets that they bring, from the one numbered `first` on.
    pub(crate) fn members(&self, first: usize) -> impl Iterator<Item = Member<D>> {
        self.all[first..].iter().flat_map(Entry::members)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn all(&self) -> &Entries<D> {
        &self.all
    }

    /// The tool that loads some of them, where there are some to load.
    pub(crate) fn load(&self) -> Option<&ToolDefinition> {
        self.load.as_ref()
    }

    /// Those that hold: all but the ones that the model has not loaded.
    pub(crate) fn active(&self, discovery: &Discovery) -> Entries<D> {
        let holds = |entry: &&Entry<D>| entry.load_id().is_none_or(|id| discovery.is_loaded(id));
        if self.load.is_none() { self.all.clone() } else { self.all.iter().filter(holds).cloned().collect() }
    }

    pub(crate) fn tool_search(&self) -> &Arc<ToolSearch<D>> {
        &self.tool_search
    }

    pub(crate) fn blocking_pool(&self) -> Option<&BlockingPool> {
        self.blocking_pool.as_ref()
    }
}

fn load_tool_of<D>(entries: &[Entry<D>]) -> Option<ToolDefinition> {
    let ids = || entries.iter().filter_map(Entry::load_id);
    ids().next().map(|_| load_definition(ids().map(|id| &**id)))
}

fn check<D: Send + Sync + 'static>(entries: &[Entry<D>]) -> Result<()> {
    let mut ids = HashSet::new();
    for entry in entries {
        let id = entry.capability().id();
        if let Some(id) = id.filter(|id| !ids.insert(*id)) {
            return Err(Error::misuse(format!("two capabilities have the id `{id}`; give one of them another")));
        }
        if entry.load_id().is_some() && id.is_none_or(|id| id.trim().is_empty()) {
            return Err(Error::misuse(format!(
                "{} is loaded on demand, but has no id by which the model could load it; give it one",
                entry.label()
            )));
        }
    }
    Ok(())
}
