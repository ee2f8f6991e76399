//! Parameters: what their attributes and comments say of them.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, LitStr, Meta, Pat, PatType, Token};

use super::model::{DefaultValue, Parameter};
use crate::ctxt::Ctxt;
use crate::doc::Doc;
use crate::nearest::nearest;
use crate::option::{Allowed, Kind, Options, allowed};
use crate::{keyword, ty};

const OPTIONS: &[Allowed] = &[
    allowed(keyword::DEFAULT, Kind::OptionalExpr),
    allowed(keyword::RENAME, Kind::Text),
    allowed(keyword::DESCRIPTION, Kind::TextExpr),
    allowed(keyword::NESTED, Kind::Flag),
];

/// What the compiler itself allows on a parameter, but for `cfg`.
const PLAIN: [&str; 6] = ["allow", "cfg_attr", "deny", "expect", "forbid", "warn"];

/// Reads a parameter, and takes off what only we understand.
pub(super) fn parse(ctxt: &Ctxt, parameter: &mut PatType) -> Option<Parameter> {
    let doc = Doc::of(&parameter.attrs);
    let (options, passed_on) = take_attributes(ctxt, &mut parameter.attrs);
    let ident = name(ctxt, parameter)?;
    let default = match options.expr(keyword::DEFAULT) {
        Some(expr) => Some(DefaultValue::Expr(expr)),
        None => options.key(keyword::DEFAULT).map(|_| DefaultValue::OfType),
    };
    let description = options.expr(keyword::DESCRIPTION).map(|expr| expr.into_token_stream());
    Some(Parameter {
        property: options
            .text(keyword::RENAME)
            .unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span())),
        ident,
        ty: ty::with_static_lifetimes(&parameter.ty),
        description: description.or_else(|| doc.description()),
        default,
        nested: options.flag(keyword::NESTED).unwrap_or_default(),
        passed_on,
    })
}

/// The name that the function gives a parameter.
fn name(ctxt: &Ctxt, parameter: &PatType) -> Option<Ident> {
    match &*parameter.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        Pat::Wild(pat) => {
            ctxt.error(pat, "the model passes parameters by name: name this one, as in `_unused`");
            None
        }
        other => {
            ctxt.error(other, "the model passes parameters by name: name this one, and take it apart in the body");
            None
        }
    }
}

fn take_attributes(ctxt: &Ctxt, attributes: &mut Vec<Attribute>) -> (Options, Vec<Attribute>) {
    let mut options = Options::empty();
    let mut passed_on = Vec::new();
    attributes.retain(|attribute| {
        let path = attribute.path();
        if path.is_ident(keyword::ARG) {
            read_options(ctxt, &mut options, attribute);
        } else if path.is_ident(keyword::SERDE) || path.is_ident(keyword::SCHEMARS) {
            check_passed_on(ctxt, attribute);
            passed_on.push(attribute.clone());
        } else if path.is_ident("cfg") {
            ctxt.error(attribute, "a tool's parameter cannot come and go: put `#[cfg]` on two functions");
        } else if PLAIN.iter().any(|plain| path.is_ident(plain)) {
            return true;
        } else if !path.is_ident("doc") {
            ctxt.error(path, unknown_attribute(path));
        }
        false
    });
    (options, passed_on)
}

fn read_options(ctxt: &Ctxt, options: &mut Options, attribute: &Attribute) {
    match &attribute.meta {
        Meta::List(list) => options.read(ctxt, "`#[arg]`", OPTIONS, list.tokens.clone()),
        other => ctxt.error(other, "`#[arg]` needs its options in parentheses: `#[arg(default)]`"),
    }
}

/// What these attributes say is said to one parameter's type; names and defaults are ours.
fn check_passed_on(ctxt: &Ctxt, attribute: &Attribute) {
    let metas = match attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) {
        Ok(metas) => metas,
        Err(error) => return ctxt.syn_error(error),
    };
    for meta in metas {
        let word = meta.path().get_ident().map(Ident::to_string).unwrap_or_default();
        let instead = match word.as_str() {
            "rename" => "write `#[arg(rename = \"…\")]`",
            "default" => "write `#[arg(default)]`",
            "description" => "write `#[arg(description = \"…\")]`, or a doc comment",
            "alias" | "borrow" | "flatten" | "getter" | "skip" | "skip_deserializing" | "skip_serializing" => {
                "remove it"
            }
            _ => continue,
        };
        ctxt.error(meta.path(), format!("`{word}` has no effect on a tool's parameter; {instead}"));
    }
}

fn unknown_attribute(path: &syn::Path) -> String {
    let word = path.to_token_stream().to_string();
    match nearest(&word, [keyword::ARG, keyword::CTX, keyword::SERDE, keyword::SCHEMARS]) {
        Some(meant) => format!("unknown attribute `{word}`; did you mean `{meant}`?"),
        None => format!("unknown attribute `{word}`; a tool's parameter takes `arg`, `ctx`, `serde` and `schemars`"),
    }
}

impl Parameter {
    /// The type's place, for errors about it.
    pub(super) fn span(&self) -> proc_macro2::Span {
        self.ty.span()
    }

    /// Describes the parameter, unless it describes itself.
    pub(super) fn describe(&mut self, text: &str) {
        self.description.get_or_insert_with(|| -> TokenStream { text.into_token_stream() });
    }
}
