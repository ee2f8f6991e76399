//! `#[prepare_tools]` and `#[prepare_output_tools]`: the function stays, and is checked to be a hook.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;

use crate::ctxt::Ctxt;
use crate::{fallback, item};

pub(crate) fn expand_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    expand("#[prepare_tools]", options, item)
}

pub(crate) fn expand_output_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    expand("#[prepare_output_tools]", options, item)
}

fn expand(place: &'static str, options: TokenStream, item: TokenStream) -> TokenStream {
    let function = match item::function(place, item.clone()) {
        Ok(function) => function,
        Err(error) => return fallback::item(&error, item),
    };
    let ctxt = Ctxt::new();
    let hook = parse::parse(&ctxt, place, options, function);
    validate::validate(&ctxt, &hook);
    match ctxt.check() {
        Ok(()) => expand::expand(&hook),
        Err(error) => fallback::tool(&error, &hook.function, TokenStream::new()),
    }
}
