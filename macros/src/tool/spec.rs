//! What a tool says of itself, as code.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Expr, ExprLit, Lit};

use super::generics::ToolGenerics;
use super::model::{KindRef, Metadata, Parameter, Tool};
use super::reading::{default_path, read_type};

/// What the tool says of itself.
pub(super) fn spec(tool: &Tool, generics: &ToolGenerics, deps: &TokenStream) -> TokenStream {
    let private = tool.krate.private();
    let (name, options) = (&tool.name, &tool.options);
    // With the dependencies named, it is `prepare` that does not fit, and not its tool.
    let mut spec = quote!(#private::ToolSpec::<#deps>::new(#name));
    if let Some(description) = &tool.description {
        spec.extend(quote!(.description(#description)));
    }
    for (index, parameter) in tool.parameters.iter().enumerate() {
        let param = param_spec(tool, generics, index, parameter);
        spec.extend(quote!(.param(#param)));
    }
    if let Some(prepare) = &options.prepare {
        spec.extend(quote!(.prepare(#prepare)));
    }
    if let Some(retries) = &options.retries {
        spec.extend(quote!(.retries(#retries)));
    }
    if let Some(timeout) = &options.timeout {
        let timeout = duration(timeout);
        spec.extend(quote!(.timeout(#timeout)));
    }
    if let Some(strict) = options.strict {
        spec.extend(quote!(.strict(#strict)));
    }
    if options.sequential {
        spec.extend(quote!(.sequential()));
    }
    if options.requires_approval {
        spec.extend(quote!(.requires_approval()));
    }
    if options.defer_loading {
        spec.extend(quote!(.defer_loading()));
    }
    match &options.metadata {
        Some(Metadata::Expr(metadata)) => spec.extend(quote!(.metadata(#metadata))),
        // `json!` calls `into` as a method.
        Some(Metadata::Object(object)) => spec.extend(quote!(.metadata({
            #[allow(unused_imports)]
            use ::core::convert::Into as _;
            #private::serde_json::json!(#object)
        }))),
        None => {}
    }
    match &options.unless_tool_kind {
        Some(KindRef::Type(kind)) => spec.extend(quote!(.unless_tool_kind::<#kind>())),
        Some(KindRef::Id(id)) => spec.extend(quote!(.unless_tool_kind_id(#id))),
        None => {}
    }
    if let Some(kind) = &options.unless_native {
        spec.extend(quote!(.unless_native(#kind)));
    }
    if !options.lenient {
        spec.extend(quote!(.strictly_typed()));
    }
    match &options.tool_kind {
        Some(KindRef::Type(kind)) => quote!({
            #[allow(unused_imports)]
            use #private::NoKind as _;
            #private::KindOf::<#kind>::new().on(#spec)
        }),
        Some(KindRef::Id(id)) => quote!(#spec.tool_kind_id(#id)),
        None => spec,
    }
}

fn param_spec(tool: &Tool, generics: &ToolGenerics, index: usize, parameter: &Parameter) -> TokenStream {
    let private = tool.krate.private();
    let (property, ty) = (&parameter.property, read_type(index, parameter));
    let mut spec = quote!(#private::parameter::<#ty>(#property).spec());
    if let Some(description) = &parameter.description {
        spec.extend(quote!(.description(#description)));
    }
    if parameter.nested {
        spec.extend(quote!(.nested()));
    }
    if parameter.default.is_some() {
        let default = default_path(tool, generics, index);
        spec = quote!({
            #[allow(unused_imports)]
            use #private::HiddenDefault as _;
            #private::DefaultValue(&#default()).on(#spec)
        });
    }
    spec
}

/// A number is seconds; anything else is a `Duration` already.
fn duration(timeout: &Expr) -> TokenStream {
    match timeout {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => {
            let digits: TokenStream = number.base10_digits().parse().unwrap_or_else(|_| number.to_token_stream());
            quote!(::core::time::Duration::from_secs(#digits))
        }
        Expr::Lit(ExprLit { lit: Lit::Float(number), .. }) => {
            let digits: TokenStream = number.base10_digits().parse().unwrap_or_else(|_| number.to_token_stream());
            quote!(::core::time::Duration::from_secs_f64(#digits))
        }
        Expr::Group(group) => duration(&group.expr),
        other => other.to_token_stream(),
    }
}

/// How many seconds a number literal is, if a `Duration` can be so long.
pub(super) fn seconds(lit: &Lit) -> Option<f64> {
    let seconds = match lit {
        Lit::Int(number) => number.base10_parse::<u64>().ok().map(std::time::Duration::from_secs)?.as_secs_f64(),
        Lit::Float(number) => number.base10_parse().ok()?,
        _ => return None,
    };
    std::time::Duration::try_from_secs_f64(seconds).ok().map(|_| seconds).or((seconds < 0.0).then_some(seconds))
}
