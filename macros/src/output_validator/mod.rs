//! `#[output_validator]`: the function stays, and is checked to look at outputs.

mod expand;
mod validate;

use proc_macro2::TokenStream;

use crate::hook::{self, Attribute};

const OUTPUT_VALIDATOR: Attribute =
    Attribute { place: "#[output_validator]", what: "an output validator", method: "output_validator" };

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    hook::expand(&OUTPUT_VALIDATOR, options, item, validate::validate, expand::checks)
}
