//! The item that an attribute is on.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Item, ItemFn};

/// The annotated function; an error if the item is none.
pub(crate) fn function(place: &str, item: TokenStream) -> syn::Result<ItemFn> {
    match syn::parse2::<Item>(item.clone())? {
        Item::Fn(function) => Ok(function),
        other => {
            let (tokens, what) = kind(&other);
            let message = format!("`{place}` goes on a function, and this is {what}");
            Err(syn::Error::new_spanned(if tokens.is_empty() { item } else { tokens }, message))
        }
    }
}

fn kind(item: &Item) -> (TokenStream, &'static str) {
    match item {
        Item::Struct(item) => (item.struct_token.to_token_stream(), "a struct"),
        Item::Enum(item) => (item.enum_token.to_token_stream(), "an enum"),
        Item::Impl(item) => (item.impl_token.to_token_stream(), "an impl block"),
        Item::Mod(item) => (item.mod_token.to_token_stream(), "a module"),
        Item::Trait(item) => (item.trait_token.to_token_stream(), "a trait"),
        Item::Const(item) => (item.const_token.to_token_stream(), "a constant"),
        Item::Static(item) => (item.static_token.to_token_stream(), "a static"),
        Item::Type(item) => (item.type_token.to_token_stream(), "a type alias"),
        Item::Use(item) => (item.use_token.to_token_stream(), "an import"),
        Item::Macro(item) => (item.mac.path.to_token_stream(), "a macro"),
        _ => (quote!(), "something else"),
    }
}

/// The attributes that decide whether an item is there at all.
pub(crate) fn cfgs(attributes: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"))
}
