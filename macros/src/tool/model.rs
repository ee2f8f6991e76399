//! What an annotated function says, before it is checked.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, Expr, ExprPath, ItemFn, LitStr, ReturnType, Token, Type, Variadic};

use crate::context::Context;
use crate::doc::Doc;
use crate::krate::Krate;
use crate::registration::Registration;

/// An annotated function.
pub(crate) struct Tool {
    pub(crate) krate: Krate,
    /// The function as it stays: without our attributes on its parameters.
    pub(crate) function: ItemFn,
    /// The name of the type beside it.
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

    pub(crate) fn returns_nothing(&self) -> bool {
        matches!(self.function.sig.output, ReturnType::Default)
    }

    pub(crate) fn asyncness(&self) -> Option<&Token![async]> {
        self.function.sig.asyncness.as_ref()
    }
}
