//! JSON schemas in the forms that providers take.

#[cfg(any(feature = "anthropic", feature = "chat", feature = "google"))]
mod all_of;
#[cfg(feature = "chat")]
mod inlined;
mod output;
#[cfg(any(feature = "anthropic", feature = "chat"))]
mod strict;
#[cfg(any(feature = "chat", feature = "google"))]
mod subschemas;

#[cfg(feature = "google")]
pub(crate) use all_of::with_single_all_of;
#[cfg(feature = "chat")]
pub(crate) use inlined::inlined;
pub(crate) use output::lift_description;
#[cfg(feature = "chat")]
pub(crate) use strict::Keywords;
#[cfg(any(feature = "anthropic", feature = "chat"))]
pub(crate) use strict::Strict;
#[cfg(feature = "google")]
pub(crate) use subschemas::map_subschemas;
