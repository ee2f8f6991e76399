//! What attributes on hooks share: the function stays, is checked part by part, and is registered.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;

pub(crate) use self::expand::Checks;
pub(crate) use self::model::{Attribute, Hook};
use crate::ctxt::Ctxt;
use crate::{fallback, item};

/// The way through each of these attributes: `validate` says what its hooks cannot be, and `checks` what the compiler is to
/// look at.
pub(crate) fn expand(
    attribute: &'static Attribute,
    options: TokenStream,
    item: TokenStream,
    validate: fn(&Ctxt, &Hook),
    checks: fn(&Hook) -> Checks,
) -> TokenStream {
    let function = match item::function(attribute.place, item.clone()) {
        Ok(function) => function,
        Err(error) => return fallback::item(&error, item),
    };
    let ctxt = Ctxt::new();
    let hook = parse::parse(&ctxt, attribute, options, function);
    // A method is told that it cannot be one, and nothing else.
    if hook.function.sig.receiver().is_none() {
        validate::validate(&ctxt, &hook);
        validate(&ctxt, &hook);
    }
    match ctxt.check() {
        Ok(()) => expand::expand(&hook, &checks(&hook)),
        Err(error) => fallback::tool(&error, &hook.function, TokenStream::new()),
    }
}
