//! `#[agent]`: a type, with which tools and hooks are registered.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;

use crate::ctxt::Ctxt;
use crate::{fallback, item};

pub(crate) const PLACE: &str = "#[agent]";

pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let declaration = match item::unit_struct(PLACE, "an agent type", item.clone()) {
        Ok(declaration) => declaration,
        Err(error) => return fallback::item(&error, item),
    };
    let ctxt = Ctxt::new();
    let agent = parse::parse(&ctxt, options, declaration);
    validate::validate(&ctxt, &agent);
    match ctxt.check() {
        Ok(()) => expand::expand(&agent),
        Err(error) => fallback::kind(&error, &expand::inert(&agent)),
    }
}
