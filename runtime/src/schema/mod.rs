//! JSON schemas in the forms that providers take.

mod output;
#[cfg(feature = "openai")]
mod strict;

pub(crate) use output::lift_description;
#[cfg(feature = "openai")]
pub(crate) use strict::{Keywords, Strict};
