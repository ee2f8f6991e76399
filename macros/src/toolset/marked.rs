//! Items of a block or a module that are marked with an attribute of ours.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote_spanned;
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta, Path};

use crate::ctxt::Ctxt;

/// The attributes that were taken off: each is a name that the user has imported.
#[derive(Default)]
pub(super) struct Marks(Vec<Path>);

impl Marks {
    /// Takes the first attribute of this name off, and gives its options.
    pub(super) fn take(&mut self, ctxt: &Ctxt, name: &str, attributes: &mut Vec<Attribute>) -> Option<TokenStream> {
        let place = find(ctxt, name, attributes)?;
        let attribute = attributes.remove(place);
        if !self.0.contains(attribute.path()) {
            self.0.push(attribute.path().clone());
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

    /// Uses the names of the attributes, as the attributes would have: an import of them is not one too many.
    pub(super) fn uses(&self) -> TokenStream {
        let used = |path: &Path| quote_spanned!(path.span()=> #[allow(unused_imports)] use #path as _;);
        self.0.iter().map(used).collect()
    }
}

/// Finds the first attribute of this name, by whatever path it is named: one that is overlooked would be a tool that is
/// missing.
pub(super) fn find(ctxt: &Ctxt, name: &str, attributes: &mut Vec<Attribute>) -> Option<usize> {
    check_hidden(ctxt, name, attributes);
    let is_named = |attribute: &Attribute| attribute.path().segments.last().is_some_and(|last| last.ident == name);
    attributes.iter().position(is_named)
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
