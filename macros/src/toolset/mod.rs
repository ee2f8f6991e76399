//! `#[toolset]`: the tools of an `impl` block, or of a module.

mod block;
mod deps;
mod list;
mod marked;
mod module;
mod names;

use proc_macro2::TokenStream;
use syn::Item;

use crate::{fallback, item};

pub(crate) const PLACE: &str = "#[toolset]";

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    match syn::parse2(item.clone()) {
        Ok(Item::Impl(block)) => block::expand(options, block),
        Ok(Item::Mod(module)) => module::expand(options, module),
        Ok(other) => fallback::item(&item::misplaced(PLACE, "an `impl` block or a module", &other), item),
        Err(error) => fallback::item(&error, item),
    }
}
