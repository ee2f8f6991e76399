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

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn mistakes_come_out_in_their_order() {
        let ctxt = Ctxt::new();
        ctxt.error(quote!(a), "first");
        ctxt.error(quote!(b), "second");
        let errors = ctxt.check().expect_err("two errors");
        assert_eq!(errors.into_iter().map(|error| error.to_string()).collect::<Vec<_>>(), ["first", "second"]);
        assert!(Ctxt::new().check().is_ok());
    }

    #[test]
    #[should_panic(expected = "errors were collected and never reported")]
    fn a_ledger_is_not_dropped_unchecked() {
        Ctxt::new().error(quote!(a), "lost");
    }
}
