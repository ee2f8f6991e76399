//! JSON schemas in the forms that providers take.

mod output;
#[cfg(feature = "provider")]
mod strict;

pub(crate) use output::lift_description;
#[cfg(feature = "provider")]
pub(crate) use strict::{Keywords, Strict};
