//! The item that an attribute is on.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Fields, Item, ItemFn, ItemStruct};

/// The annotated function; an error if the item is none.
pub(crate) fn function(place: &str, item: TokenStream) -> syn::Result<ItemFn> {
    match syn::parse2::<Item>(item)? {
        Item::Fn(function) => Ok(function),
        other => Err(misplaced(place, "a function", &other)),
    }
}

/// An attribute on an item of another sort than the one that it goes on.
pub(crate) fn misplaced(place: &str, wanted: &str, item: &Item) -> syn::Error {
    let (tokens, what) = kind(item);
    let instead = match (place, item) {
        ("#[tool]", Item::Impl(_)) => "; put `#[toolset]` here, and `#[tool]` on the methods",
        ("#[tool]", Item::Mod(_)) => "; put `#[toolset]` here, and `#[tool]` on the functions in it",
        _ => "",
    };
    let message = format!("`{place}` goes on {wanted}, and this is {what}{instead}");
    syn::Error::new_spanned(if tokens.is_empty() { item.to_token_stream() } else { tokens }, message)
}

/// The annotated type; an error if the item is none, or has values that tell each other apart.
pub(crate) fn unit_struct(place: &str, what: &str, item: TokenStream) -> syn::Result<ItemStruct> {
    match syn::parse2::<Item>(item.clone())? {
        Item::Struct(ItemStruct { fields: Fields::Unit, .. }) => syn::parse2(item),
        Item::Struct(ItemStruct { ident, fields, .. }) => {
            let message = format!("{what} is a name, and holds nothing: write `struct {ident};`");
            Err(syn::Error::new_spanned(fields, message))
        }
        other => Err(misplaced(place, "a struct without fields", &other)),
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
