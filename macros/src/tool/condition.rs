//! A parameter that is there under a condition: the function is written once with it and once without, each of them a tool
//! under its condition. What has conditions left is split again.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, FnArg, ItemFn, Meta};

use crate::krate::Krate;

/// Both functions, if some parameter has a condition.
pub(super) fn split(krate: &Krate, options: &TokenStream, function: &ItemFn) -> Option<TokenStream> {
    let conditions = |argument: &FnArg| match argument {
        FnArg::Typed(parameter) => parameter.attrs.iter().position(is_condition),
        FnArg::Receiver(_) => None,
    };
    let (at, attribute) =
        function.sig.inputs.iter().enumerate().find_map(|(at, argument)| Some((at, conditions(argument)?)))?;
    let (mut with, mut without) = (function.clone(), function.clone());
    let FnArg::Typed(parameter) = &mut with.sig.inputs[at] else { return None };
    let condition = parameter.attrs.remove(attribute).meta.require_list().ok()?.tokens.clone();
    without.sig.inputs =
        without.sig.inputs.into_iter().enumerate().filter(|(index, _)| *index != at).map(|(_, it)| it).collect();
    let root = krate.root();
    Some(quote! {
        #[cfg(#condition)]
        #[#root::tool(#options)]
        #with
        #[cfg(not(#condition))]
        #[#root::tool(#options)]
        #without
    })
}

fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && matches!(attribute.meta, Meta::List(_))
}
