//! What is emitted in place of an expansion that cannot be: the errors, and the item without our attributes, so that
//! nothing else fails for want of it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemFn, ItemImpl};

/// For an item of another sort.
pub(crate) fn item(error: &syn::Error, item: TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#item #error)
}

/// For a type, and whatever stands in for what it would have been.
pub(crate) fn kind(error: &syn::Error, inert: &TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#inert #error)
}

/// For an `impl` block, and whatever stands in for what it would have made.
pub(crate) fn block(error: &syn::Error, block: &ItemImpl, inert: &TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#block #inert #error)
}

/// For a function, and whatever stands in for what it would have made.
pub(crate) fn tool(error: &syn::Error, function: &ItemFn, inert: TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote!(#function #inert #error)
}
