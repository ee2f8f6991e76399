//! `#[toolset]` on a module: its tools as a toolset, and with its instructions as a capability.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;
use syn::ItemMod;

use crate::ctxt::Ctxt;

pub(super) fn expand(options: TokenStream, item: ItemMod) -> TokenStream {
    let ctxt = Ctxt::new();
    let module = parse::parse(&ctxt, options, item);
    validate::validate(&ctxt, &module);
    match ctxt.check() {
        Ok(()) => expand::expand(&module),
        Err(error) => expand::inert(&module, &error),
    }
}
