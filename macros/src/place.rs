//! Where errors about generated code appear.

use proc_macro2::{Span, TokenStream};

/// The tokens, as if they were written at `span`, by whoever wrote what is there.
pub(crate) fn at(span: Span, tokens: TokenStream) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    moved.collect()
}
