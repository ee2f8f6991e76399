//! A kind of tools that other crates use.

use schemars::JsonSchema;
use serde::Deserialize;
use toolwright::tool_kind;

/// What is read.
#[derive(Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FileReadArgs {
    /// Where it is.
    pub path: String,
}

/// Reads a file.
#[tool_kind("toolwright_tests.file_read", args = FileReadArgs)]
#[non_exhaustive]
pub struct FileRead;
