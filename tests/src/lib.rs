//! What the workspace is tested with: the conformance cases, and the runner that plays them.
//!
//! A case is an agent, what a model says to it, and what must come of it. [`Suite`] loads cases, [`play`] plays them,
//! and a [`Report`] says which passed. A [`Server`] stands in for a provider's.

mod case;
mod compare;
pub mod decoding;
pub mod desk;
pub mod discovery;
mod engine;
mod features;
pub mod frames;
#[cfg(test)]
mod histories;
pub mod kinds;
pub mod mcp;
mod pack;
mod report;
mod runner;
mod schemas;
mod server;

pub use case::{Case, Suite};
pub use engine::{Stream, bodies, streams};
pub use features::table as feature_table;
pub use pack::pack;
pub use report::Report;
pub use runner::play;
pub use schemas::check as check_body;
pub use server::{Asked, Reply, Server};
