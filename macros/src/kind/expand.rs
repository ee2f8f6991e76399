//! From the model of a kind to its code.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Generics, ItemStruct, LitStr, Type};

use super::model::ToolKind;
use crate::{item, names};

/// The type, what makes it a kind, and its place in the list of all kinds.
pub(super) fn expand(kind: &ToolKind) -> TokenStream {
    let private = kind.krate.private();
    let implementation = implementation(kind, kind.id.as_ref(), [&kind.args, &kind.content]);
    let (declaration, ident) = (&kind.declaration, &kind.declaration.ident);
    let cfgs = item::cfgs(&declaration.attrs);
    let place = names::constant("KIND");
    quote! {
        // A kind is a name: nobody makes a value of it.
        #[allow(dead_code)]
        #declaration
        #(#cfgs)*
        const _: () = {
            #implementation
            #[#private::linkme::distributed_slice(#private::TOOL_KINDS)]
            #[linkme(crate = #private::linkme)]
            static #place: fn() -> #private::KindDefinition = #private::KindDefinition::of::<#ident>;
        };
    }
}

/// The type, and a kind that says nothing, in place of one with mistakes: tools of it have no error of their own.
pub(super) fn inert(kind: &ToolKind) -> TokenStream {
    let cfgs = item::cfgs(&kind.declaration.attrs);
    // Parameters that it uses nowhere would be another error.
    let declaration = ItemStruct { generics: Generics::default(), ..kind.declaration.clone() };
    let implementation = implementation(kind, None, [&None, &None]);
    quote! {
        #[allow(dead_code)]
        #declaration
        #(#cfgs)*
        const _: () = { #implementation };
    }
}

fn implementation(kind: &ToolKind, id: Option<&LitStr>, shapes: [&Option<Type>; 2]) -> TokenStream {
    let private = kind.krate.private();
    let ident = &kind.declaration.ident;
    let id = id.map_or_else(|| quote!(""), |id| id.to_token_stream());
    let [args, content] = shapes.map(|ty| match ty {
        Some(ty) => ty.to_token_stream(),
        None => quote!(#private::AnyShape),
    });
    quote! {
        impl #private::ToolKind for #ident {
            const ID: &'static ::core::primitive::str = #id;
            type Args = #args;
            type Content = #content;
        }
    }
}
