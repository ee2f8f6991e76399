//! That the types of a function fit the kind that it is of; each error at the types themselves.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

use super::call::returned_span;
use super::model::{KindRef, Tool};
use crate::names;

/// The type of the tool's kind, and that an only parameter is what the kind says of its arguments.
pub(super) fn check(tool: &Tool) -> Option<TokenStream> {
    let ty = kind_type(tool)?;
    let private = tool.krate.private_at(ty.span());
    let (kind, returned) = (names::value("kind"), kind_at(content_span(tool, ty)));
    let is_kind = quote_spanned!(ty.span()=> #private::kind::<#ty>());
    let sole = tool.sole().map(|parameter| {
        let span = parameter.ty.span();
        let (private, ty) = (tool.krate.private_at(span), &parameter.ty);
        let here = kind_at(span);
        let check = quote_spanned!(span=> #private::Sole::<#ty>::new().fits(#here););
        quote!({ let #here = #kind; #check })
    });
    let private = tool.krate.private();
    Some(quote! {
        #[allow(unused_imports)]
        use #private::{FitsWhole as _, OfKindPlain as _};
        let #kind = #is_kind;
        #sole
        let #returned = #kind;
    })
}

/// That what the function returned is the kind's content.
pub(super) fn check_returned(tool: &Tool) -> Option<TokenStream> {
    let kind = kind_at(content_span(tool, kind_type(tool)?));
    Some(quote_spanned!(kind.span()=> .of_kind(#kind)))
}

/// The kind, under a name that is at the tokens it is compared with: there its errors belong.
fn kind_at(span: Span) -> Ident {
    let mut kind = names::value("kind");
    kind.set_span(span);
    kind
}

/// Where what the tool returns is written, or else the kind that it does not fit.
fn content_span(tool: &Tool, kind: &Type) -> Span {
    if tool.returns_nothing() { kind.span() } else { returned_span(tool) }
}

/// The type of the tool's kind, if it was named by that.
fn kind_type(tool: &Tool) -> Option<&Type> {
    match &tool.options.tool_kind {
        Some(KindRef::Type(ty)) => Some(ty),
        _ => None,
    }
}
