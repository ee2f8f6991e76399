//! Items of a block or a module that are marked with an attribute of ours.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote_spanned;
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta, Path};

use crate::ctxt::Ctxt;
use crate::item;
use crate::krate::Krate;

/// The attributes that were taken off: each is a name that the user has imported.
pub(super) struct Marks {
    krate: Krate,
    paths: Vec<Path>,
}

impl Marks {
    pub(super) fn new(krate: &Krate) -> Self {
        Self { krate: krate.clone(), paths: Vec::new() }
    }

    /// Takes the first attribute of this name off, and gives its options.
    pub(super) fn take(&mut self, ctxt: &Ctxt, name: &str, attributes: &mut Vec<Attribute>) -> Option<TokenStream> {
        let place = self.find(ctxt, name, attributes)?;
        let attribute = attributes.remove(place);
        if name != "instructions" && !self.paths.contains(attribute.path()) {
            self.paths.push(attribute.path().clone());
        }
        Some(match attribute.meta {
            Meta::Path(_) => TokenStream::new(),
            Meta::List(list) => list.tokens,
            Meta::NameValue(meta) => {
                ctxt.error(meta, format!("`#[{name}]` takes its options in parentheses: `#[{name}(…)]`"));
                TokenStream::new()
            }
        })
    }

    /// Finds the first attribute of this name, which stays and speaks for itself.
    pub(super) fn find(&self, ctxt: &Ctxt, name: &str, attributes: &mut Vec<Attribute>) -> Option<usize> {
        check_hidden(ctxt, name, attributes);
        attributes.iter().position(|attribute| is_marked(attribute, &self.krate, name))
    }

    /// Uses the names of the attributes, as the attributes would have: an import of them is not one too many.
    pub(super) fn uses(&self) -> TokenStream {
        let used = |path: &Path| quote_spanned!(path.span()=> #[allow(unused_imports)] use #path as _;);
        self.paths.iter().map(used).collect()
    }
}

/// Whether the attribute is ours, by the crate's own name or by the one that it was given.
fn is_marked(attribute: &Attribute, krate: &Krate, name: &str) -> bool {
    item::is_ours(attribute, name) || krate.is_path_of(attribute.path(), name)
}

/// An attribute that a condition adds is added too late to be seen.
fn check_hidden(ctxt: &Ctxt, name: &str, attributes: &mut Vec<Attribute>) {
    let hides = |attribute: &mut Attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        let names = |token| matches!(&token, TokenTree::Ident(ident) if ident == name);
        attribute.path().is_ident("cfg_attr") && list.tokens.clone().into_iter().any(names)
    };
    for attribute in attributes.extract_if(.., hides) {
        let message = format!(
            "`#[toolset]` does not see what `cfg_attr` adds: write this twice under `#[cfg(…)]`, once with `#[{name}]`"
        );
        ctxt.error(attribute, message);
    }
}
