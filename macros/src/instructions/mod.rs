//! `#[instructions]`: the function stays, and is checked to give instructions.

mod expand;
mod validate;

use proc_macro2::TokenStream;

use crate::hook::{self, Attribute};

const INSTRUCTIONS: Attribute =
    Attribute { place: "#[instructions]", what: "a function that gives instructions", method: "instructions_fn" };

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    hook::expand(&INSTRUCTIONS, options, item, validate::validate, expand::checks)
}
