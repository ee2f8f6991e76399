//! JSON schemas in the forms that providers take.

#[cfg(any(feature = "google", feature = "openai"))]
mod all_of;
mod output;
#[cfg(feature = "openai")]
mod strict;

#[cfg(feature = "google")]
pub(crate) use all_of::with_single_all_of;
pub(crate) use output::lift_description;
#[cfg(feature = "openai")]
pub(crate) use strict::{Keywords, Strict};
