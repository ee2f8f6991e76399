//! JSON schemas in the forms that providers take.

#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "chat", feature = "google"))]
mod all_of;
#[cfg(any(feature = "bedrock", feature = "chat"))]
mod inlined;
mod never_strict;
mod output;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "chat"))]
mod strict;
#[cfg(any(feature = "bedrock", feature = "chat", feature = "google"))]
mod subschemas;

#[cfg(feature = "google")]
pub(crate) use all_of::with_single_all_of;
#[cfg(any(feature = "bedrock", feature = "chat"))]
pub(crate) use inlined::inlined;
pub(crate) use never_strict::never_strict;
pub(crate) use output::lift_description;
#[cfg(feature = "chat")]
pub(crate) use strict::Keywords;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use strict::OptIn;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "chat"))]
pub(crate) use strict::Strict;
#[cfg(feature = "google")]
pub(crate) use subschemas::map_subschemas;
