//! Strict mode, in which a provider keeps the model to a tool's schema (specification: "Strict Mode", behaviours 17,
//! decision 7). What a schema must be for that is each provider's own.

#[cfg_attr(not(feature = "full"), allow(dead_code, reason = "not every provider asks everything"))]
mod node;
#[cfg(feature = "chat")]
mod openai;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod opted_in;
mod path;

use serde_json::Value;

#[cfg(feature = "chat")]
pub(crate) use openai::Keywords;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use opted_in::OptIn;

/// A schema, and whether it is sent as strict.
pub(crate) struct Strict {
    pub(crate) schema: Value,
    pub(crate) strict: bool,
    /// What strictness that was asked for cost, or why it could not be had; each says where.
    #[cfg_attr(not(feature = "full"), allow(dead_code, reason = "not every provider tells them"))]
    pub(crate) losses: Vec<String>,
}
