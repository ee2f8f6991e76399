//! What a case says, but for what is expected.

use serde::Deserialize;
use serde_json::Value;
use toolwright::History;

use super::deferred::Answers;
use super::edits::ListEdit;
use super::kinds::KindSpec;
use super::models::{Said, TestModelSpec};
use super::search::SearchSpec;
use super::settings::{Budgets, Limits, Settings, StepSettings};
use super::tools::ToolSpec;
use super::toolsets::ToolsetSpec;
use crate::server::Reply;

/// An agent, and what is run on it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    pub(crate) api: String,
    #[serde(default)]
    pub(crate) model: String,
    pub(crate) instructions: Option<String>,
    #[serde(default)]
    pub(crate) tools: Vec<ToolSpec>,
    #[serde(default)]
    pub(crate) toolsets: Vec<ToolsetSpec>,
    #[serde(default)]
    pub(crate) prepare_tools: Vec<Vec<ListEdit>>,
    #[serde(default)]
    pub(crate) prepare_output_tools: Vec<Vec<ListEdit>>,
    #[serde(default)]
    pub(crate) output: Vec<OutputKind>,
    pub(crate) retries: Option<Budgets>,
    pub(crate) tool_timeout: Option<f64>,
    pub(crate) end_strategy: Option<String>,
    pub(crate) tool_search: Option<SearchSpec>,
    #[serde(default)]
    pub(crate) model_settings: Settings,
    #[serde(default)]
    pub(crate) settings_per_step: Vec<StepSettings>,
    pub(crate) handle_deferred: Option<Answers>,
    #[serde(default)]
    pub(crate) tool_kinds: Vec<KindSpec>,
    #[serde(default)]
    pub(crate) test_model: TestModelSpec,
    pub(crate) runs: Vec<RunSpec>,
}

impl Spec {
    /// Whether its model is asked over HTTP.
    pub(crate) fn is_http(&self) -> bool {
        !matches!(self.api.as_str(), "function" | "test")
    }
}

/// What a run may come to.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutputKind {
    Text,
    Deferred,
    Tool(OutputToolSpec),
}

/// A tool whose arguments are the output.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutputToolSpec {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) parameters: Value,
    pub(crate) strict: Option<bool>,
    pub(crate) max_retries: Option<u32>,
}

/// One run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunSpec {
    pub(crate) prompt: Option<Value>,
    #[serde(default)]
    pub(crate) deps: Value,
    pub(crate) history: Option<Value>,
    pub(crate) model_settings: Option<Settings>,
    pub(crate) retries: Option<Budgets>,
    pub(crate) usage_limits: Option<Limits>,
    pub(crate) deferred_results: Option<Answers>,
    #[serde(default)]
    pub(crate) replies: Vec<Vec<Said>>,
    #[serde(default)]
    pub(crate) http: Vec<Reply>,
    #[serde(default)]
    pub(crate) stream: bool,
    #[serde(default)]
    pub(crate) direct: bool,
}

impl RunSpec {
    /// The messages that the run goes on from; `previous` are those of the run before.
    pub(crate) fn history(&self, previous: &History) -> Result<History, String> {
        match &self.history {
            None | Some(Value::Null) => Ok(History::new()),
            Some(Value::String(word)) if word == "previous" => Ok(previous.clone()),
            Some(messages) => History::from_json(&messages.to_string()).map_err(|error| format!("{error:?}")),
        }
    }
}
