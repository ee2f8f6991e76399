//! JSON schemas in the forms that providers take.

#[cfg(feature = "provider")]
mod all_of;
mod output;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod strict;

#[cfg(feature = "google")]
pub(crate) use all_of::with_single_all_of;
pub(crate) use output::lift_description;
#[cfg(feature = "openai")]
pub(crate) use strict::Keywords;
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) use strict::Strict;
