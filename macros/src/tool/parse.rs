//! From an annotated function to the model of a tool.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{FnArg, Generics, ItemFn, LitStr, Receiver, Signature};

use super::model::{Argument, KindRef, Metadata, Method, Parameter, Tool, ToolOptions};
use super::parameter;
use crate::context::Context;
use crate::ctxt::Ctxt;
use crate::doc::Doc;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};
use crate::registration::{self, Registration};
use crate::{item, keyword, names};

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
    allowed(keyword::UNLESS_NATIVE, Kind::TextExpr),
    allowed(keyword::LENIENT, Kind::Flag),
    allowed(keyword::INLINE, Kind::Flag),
    allowed(keyword::TYPE, Kind::Name),
    allowed(keyword::CRATE, Kind::Module),
    allowed(keyword::DEPS, Kind::Type),
    registration::AGENT,
    registration::ORDER,
];

/// Where the options say that the runtime crate is; what is wrong with them is told when they are read for good.
pub(super) fn krate(tokens: &TokenStream) -> Krate {
    let ctxt = Ctxt::new();
    let options = read_options(&ctxt, tokens.clone());
    drop(ctxt.check());
    Krate::new(options.module(keyword::CRATE))
}

/// A free function.
pub(super) fn parse(ctxt: &Ctxt, tokens: TokenStream, mut function: ItemFn) -> Tool {
    let options = read_options(ctxt, tokens);
    let mut signature = parse_signature(ctxt, &mut function.sig);
    if let Some(receiver) = signature.receivers.pop() {
        ctxt.error(
            receiver,
            "a method is a tool where its `impl` block has `#[toolset]`, which has to see it: add that there; a macro inside \
             the block hides it, so let the macro make the whole block",
        );
    }
    let ty = options.name(keyword::TYPE).unwrap_or_else(|| function.sig.ident.clone());
    model(Krate::new(options.module(keyword::CRATE)), &options, function, signature, ty, None)
}

/// A function of an `impl` block, which has these generics.
pub(crate) fn parse_method(
    ctxt: &Ctxt,
    krate: &Krate,
    generics: &Generics,
    tokens: TokenStream,
    mut function: ItemFn,
) -> Tool {
    let options = read_options(ctxt, tokens);
    let mut signature = parse_signature(ctxt, &mut function.sig);
    let misplaced =
        [keyword::TYPE, keyword::CRATE, keyword::AGENT].into_iter().filter_map(|key| options.key(key).cloned());
    let method =
        Method { generics: generics.clone(), receiver: signature.receivers.pop(), misplaced: misplaced.collect() };
    let ty = names::ty(format_args!("Tool_{}", function.sig.ident.unraw()));
    model(krate.clone(), &options, function, signature, ty, Some(method))
}

fn read_options(ctxt: &Ctxt, tokens: TokenStream) -> Options {
    let mut options = Options::empty();
    options.read(ctxt, "`#[tool]`", OPTIONS, tokens);
    options
}

fn model(
    krate: Krate,
    options: &Options,
    mut function: ItemFn,
    mut signature: Parameters,
    ty: Ident,
    method: Option<Method>,
) -> Tool {
    let mut doc = Doc::of(&function.attrs);
    let listed = doc.take_arguments();
    for (name, text) in &listed {
        if let Some(parameter) = signature.parameters.iter_mut().find(|parameter| parameter.ident.unraw() == name) {
            parameter.describe(text);
        }
    }
    let ident = &function.sig.ident;
    let description = options.expr(keyword::DESCRIPTION).map(|expr| expr.into_token_stream());
    Tool {
        krate,
        method,
        ty,
        name: options.text(keyword::NAME).unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span())),
        description: description.or_else(|| doc.description()),
        contexts: signature.contexts,
        arguments: signature.arguments,
        parameters: signature.parameters,
        listed,
        doc,
        options: tool_options(options),
        registration: Registration::new(options),
        variadic: function.sig.variadic.take(),
        repeated: function.attrs.extract_if(.., |attribute| item::is_ours(attribute, keyword::TOOL)).collect(),
        function,
    }
}

struct Parameters {
    receivers: Vec<Receiver>,
    contexts: Vec<Context>,
    arguments: Vec<Argument>,
    parameters: Vec<Parameter>,
}

fn parse_signature(ctxt: &Ctxt, signature: &mut Signature) -> Parameters {
    let mut parsed =
        Parameters { receivers: Vec::new(), contexts: Vec::new(), arguments: Vec::new(), parameters: Vec::new() };
    for argument in &mut signature.inputs {
        let parameter = match argument {
            FnArg::Typed(parameter) => parameter,
            FnArg::Receiver(receiver) => {
                parsed.receivers.push(receiver.clone());
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
        unless_native: options.expr(keyword::UNLESS_NATIVE),
    }
}
