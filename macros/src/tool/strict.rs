//! That the parameters of a strict tool can be strict, as far as their types show; each error at the type itself.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::model::Tool;

pub(super) fn check(tool: &Tool) -> Option<TokenStream> {
    if tool.options.strict != Some(true) || tool.parameters.is_empty() {
        return None;
    }
    let checks = tool.parameters.iter().map(|parameter| {
        let span = parameter.ty.span();
        let (private, ty) = (tool.krate.private_at(span), &parameter.ty);
        quote_spanned!(span=> #private::StrictParameter::<#ty>::new().check(());)
    });
    let private = tool.krate.private();
    Some(quote! {
        #[allow(unused_imports)]
        use #private::MayBeStrict as _;
        #(#checks)*
    })
}
