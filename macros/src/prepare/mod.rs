//! `#[prepare_tools]` and `#[prepare_output_tools]`: the function stays, and is checked to be a hook.

mod expand;
mod validate;

use proc_macro2::TokenStream;

use crate::hook::{self, Attribute};

const TOOLS: Attribute = attribute("#[prepare_tools]", "prepare_tools");
const OUTPUT_TOOLS: Attribute = attribute("#[prepare_output_tools]", "prepare_output_tools");

const fn attribute(place: &'static str, method: &'static str) -> Attribute {
    Attribute { place, what: "a prepare hook", method }
}

pub(crate) fn expand_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    hook::expand(&TOOLS, options, item, validate::validate, expand::checks)
}

pub(crate) fn expand_output_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    hook::expand(&OUTPUT_TOOLS, options, item, validate::validate, expand::checks)
}
