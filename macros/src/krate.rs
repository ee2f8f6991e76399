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

    /// Whether the path is that of `name` in the crate that `crate = path` says.
    pub(crate) fn is_path_of(&self, path: &syn::Path, name: &str) -> bool {
        let Some(krate) = &self.0 else { return false };
        let names =
            |path: &syn::Path| path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>();
        names(path).split_last().is_some_and(|(last, rest)| last == name && rest == names(krate))
    }

    /// What the runtime keeps for macros alone.
    pub(crate) fn private(&self) -> TokenStream {
        match &self.0 {
            None => quote!(::toolwright::__private),
            Some(path) => quote!(#path::__private),
        }
    }

    /// The same, for code whose errors belong to the user's tokens at `span`. A path of the user's own stays where it
    /// is: a `$crate` in it means something only there.
    pub(crate) fn private_at(&self, span: Span) -> TokenStream {
        if self.0.is_none() { place::at(span, self.private()) } else { self.private() }
    }
}
