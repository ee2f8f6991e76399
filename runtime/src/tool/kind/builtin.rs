//! The kinds of the library's own tools.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ToolKind;

/// The kind of the tool that finds hidden tools.
#[derive(Debug)]
#[non_exhaustive]
pub enum SearchTools {}

#[diagnostic::do_not_recommend]
impl ToolKind for SearchTools {
    const ID: &'static str = "tool-search";
    type Args = SearchToolsArgs;
    type Content = SearchToolsResult;
}

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchToolsArgs {
    /// One query for each thing to be done.
    pub queries: Vec<String>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchToolsResult {
    /// The tools, best first.
    pub discovered_tools: Vec<FoundTool>,
    /// What the model is told where nothing was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A tool that a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FoundTool {
    /// The name by which a model calls it.
    pub name: String,
}

/// The kind of the tool that loads capabilities.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadCapability {}

#[diagnostic::do_not_recommend]
impl ToolKind for LoadCapability {
    const ID: &'static str = "capability-load";
    type Args = LoadCapabilityArgs;
    type Content = LoadCapabilityResult;
}

/// What is to be loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LoadCapabilityArgs {
    /// The capability's id.
    pub id: String,
}

/// What a capability brought with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LoadCapabilityResult {
    /// What the model is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The capability's instructions, where they came with the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}
