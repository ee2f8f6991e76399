//! MCP servers as toolsets.
//!
//! An [`McpToolset`] has the tools of a server that speaks the Model Context Protocol: a program that is started
//! ([`McpCommand`]), one at a URL ([`McpHttp`]), or one at the other end of a pipe. An [`McpConfig`] reads several from the JSON
//! file that other programs use, too. [`docs::mcp`](crate::docs::mcp) tells all of it.

mod call;
mod capability;
mod child;
mod client;
mod command;
mod config;
mod connection;
mod elicitation;
mod endpoint;
mod failure;
mod handshake;
mod http;
mod limits;
mod lines;
mod log;
mod posts;
mod progress;
mod result;
mod sampling;
mod secrets;
mod session;
mod settings;
mod time_limit;
mod tools;
mod toolset;
mod watched;

pub use capability::McpCapability;
pub use command::McpCommand;
pub use config::McpConfig;
pub use elicitation::{Elicitation, ElicitationAnswer, ElicitationForm};
pub use http::McpHttp;
pub use limits::McpLimits;
pub use settings::ToolErrorBehavior;
pub use toolset::McpToolset;
