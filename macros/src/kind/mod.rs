//! `#[tool_kind]`: a type, made a kind of tools.

mod expand;
pub(crate) mod id;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;

use crate::ctxt::Ctxt;
use crate::{fallback, item};

pub(crate) const PLACE: &str = "#[tool_kind]";

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let declaration = match item::unit_struct(PLACE, "a kind", item.clone()) {
        Ok(declaration) => declaration,
        Err(error) => return fallback::item(&error, item),
    };
    let ctxt = Ctxt::new();
    let kind = parse::parse(&ctxt, options, declaration);
    validate::validate(&ctxt, &kind);
    match ctxt.check() {
        Ok(()) => expand::expand(&kind),
        Err(error) => fallback::kind(&error, &expand::inert(&kind)),
    }
}
