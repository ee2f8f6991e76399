//! What an annotated function says, before it is checked.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Expr, ExprPath, Generics, ItemFn, LitStr, Receiver, ReturnType, Token, Type, Variadic};

use crate::context::Context;
use crate::doc::Doc;
use crate::krate::Krate;
use crate::registration::Registration;

/// An annotated function.
pub(crate) struct Tool {
    pub(crate) krate: Krate,
    /// The function as it stays: without our attributes on its parameters.
    pub(crate) function: ItemFn,
    /// What it has beyond a free function.
    pub(crate) method: Option<Method>,
    /// The name of the type that stands for it.
    pub(crate) ty: Ident,
    pub(crate) name: LitStr,
    pub(crate) description: Option<TokenStream>,
    pub(crate) contexts: Vec<Context>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) parameters: Vec<Parameter>,
    /// What the list of arguments in its documentation says, and where that documentation is.
    pub(crate) listed: Vec<(String, String)>,
    pub(crate) doc: Doc,
    pub(crate) options: ToolOptions,
    pub(crate) registration: Registration,
    /// What a free function that is a tool cannot have: tokens, and what to do about them.
    pub(crate) variadic: Option<Variadic>,
    /// Further `#[tool]` on the same function.
    pub(crate) repeated: Vec<Attribute>,
}

/// A function of an `impl` block.
pub(crate) struct Method {
    /// The generics of the block.
    pub(crate) generics: Generics,
    /// `&self` or the like; none, if it is called on nothing.
    pub(crate) receiver: Option<Receiver>,
    /// The options that only a free function takes.
    pub(crate) misplaced: Vec<Ident>,
}

/// The options of `#[tool]` that say nothing about names.
pub(crate) struct ToolOptions {
    pub(crate) prepare: Option<ExprPath>,
    pub(crate) args_validator: Option<ExprPath>,
    pub(crate) retries: Option<Expr>,
    pub(crate) timeout: Option<Expr>,
    pub(crate) strict: Option<bool>,
    pub(crate) sequential: bool,
    pub(crate) requires_approval: bool,
    pub(crate) defer_loading: bool,
    pub(crate) metadata: Option<Metadata>,
    pub(crate) lenient: bool,
    /// The word `inline`, if it is set.
    pub(crate) inline: Option<Ident>,
    pub(crate) deps: Option<Type>,
    pub(crate) tool_kind: Option<KindRef>,
    pub(crate) unless_tool_kind: Option<KindRef>,
    pub(crate) unless_native: Option<Expr>,
}

/// How a kind is named.
pub(crate) enum KindRef {
    /// By its type.
    Type(Type),
    /// By its id.
    Id(LitStr),
}

pub(crate) enum Metadata {
    Object(TokenStream),
    Expr(Expr),
}

/// What the function is called with, in its order.
pub(crate) enum Argument {
    /// The context with this index.
    Context(usize),
    /// The parameter with this index.
    Parameter(usize),
}

/// A parameter that the model fills in.
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Its name for the model.
    pub(crate) property: LitStr,
    pub(crate) description: Option<TokenStream>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) nested: bool,
    /// The attributes for serde and schemars.
    pub(crate) passed_on: Vec<Attribute>,
}

/// What a parameter is when it is left out.
pub(crate) enum DefaultValue {
    /// `Default::default()`.
    OfType,
    Expr(Expr),
}

impl Tool {
    /// The only parameter, where it may be the whole argument object.
    pub(crate) fn sole(&self) -> Option<&Parameter> {
        match self.parameters.as_slice() {
            [only] if !only.nested && only.default.is_none() => Some(only),
            _ => None,
        }
    }

    /// The generics of the type that stands for it.
    pub(crate) fn generics(&self) -> &Generics {
        self.method.as_ref().map_or(&self.function.sig.generics, |method| &method.generics)
    }

    /// What it is called on.
    pub(crate) fn receiver(&self) -> Option<&Receiver> {
        self.method.as_ref()?.receiver.as_ref()
    }

    /// The type of the dependencies, if it has a say in that.
    pub(crate) fn deps(&self) -> Option<TokenStream> {
        match self.contexts.first() {
            Some(context) => Some(context.deps(&self.krate)),
            None => self.options.deps.as_ref().map(ToTokens::to_token_stream),
        }
    }

    /// Says what the dependencies are, where it has no say in that itself.
    pub(crate) fn give_deps(&mut self, deps: Option<&Type>) {
        if self.deps().is_none() {
            self.options.deps = deps.cloned();
        }
    }

    pub(crate) fn returns_nothing(&self) -> bool {
        matches!(self.function.sig.output, ReturnType::Default)
    }

    pub(crate) fn asyncness(&self) -> Option<&Token![async]> {
        self.function.sig.asyncness.as_ref()
    }
}
