//! What the workspace is tested with: the conformance cases, and the runner that plays them.

mod case;
mod compare;
mod pack;
mod schemas;

#[cfg(test)]
mod histories;

pub use case::{Case, Suite};
pub use pack::pack;
