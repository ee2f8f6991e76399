//! JSON schemas in the forms that providers take.

mod output;
#[cfg(any(feature = "openai", feature = "anthropic"))]
mod strict;

pub(crate) use output::lift_description;
#[cfg(feature = "openai")]
pub(crate) use strict::Keywords;
#[cfg(any(feature = "openai", feature = "anthropic"))]
pub(crate) use strict::Strict;
