//! From an annotated type to the model of an agent.

use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;
use syn::{ItemStruct, LitStr};

use super::PLACE;
use super::model::Agent;
use crate::ctxt::Ctxt;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};
use crate::{item, keyword};

const OPTIONS: &[Allowed] = &[
    allowed(keyword::DEPS, Kind::Type),
    allowed(keyword::OUTPUT, Kind::Type),
    allowed(keyword::NAME, Kind::Text),
    allowed(keyword::MANUAL, Kind::Flag),
    allowed(keyword::CRATE, Kind::Module),
];

pub(super) fn parse(ctxt: &Ctxt, tokens: TokenStream, mut declaration: ItemStruct) -> Agent {
    let mut options = Options::empty();
    options.read(ctxt, &format!("`{PLACE}`"), OPTIONS, tokens);
    let ident = &declaration.ident;
    Agent {
        krate: Krate::new(options.module(keyword::CRATE)),
        name: options.text(keyword::NAME).unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span())),
        deps: options.ty(keyword::DEPS),
        output: options.ty(keyword::OUTPUT),
        manual: options.flag(keyword::MANUAL).unwrap_or_default(),
        repeated: declaration.attrs.extract_if(.., |attribute| item::is_ours(attribute, keyword::AGENT)).collect(),
        declaration,
    }
}
