//! The toolsets of a case, and what stands around them.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use toolwright::message::Metadata;
use toolwright::toolset::{AnyToolset, ExternalToolset, FunctionToolset, ToolsetExt};
use toolwright::{RunContext, ToolDefinition};

use super::conditions::{Condition, Subject};
use super::edits::{ListEdit, edit_tools};
use super::tools::{Stage, ToolSpec};

/// A toolset.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolsetSpec {
    id: String,
    tools: Vec<ToolSpec>,
    max_retries: Option<u32>,
    timeout: Option<f64>,
    #[serde(default)]
    external: bool,
    #[serde(default)]
    wrap: Vec<Wrap>,
}

/// What stands around a toolset.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wrap {
    Prefix(String),
    Rename(Map<String, Value>),
    Filter(Condition),
    Prepare(Vec<ListEdit>),
    DeferLoading(Option<Vec<String>>),
    ApprovalRequired(Condition),
    Metadata(Metadata),
}

impl ToolsetSpec {
    pub(crate) fn toolset(self, stage: &Stage) -> AnyToolset<Value> {
        let inner = if self.external {
            ExternalToolset::new(self.id, self.tools.iter().map(ToolSpec::definition)).boxed()
        } else {
            let tools = self.tools.iter().map(|tool| tool.tool(stage));
            let mut toolset = FunctionToolset::new().with_id(self.id).with_tools(tools);
            if let Some(retries) = self.max_retries {
                toolset = toolset.with_max_retries(retries);
            }
            if let Some(seconds) = self.timeout {
                toolset = toolset.with_timeout(Duration::from_secs_f64(seconds));
            }
            toolset.boxed()
        };
        self.wrap.into_iter().fold(inner, |inner, wrap| wrap.around(inner))
    }
}

impl Wrap {
    fn around(self, inner: AnyToolset<Value>) -> AnyToolset<Value> {
        match self {
            Self::Prefix(prefix) => inner.prefixed(prefix).boxed(),
            Self::Rename(names) => {
                let pair = |(new, old): (String, Value)| (new, old.as_str().unwrap_or_default().to_owned());
                inner.renamed(names.into_iter().map(pair)).boxed()
            }
            Self::Filter(condition) => inner
                .filtered(move |ctx: &RunContext<Value>, tool: &ToolDefinition| {
                    condition.holds(Subject::tool(ctx, tool))
                })
                .boxed(),
            Self::Prepare(edits) => inner
                .prepared(move |ctx: &RunContext<Value>, tools: Vec<ToolDefinition>| edit_tools(&edits, ctx, tools))
                .boxed(),
            Self::DeferLoading(names) => inner.defer_loading(names).boxed(),
            Self::ApprovalRequired(condition) => inner
                .approval_required(move |ctx: &RunContext<Value>, tool: &ToolDefinition, args: &Map<String, Value>| {
                    condition.holds(Subject { ctx, tool: Some(tool), args: Some(args) })
                })
                .boxed(),
            Self::Metadata(metadata) => inner.with_metadata(metadata).boxed(),
        }
    }
}
