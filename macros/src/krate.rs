//! Where the runtime crate is.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The path of the runtime crate: `::toolwright`, or what `crate = path` says.
#[derive(Clone)]
pub(crate) struct Krate(TokenStream);

impl Krate {
    pub(crate) fn new(explicit: Option<syn::Path>) -> Self {
        Self(explicit.map_or_else(|| quote!(::toolwright), ToTokens::into_token_stream))
    }

    /// What the runtime keeps for macros alone.
    pub(crate) fn private(&self) -> TokenStream {
        let Self(path) = self;
        quote!(#path::__private)
    }
}
