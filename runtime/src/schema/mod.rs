//! JSON schemas in the forms that providers take.

#[cfg(feature = "provider")]
mod all_of;
#[cfg(feature = "bedrock")]
mod inline;
mod output;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "openai"))]
mod strict;

#[cfg(feature = "google")]
pub(crate) use all_of::with_single_all_of;
#[cfg(feature = "bedrock")]
pub(crate) use inline::with_definitions_inlined;
pub(crate) use output::lift_description;
#[cfg(feature = "openai")]
pub(crate) use strict::Keywords;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use strict::OptIn;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "openai"))]
pub(crate) use strict::Strict;
