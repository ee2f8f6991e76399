//! The item that an attribute is on.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Fields, Item, ItemFn, ItemStruct};

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

/// The annotated type; an error if the item is none, or has values that tell each other apart.
pub(crate) fn unit_struct(place: &str, what: &str, item: TokenStream) -> syn::Result<ItemStruct> {
    match syn::parse2::<Item>(item.clone())? {
        Item::Struct(ItemStruct { fields: Fields::Unit, .. }) => syn::parse2(item),
        Item::Struct(ItemStruct { ident, fields, .. }) => {
            let message = format!("{what} is a name, and holds nothing: write `struct {ident};`");
            Err(syn::Error::new_spanned(fields, message))
        }
        other => {
            let (tokens, what) = kind(&other);
            let message = format!("`{place}` goes on a struct without fields, and this is {what}");
            Err(syn::Error::new_spanned(if tokens.is_empty() { item } else { tokens }, message))
        }
    }
}

/// Whether the attribute is ours; one of this name may be another crate's.
pub(crate) fn is_ours(attribute: &Attribute, name: &str) -> bool {
    let segments: Vec<String> = attribute.path().segments.iter().map(|segment| segment.ident.to_string()).collect();
    match segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [last] | ["toolwright", last] => *last == name,
        _ => false,
    }
}

fn kind(item: &Item) -> (TokenStream, &'static str) {
    match item {
        Item::Fn(item) => (item.sig.fn_token.to_token_stream(), "a function"),
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
