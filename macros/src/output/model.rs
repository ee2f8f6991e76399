//! What an enum of outputs says, before it is checked.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Generics, LitStr, Type};

use crate::krate::Krate;

pub(crate) struct AgentOutput {
    pub(crate) krate: Krate,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The words that say that the model writes the value as its text.
    pub(crate) modes: Vec<Mode>,
    pub(crate) variants: Vec<Variant>,
}

/// How the model writes a value as its text.
pub(crate) struct Mode {
    pub(crate) word: Ident,
    pub(crate) is_native: bool,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) shape: Shape,
    /// What marks it as something else than an output tool; one too many is one too many.
    pub(crate) marks: Vec<Mark>,
    pub(crate) options: ToolOptions,
}

/// What a variant holds.
pub(crate) enum Shape {
    /// One value.
    Value(Type),
    /// Fields with names, or none at all.
    Fields(Vec<Field>),
    /// Values without names.
    Values(TokenStream),
}

/// A field of a variant, which the model fills in.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) description: Option<TokenStream>,
}

/// Says that a variant is no output tool.
pub(crate) struct Mark {
    pub(crate) word: Ident,
    pub(crate) source: Source,
}

/// Where an output comes from that is no call's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Text,
    Image,
    File,
}

/// What is said of an output tool.
#[derive(Default)]
pub(crate) struct ToolOptions {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<TokenStream>,
    pub(crate) strict: Option<bool>,
    pub(crate) retries: Option<Expr>,
    /// The words of the options that were given, but for a doc comment's.
    pub(crate) words: Vec<Ident>,
}

impl AgentOutput {
    /// The variants that are output tools.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &Variant> {
        self.variants.iter().filter(|variant| variant.marks.is_empty())
    }

    /// The variants that come from there.
    pub(crate) fn of(&self, source: Source) -> impl Iterator<Item = &Variant> {
        self.variants.iter().filter(move |variant| variant.source() == Some(source))
    }
}

impl Variant {
    /// Where the output comes from, if it is no tool's.
    pub(crate) fn source(&self) -> Option<Source> {
        self.marks.first().map(|mark| mark.source)
    }
}
