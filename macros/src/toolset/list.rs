//! The list of a toolset's tools, as code.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::krate::Krate;
use crate::tool::model::Tool;
use crate::{item, names};

/// Adds a tool to the list; `made` makes it for its dependencies. Where these are others than the list's, the error is at
/// the tool's.
pub(super) fn pushed(
    krate: &Krate,
    tool: &Tool,
    deps: &TokenStream,
    made: impl Fn(&TokenStream) -> TokenStream,
) -> TokenStream {
    let tools = names::value("tools");
    let cfgs = item::cfgs(&tool.function.attrs);
    let made = match tool.deps().filter(|own| own.to_string() != deps.to_string()) {
        None => made(deps),
        Some(own) => {
            let (private, made) = (krate.private_at(own.span()), made(&own));
            quote_spanned!(own.span()=> #private::same_deps::<#deps, #own>(#made))
        }
    };
    quote! {
        #(#cfgs)*
        #tools.push(#made);
    }
}

/// The names of the tools, for documentation.
pub(super) fn names(tools: &[Tool]) -> String {
    let names: Vec<_> = tools.iter().map(|tool| format!("`{}`", tool.name.value())).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
