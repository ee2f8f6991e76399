//! Toolsets whose tools are those of another one, each changed by the same rule.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use super::Toolset;
use super::naming::NamingRule;
use crate::args::ArgsError;
use crate::context::RunContext;
use crate::error::{BoxError, Result};
use crate::later::Later;
use crate::message::{Arguments, Metadata};
use crate::tool::{ApprovalRequired, CallKind, ReadArgs, Running, Tool, ToolBody, ToolDefinition};

type Rule<D> = Box<dyn Fn(Tool<D>) -> Tool<D> + Send + Sync>;

/// A toolset whose tools are those of another one, each changed by the same rule; made with
/// [`ToolsetExt`](super::ToolsetExt).
///
/// A tool that comes again unchanged is not changed again: what was made of it in the step before is used.
pub struct MappedToolset<T, D> {
    inner: T,
    rule: Rule<D>,
    naming: Option<Arc<NamingRule>>,
    hint: Option<&'static str>,
    memo: Mutex<Vec<(Tool<D>, Tool<D>)>>,
}

impl<T: Toolset<D>, D: Send + Sync + 'static> MappedToolset<T, D> {
    fn new(inner: T, rule: impl Fn(Tool<D>) -> Tool<D> + Send + Sync + 'static) -> Self {
        Self { inner, rule: Box::new(rule), naming: None, hint: None, memo: Mutex::default() }
    }

    fn naming(inner: T, naming: NamingRule, hint: &'static str) -> Self {
        let naming = Arc::new(naming);
        let rule = naming.clone();
        let mapped = Self::new(inner, move |tool| match rule.apply(tool.name()) {
            Some(name) => tool.map_definition(|definition| definition.with_name(name)),
            None => tool,
        });
        Self { naming: Some(naming), hint: Some(hint), ..mapped }
    }

    pub(super) fn prefixed(inner: T, prefix: String) -> Self {
        Self::naming(inner, NamingRule::Prefix(prefix), "choose another prefix in `.prefixed(…)`")
    }

    pub(super) fn renamed(inner: T, names: HashMap<String, String>) -> Self {
        Self::naming(inner, NamingRule::Rename(names), "choose another name in `.renamed(…)`")
    }

    pub(super) fn with_metadata(inner: T, metadata: Metadata) -> Self {
        Self::new(inner, move |tool| tool.with_metadata(&metadata))
    }

    pub(super) fn deferred(inner: T, names: Option<Vec<String>>) -> Self {
        Self::new(inner, move |tool| match &names {
            Some(names) if !names.iter().any(|name| name == tool.name()) => tool,
            _ => tool.map_definition(|definition| definition.with_defer_loading(true)),
        })
    }

    /// The tools of a capability that is loaded on demand: hidden until then.
    pub(crate) fn owned_by(inner: T, capability_id: Arc<str>) -> Self {
        Self::new(inner, move |tool| {
            tool.map_definition(|definition| {
                definition.with_defer_loading(true).with_capability_id(capability_id.clone())
            })
        })
    }

    pub(super) fn approval_required(
        inner: T,
        needed: impl Fn(&RunContext<D>, &ToolDefinition, &Map<String, Value>) -> bool + Send + Sync + 'static,
    ) -> Self {
        let needed: Arc<Needed<D>> = Arc::new(needed);
        Self::new(inner, move |mut tool| {
            // A call that runs elsewhere is put before somebody outside in any case.
            if tool.definition().kind() == CallKind::External {
                return tool;
            }
            let definition = tool.definition().clone();
            let inner = tool.inner_mut();
            inner.body = Arc::new(Gate { body: inner.body.clone(), definition, needed: needed.clone() });
            tool
        })
    }

    /// Applies the rule, or takes what it gave for the same tool in the step before.
    fn map(&self, tools: Vec<Tool<D>>) -> Vec<Tool<D>> {
        let mut memo = self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        memo.truncate(tools.len());
        tools
            .into_iter()
            .enumerate()
            .map(|(index, tool)| match memo.get_mut(index) {
                Some((before, after)) if before.is_same(&tool) => after.clone(),
                Some(entry) => {
                    let mapped = (self.rule)(tool.clone());
                    *entry = (tool, mapped.clone());
                    mapped
                }
                None => {
                    let mapped = (self.rule)(tool.clone());
                    memo.push((tool, mapped.clone()));
                    mapped
                }
            })
            .collect()
    }
}

impl<T: Toolset<D>, D: Send + Sync + 'static> Toolset<D> for MappedToolset<T, D> {
    fn id(&self) -> Option<&str> {
        self.inner.id()
    }

    fn clash_hint(&self) -> &'static str {
        self.hint.unwrap_or_else(|| self.inner.clash_hint())
    }

    fn revision(&self) -> Option<u64> {
        self.inner.revision()
    }

    async fn tools(&self, ctx: &RunContext<D>) -> Result<Vec<Tool<D>>> {
        let tools = match &self.naming {
            Some(rule) => self.inner.tools(&ctx.for_naming(rule.clone())).await?,
            None => self.inner.tools(ctx).await?,
        };
        Ok(self.map(tools))
    }
}

impl<T: fmt::Debug, D> fmt::Debug for MappedToolset<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedToolset").field("inner", &self.inner).finish_non_exhaustive()
    }
}

type Needed<D> = dyn Fn(&RunContext<D>, &ToolDefinition, &Map<String, Value>) -> bool + Send + Sync;

/// Asks for approval when a call is made, whatever its definition has become.
struct Gate<D> {
    body: Arc<dyn ToolBody<D>>,
    definition: ToolDefinition,
    needed: Arc<Needed<D>>,
}

impl<D: Send + Sync + 'static> ToolBody<D> for Gate<D> {
    fn read(&self, args: &Arguments) -> Result<ReadArgs, ArgsError> {
        self.body.read(args)
    }

    fn check(&self, ctx: &RunContext<D>, args: &ReadArgs, raw: &Arguments) -> Later<Result<(), BoxError>> {
        let gate = if !ctx.tool_call_approved() && (self.needed)(ctx, &self.definition, &raw.to_object()) {
            Err(ApprovalRequired::new().into())
        } else {
            Ok(())
        };
        // The tool's own validator comes first: bad arguments never reach a person.
        match self.body.check(ctx, args, raw) {
            Later::Now(verdict) => Later::Now(verdict.and(gate)),
            Later::Then(future) => Later::Then(Box::pin(async move { future.await.and(gate) })),
        }
    }

    fn call(&self, ctx: RunContext<D>, args: ReadArgs) -> Running {
        self.body.call(ctx, args)
    }
}
