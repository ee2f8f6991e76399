//! Where the runtime crate is.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::place;

/// The path of the runtime crate: `::toolwright`, or what `crate = path` says.
#[derive(Clone)]
pub(crate) struct Krate(Option<syn::Path>);

impl Krate {
    pub(crate) fn new(explicit: Option<syn::Path>) -> Self {
        Self(explicit)
    }

    /// What the runtime keeps for macros alone.
    pub(crate) fn private(&self) -> TokenStream {
        let root = self.root();
        quote!(#root::__private)
    }

    /// The crate itself.
    pub(crate) fn root(&self) -> TokenStream {
        match &self.0 {
            None => quote!(::toolwright),
            Some(path) => quote!(#path),
        }
    }

    /// The same, for code whose errors belong to the user's tokens at `span`. A path of the user's own stays where it
    /// is: a `$crate` in it means something only there.
    pub(crate) fn private_at(&self, span: Span) -> TokenStream {
        if self.0.is_none() { place::at(span, self.private()) } else { self.private() }
    }
}
