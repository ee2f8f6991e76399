//! What a tool cannot be, with the way out.

use std::collections::HashSet;

use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::{Expr, Lit, Safety, Type};

use super::PLACE;
use super::model::{KindRef, Parameter, Tool};
use crate::context;
use crate::ctxt::Ctxt;
use crate::kind::id;
use crate::nearest::nearest;
use crate::number::literal;
use crate::ty;

/// How many parameters an argument validator can look at.
const VALIDATED: usize = 12;

pub(super) fn validate(ctxt: &Ctxt, tool: &Tool) {
    check_function(ctxt, tool);
    check_names(ctxt, tool);
    check_listed(ctxt, tool);
    check_options(ctxt, tool);
    context::only_one(ctxt, &tool.contexts);
    tool.registration.validate(ctxt, PLACE, &tool.function.sig);
    let type_names = super::generics::type_names(&tool.function.sig.generics);
    for parameter in &tool.parameters {
        check_type(ctxt, parameter);
        if let Some(attribute) = parameter.passed_on.first()
            && ty::mentions(&parameter.ty, &type_names)
        {
            ctxt.error(attribute, "attributes for serde and schemars need a parameter whose type is not generic");
        }
    }
}

fn check_function(ctxt: &Ctxt, tool: &Tool) {
    let signature = &tool.function.sig;
    let refuse = |tokens: &dyn ToTokens, what: &str, instead: &str| {
        ctxt.error(tokens.to_token_stream(), format!("{what} cannot be a tool; {instead}"));
    };
    if let Some(constness) = &signature.constness {
        refuse(constness, "a `const fn`", "remove `const`");
    }
    if let Safety::Unsafe(unsafety) = &signature.safety {
        refuse(unsafety, "an `unsafe fn`", "give the model a safe function that wraps it");
    }
    if let Some(abi) = &signature.abi {
        refuse(abi, "an `extern fn`", "remove `extern`");
    }
    if let Some(variadic) = &tool.variadic {
        refuse(variadic, "a variadic function", "take a `Vec`");
    }
    for second in &tool.repeated {
        ctxt.error(second, format!("`{PLACE}` was given twice; remove one"));
    }
}

fn check_names(ctxt: &Ctxt, tool: &Tool) {
    if tool.name.value().is_empty() {
        ctxt.error(&tool.name, "a tool needs a name; remove `name` to use the function's");
    }
    let mut seen = HashSet::new();
    for parameter in &tool.parameters {
        let property = parameter.property.value();
        if property.is_empty() {
            ctxt.error(&parameter.property, "a parameter needs a name; remove `rename` to use its own");
        } else if !seen.insert(property.clone()) {
            ctxt.error(&parameter.property, format!("two parameters are called `{property}`; rename one"));
        }
    }
}

/// A description that reaches nobody is a name misspelt, or one that has changed.
fn check_listed(ctxt: &Ctxt, tool: &Tool) {
    let names = || tool.parameters.iter().map(|parameter| parameter.ident.unraw().to_string());
    let contexts = || tool.contexts.iter().map(|context| context.parameter.pat.to_token_stream().to_string());
    for (listed, _) in &tool.listed {
        if names().chain(contexts()).any(|name| name == *listed) {
            continue;
        }
        let names: Vec<String> = names().collect();
        let hint = match nearest(listed, names.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "rename it in the list, or remove it".to_owned(),
        };
        ctxt.error(tool.doc.first(), format!("the list of arguments names `{listed}`, which is no parameter; {hint}"));
    }
}

fn check_type(ctxt: &Ctxt, parameter: &Parameter) {
    if let Some(ty) = ty::impl_trait(&parameter.ty) {
        ctxt.error(ty, "the model needs to know the type: name one, instead of `impl`");
    } else if let Some(reference) = ty::reference(&parameter.ty) {
        let owned = ty::owned(&reference);
        let mut message = format!("a tool's parameter cannot be borrowed: take `{owned}`");
        if ty::referent(&parameter.ty).1.is_some() && owned != "String" && !owned.starts_with("Vec<") {
            message.push_str(", or mark it `#[ctx]` if it is the run's context");
        }
        ctxt.error(reference, message);
    }
}

fn check_options(ctxt: &Ctxt, tool: &Tool) {
    let options = &tool.options;
    if let Some(inline) = &options.inline
        && tool.asyncness().is_some()
    {
        ctxt.error(inline, "`inline` is for functions that are not `async`; an `async fn` needs no thread anyway");
    }
    if let Some(retries) = &options.retries {
        check_retries(ctxt, retries);
    }
    if let Some(timeout) = &options.timeout {
        check_timeout(ctxt, timeout);
    }
    for kind in options.tool_kind.iter().chain(&options.unless_tool_kind) {
        check_kind(ctxt, kind);
    }
    if let Some(deps) = &options.deps
        && !tool.contexts.is_empty()
    {
        ctxt.error(deps, "the context says what the dependencies are; remove `deps`");
    }
    if let Some(validator) = &options.args_validator
        && tool.parameters.len() > VALIDATED
    {
        ctxt.error(validator, format!("an argument validator can look at {VALIDATED} parameters; take a struct"));
    }
}

fn check_kind(ctxt: &Ctxt, kind: &KindRef) {
    match kind {
        KindRef::Id(id) => {
            if let Some(fault) = id::fault_of_name(&id.value()) {
                ctxt.error(id, fault);
            }
        }
        KindRef::Type(ty) => {
            if !matches!(ty::bare(ty), Type::Path(_)) {
                ctxt.error(ty, "a kind is the type that `#[tool_kind]` is on: `tool_kind = Lookup`");
            }
        }
    }
}

fn check_retries(ctxt: &Ctxt, retries: &Expr) {
    let message = match literal(retries) {
        Some((true, Lit::Int(_) | Lit::Float(_))) => "`retries` cannot be negative; 0 is none",
        Some((false, Lit::Int(number))) if number.base10_parse::<u32>().is_err() => {
            "`retries` is too large; it is a `u32`"
        }
        None | Some((false, Lit::Int(_))) => return,
        Some(_) => "`retries` is a whole number: `retries = 3`",
    };
    ctxt.error(retries, message);
}

fn check_timeout(ctxt: &Ctxt, timeout: &Expr) {
    let message = match literal(timeout) {
        None => return,
        Some((negative, lit @ (Lit::Int(_) | Lit::Float(_)))) => match super::spec::seconds(lit) {
            Some(seconds) if !negative && seconds > 0.0 => return,
            Some(_) => "`timeout` must be more than 0 seconds",
            None => "`timeout` is too long",
        },
        Some(_) => "`timeout` is a number of seconds or a `Duration`: `timeout = 30`",
    };
    ctxt.error(timeout, message);
}
