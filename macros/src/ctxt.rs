//! The ledger of the user's mistakes: all of them are told, not only the first.

use std::cell::RefCell;
use std::fmt::Display;

use quote::ToTokens;

/// Collects errors. One that is dropped unchecked fails the expansion: no mistake gets lost.
pub(crate) struct Ctxt {
    errors: RefCell<Option<syn::Error>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(None) }
    }

    /// A mistake in these tokens.
    pub(crate) fn error(&self, tokens: impl ToTokens, message: impl Display) {
        self.syn_error(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake that the parser found.
    pub(crate) fn syn_error(&self, error: syn::Error) {
        let mut errors = self.errors.borrow_mut();
        match errors.as_mut() {
            Some(errors) => errors.combine(error),
            None => *errors = Some(error),
        }
    }

    /// Ends the ledger: every mistake as one error.
    pub(crate) fn check(self) -> syn::Result<()> {
        self.errors.take().map_or(Ok(()), Err)
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        let checked = self.errors.borrow().is_none();
        assert!(checked || std::thread::panicking(), "errors were collected and never reported");
    }
}
