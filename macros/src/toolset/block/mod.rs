//! `#[toolset]` on an `impl` block: methods of one value as tools that share it.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;
use syn::ItemImpl;

use crate::ctxt::Ctxt;
use crate::fallback;

pub(super) fn expand(options: TokenStream, block: ItemImpl) -> TokenStream {
    let ctxt = Ctxt::new();
    let block = parse::parse(&ctxt, options, block);
    validate::validate(&ctxt, &block);
    match ctxt.check() {
        Ok(()) => expand::expand(&block),
        Err(error) => fallback::block(&error, &block.item, &expand::inert(&block)),
    }
}
