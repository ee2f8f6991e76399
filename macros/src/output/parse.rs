//! From an enum to the model of its outputs.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{Attribute, DataEnum, DeriveInput, Fields, Meta};

use super::PLACE;
use super::model::{AgentOutput, Field, Mark, Mode, Shape, Source, ToolOptions, Variant};
use crate::ctxt::Ctxt;
use crate::doc::Doc;
use crate::keyword;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};

const OPTIONS: &[Allowed] = &[
    allowed(keyword::NATIVE, Kind::Flag),
    allowed(keyword::PROMPTED, Kind::Flag),
    allowed(keyword::CRATE, Kind::Module),
];

const VARIANT_OPTIONS: &[Allowed] = &[
    allowed(keyword::NAME, Kind::Text),
    allowed(keyword::DESCRIPTION, Kind::TextExpr),
    allowed(keyword::STRICT, Kind::Flag),
    allowed(keyword::RETRIES, Kind::Expr),
];

const MARKS: [(&str, Source); 3] =
    [(keyword::TEXT, Source::Text), (keyword::IMAGE, Source::Image), (keyword::FILE, Source::File)];

pub(super) fn parse(ctxt: &Ctxt, input: &DeriveInput, data: &DataEnum) -> AgentOutput {
    let options = read(ctxt, &input.attrs, &format!("`#[output]` under `{PLACE}`"), OPTIONS);
    for (attribute, word) in input.attrs.iter().filter_map(|attribute| Some((attribute, mark(attribute)?.word))) {
        ctxt.error(attribute, format!("`#[{word}]` goes on a variant, the one that holds it"));
    }
    let mode = |key, is_native| {
        let word = options.key(key).filter(|_| options.flag(key) == Some(true))?.clone();
        Some(Mode { word, is_native })
    };
    AgentOutput {
        krate: Krate::new(options.module(keyword::CRATE)),
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        modes: [mode(keyword::NATIVE, true), mode(keyword::PROMPTED, false)].into_iter().flatten().collect(),
        variants: data.variants.iter().map(|variant| parse_variant(ctxt, variant)).collect(),
    }
}

fn parse_variant(ctxt: &Ctxt, variant: &syn::Variant) -> Variant {
    let marks: Vec<_> = variant.attrs.iter().filter_map(mark).collect();
    for attribute in variant.attrs.iter().filter(|attribute| mark(attribute).is_some()) {
        if let Meta::List(list) = &attribute.meta {
            let word = list.path.to_token_stream();
            ctxt.error(&list.tokens, format!("`#[{word}]` takes no options"));
        }
    }
    let options = read(ctxt, &variant.attrs, "`#[output]` on a variant", VARIANT_OPTIONS);
    let said = options.expr(keyword::DESCRIPTION).map(|expr| expr.into_token_stream());
    Variant {
        ident: variant.ident.clone(),
        shape: shape(&variant.fields),
        marks,
        options: ToolOptions {
            name: options.text(keyword::NAME),
            description: said.or_else(|| Doc::of(&variant.attrs).description()),
            strict: options.flag(keyword::STRICT),
            retries: options.expr(keyword::RETRIES),
            words: VARIANT_OPTIONS.iter().filter_map(|option| options.key(option.key)).cloned().collect(),
        },
    }
}

fn shape(fields: &Fields) -> Shape {
    let unnamed = match fields {
        Fields::Unnamed(unnamed) => &unnamed.unnamed,
        Fields::Unit => return Shape::Fields(Vec::new()),
        Fields::Named(named) => return Shape::Fields(named.named.iter().filter_map(field).collect()),
    };
    match unnamed.iter().collect::<Vec<_>>().as_slice() {
        [only] => Shape::Value(only.ty.clone()),
        _ => Shape::Values(fields.to_token_stream()),
    }
}

fn field(field: &syn::Field) -> Option<Field> {
    let description = Doc::of(&field.attrs).description();
    Some(Field { ident: field.ident.clone()?, ty: field.ty.clone(), description })
}

/// What an attribute says a variant is.
fn mark(attribute: &Attribute) -> Option<Mark> {
    let word: &Ident = attribute.path().get_ident()?;
    let (_, source) = MARKS.into_iter().find(|(name, _)| word == name)?;
    Some(Mark { word: word.clone(), source })
}

/// The options of all `#[output(…)]` of an item.
fn read(ctxt: &Ctxt, attributes: &[Attribute], place: &str, table: &[Allowed]) -> Options {
    let mut options = Options::empty();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(keyword::OUTPUT)) {
        match &attribute.meta {
            Meta::List(list) => options.read(ctxt, place, table, list.tokens.clone()),
            other => {
                let flag = table.iter().find(|option| option.kind == Kind::Flag).map(|option| option.key);
                let example = flag.unwrap_or_default();
                ctxt.error(other, format!("`#[output]` needs its options in parentheses: `#[output({example})]`"));
            }
        }
    }
    options
}
