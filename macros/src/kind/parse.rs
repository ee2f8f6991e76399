//! From an annotated type to the model of a kind.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser as _};
use syn::{ItemStruct, LitStr, Token};

use super::PLACE;
use super::model::ToolKind;
use crate::ctxt::Ctxt;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed, skip_to_comma};
use crate::{item, keyword};

const OPTIONS: &[Allowed] =
    &[allowed(keyword::ARGS, Kind::Type), allowed(keyword::CONTENT, Kind::Type), allowed(keyword::CRATE, Kind::Module)];

pub(super) fn parse(ctxt: &Ctxt, tokens: TokenStream, mut declaration: ItemStruct) -> ToolKind {
    let (id, rest) = take_id(ctxt, tokens);
    let mut options = Options::empty();
    options.read(ctxt, &format!("`{PLACE}`"), OPTIONS, rest);
    ToolKind {
        krate: Krate::new(options.module(keyword::CRATE)),
        id,
        args: options.ty(keyword::ARGS),
        content: options.ty(keyword::CONTENT),
        repeated: declaration.attrs.extract_if(.., |attribute| item::is_ours(attribute, keyword::TOOL_KIND)).collect(),
        declaration,
    }
}

/// The id, which comes first, and the options after it.
fn take_id(ctxt: &Ctxt, tokens: TokenStream) -> (Option<LitStr>, TokenStream) {
    let read = |input: ParseStream<'_>| {
        if !input.peek(LitStr) {
            ctxt.syn_error(syn::Error::new(
                input.span(),
                "a kind's id comes first: `#[tool_kind(\"namespace.name\")]`",
            ));
            let is_option = input.peek2(Token![=]);
            return Ok((None, if is_option { input.parse()? } else { skip(input)? }));
        }
        let id = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok((Some(id), input.parse()?))
    };
    read.parse2(tokens).unwrap_or_else(|error| {
        ctxt.syn_error(error);
        (None, TokenStream::new())
    })
}

/// Passes over what stands in place of the id.
fn skip(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    skip_to_comma(input);
    input.parse::<Option<Token![,]>>()?;
    input.parse()
}
