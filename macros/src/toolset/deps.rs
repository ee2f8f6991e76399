//! The dependencies that the tools of one toolset have in common.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::tool::model::Tool;
use crate::{item, names};

/// What the first tool that has a say in it says; one that is not always there comes last.
pub(super) fn of(tools: &[Tool]) -> Option<Type> {
    let (sometimes, always): (Vec<_>, Vec<_>) =
        tools.iter().partition(|tool| item::cfgs(&tool.function.attrs).next().is_some());
    always.into_iter().chain(sometimes).find_map(Tool::deps).map(Type::Verbatim)
}

/// The dependencies, and the parameter that stands for all of them where nothing says what they are.
pub(super) fn declared(deps: Option<&Type>) -> (TokenStream, Option<TokenStream>) {
    match deps {
        Some(deps) => (quote!(#deps), None),
        None => {
            let deps = names::any_deps();
            let any = quote!(<#deps: ::core::marker::Send + ::core::marker::Sync + 'static>);
            (quote!(#deps), Some(any))
        }
    }
}
