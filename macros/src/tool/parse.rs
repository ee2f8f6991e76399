//! From an annotated function to the model of a tool.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{FnArg, ItemFn, LitStr, Signature};

use super::model::{Argument, KindRef, Metadata, Parameter, Tool, ToolOptions};
use super::parameter;
use crate::context::Context;
use crate::ctxt::Ctxt;
use crate::doc::Doc;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};
use crate::registration::{self, Registration};
use crate::{item, keyword};

const OPTIONS: &[Allowed] = &[
    allowed(keyword::NAME, Kind::Text),
    allowed(keyword::DESCRIPTION, Kind::TextExpr),
    allowed(keyword::PREPARE, Kind::Function),
    allowed(keyword::ARGS_VALIDATOR, Kind::Function),
    allowed(keyword::RETRIES, Kind::Expr),
    allowed(keyword::TIMEOUT, Kind::Expr),
    allowed(keyword::STRICT, Kind::Flag),
    allowed(keyword::SEQUENTIAL, Kind::Flag),
    allowed(keyword::REQUIRES_APPROVAL, Kind::Flag),
    allowed(keyword::DEFER_LOADING, Kind::Flag),
    allowed(keyword::METADATA, Kind::Json),
    allowed(keyword::TOOL_KIND, Kind::TypeOrText),
    allowed(keyword::UNLESS_TOOL_KIND, Kind::TypeOrText),
    allowed(keyword::LENIENT, Kind::Flag),
    allowed(keyword::INLINE, Kind::Flag),
    allowed(keyword::TYPE, Kind::Name),
    allowed(keyword::CRATE, Kind::Module),
    allowed(keyword::DEPS, Kind::Type),
    registration::AGENT,
    registration::ORDER,
];

pub(super) fn parse(ctxt: &Ctxt, tokens: TokenStream, mut function: ItemFn) -> Tool {
    let mut options = Options::empty();
    options.read(ctxt, "`#[tool]`", OPTIONS, tokens);
    let mut doc = Doc::of(&function.attrs);
    let listed = doc.take_arguments();
    let mut signature = parse_signature(ctxt, &mut function.sig);
    for (name, text) in &listed {
        if let Some(parameter) = signature.parameters.iter_mut().find(|parameter| parameter.ident.unraw() == name) {
            parameter.describe(text);
        }
    }
    let ident = &function.sig.ident;
    let description = options.expr(keyword::DESCRIPTION).map(|expr| expr.into_token_stream());
    Tool {
        krate: Krate::new(options.module(keyword::CRATE)),
        ty: options.name(keyword::TYPE).unwrap_or_else(|| ident.clone()),
        name: options.text(keyword::NAME).unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span())),
        description: description.or_else(|| doc.description()),
        contexts: signature.contexts,
        arguments: signature.arguments,
        parameters: signature.parameters,
        listed,
        doc,
        options: tool_options(&options),
        registration: Registration::new(&options),
        variadic: function.sig.variadic.take(),
        repeated: function.attrs.extract_if(.., |attribute| item::is_ours(attribute, keyword::TOOL)).collect(),
        function,
    }
}

struct Parameters {
    contexts: Vec<Context>,
    arguments: Vec<Argument>,
    parameters: Vec<Parameter>,
}

fn parse_signature(ctxt: &Ctxt, signature: &mut Signature) -> Parameters {
    let mut parsed = Parameters { contexts: Vec::new(), arguments: Vec::new(), parameters: Vec::new() };
    for argument in &mut signature.inputs {
        let parameter = match argument {
            FnArg::Typed(parameter) => parameter,
            FnArg::Receiver(receiver) => {
                ctxt.error(receiver, "a tool is a free function: take what it needs from the context's dependencies");
                continue;
            }
        };
        if let Some(context) = Context::take(ctxt, parameter) {
            parsed.arguments.push(Argument::Context(parsed.contexts.len()));
            parsed.contexts.push(context);
        } else if let Some(parameter) = parameter::parse(ctxt, parameter) {
            parsed.arguments.push(Argument::Parameter(parsed.parameters.len()));
            parsed.parameters.push(parameter);
        }
    }
    parsed
}

fn tool_options(options: &Options) -> ToolOptions {
    let flag = |key| options.flag(key).unwrap_or_default();
    let kind = |key| options.text(key).map(KindRef::Id).or_else(|| options.ty(key).map(KindRef::Type));
    let metadata = options.object(keyword::METADATA).map(Metadata::Object);
    ToolOptions {
        prepare: options.function(keyword::PREPARE),
        args_validator: options.function(keyword::ARGS_VALIDATOR),
        retries: options.expr(keyword::RETRIES),
        timeout: options.expr(keyword::TIMEOUT),
        strict: options.flag(keyword::STRICT),
        sequential: flag(keyword::SEQUENTIAL),
        requires_approval: flag(keyword::REQUIRES_APPROVAL),
        defer_loading: flag(keyword::DEFER_LOADING),
        metadata: metadata.or_else(|| options.expr(keyword::METADATA).map(Metadata::Expr)),
        lenient: options.flag(keyword::LENIENT).unwrap_or(true),
        inline: options.key(keyword::INLINE).filter(|_| flag(keyword::INLINE)).cloned(),
        deps: options.ty(keyword::DEPS),
        tool_kind: kind(keyword::TOOL_KIND),
        unless_tool_kind: kind(keyword::UNLESS_TOOL_KIND),
    }
}
