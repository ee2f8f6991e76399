//! `#[tool]`: a function, and beside it the type that is the tool.

mod call;
mod condition;
mod expand;
pub(crate) mod generics;
mod kind;
mod members;
pub(crate) mod method;
pub(crate) mod model;
mod parameter;
mod parse;
mod reading;
mod spec;
mod strict;
mod validate;

use proc_macro2::TokenStream;
use syn::{Attribute, ItemFn};

use self::model::Tool;

pub(crate) use self::validate::check_retries;

use crate::ctxt::Ctxt;
use crate::{fallback, item};

pub(crate) const PLACE: &str = "#[tool]";

/// What a function that has the attribute will be, as far as it is without mistakes; those the attribute tells itself.
pub(crate) fn inspect(attribute: &Attribute, function: ItemFn) -> Tool {
    let ctxt = Ctxt::new();
    let options = attribute.meta.require_list().map(|list| list.tokens.clone()).unwrap_or_default();
    let tool = parse::parse(&ctxt, options, function);
    drop(ctxt.check());
    tool
}

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let function = match item::function(PLACE, item.clone()) {
        Ok(function) => function,
        Err(error) => return fallback::item(&error, item),
    };
    if let Some(both) = condition::split(&parse::krate(&options), &options, &function) {
        return both;
    }
    let ctxt = Ctxt::new();
    let tool = parse::parse(&ctxt, options, function);
    validate::validate(&ctxt, &tool);
    match ctxt.check() {
        Ok(()) => expand::expand(&tool),
        Err(error) => fallback::tool(&error, &tool.function, expand::inert(&tool)),
    }
}
