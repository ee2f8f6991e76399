//! From the model of a tool to its code. Nothing here can fail: what could is checked before.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit, ReturnType};

use super::generics::ToolGenerics;
use super::model::{Argument, DefaultValue, KindRef, Metadata, Parameter, Tool};
use super::{kind, strict};
use crate::{item, names, place};

/// The function, the type beside it, and what makes that type a tool.
pub(super) fn expand(tool: &Tool) -> TokenStream {
    let generics = ToolGenerics::new(tool);
    let function = &tool.function;
    let declaration = declaration(tool, &generics);
    let cfgs = item::cfgs(&function.attrs);
    let wrappers = tool.parameters.iter().enumerate().map(|(index, parameter)| wrapper(tool, index, parameter));
    let defaults = tool.parameters.iter().enumerate().map(|(index, parameter)| default_fn(&generics, index, parameter));
    let implementation = implementation(tool, &generics);
    quote! {
        #function
        #declaration
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #(#wrappers)*
            #(#defaults)*
            #implementation
        };
    }
}

/// A tool that does nothing, in place of one with mistakes: lists that name it have no error of their own.
pub(super) fn inert(tool: &Tool) -> TokenStream {
    if tool.function.sig.receiver().is_some() {
        // A method's surroundings have no room for a type.
        return quote!();
    }
    let generics = ToolGenerics::new(tool);
    let declaration = declaration(tool, &generics);
    let private = tool.krate.private();
    let (ty, cfgs, deps) = (&tool.ty, item::cfgs(&tool.function.attrs), names::any_deps());
    let ToolGenerics { declared, names, .. } = &generics;
    quote! {
        #declaration
        #(#cfgs)*
        impl<#deps: 'static, #declared> #private::TypedTool<#deps> for #ty<#names> where Self: 'static {
            fn spec() -> #private::ToolSpec<#deps> {
                ::core::unreachable!()
            }
            fn read(_: &mut #private::ArgsReader<'_>) -> ::core::option::Option<#private::AnyArgs> {
                ::core::option::Option::None
            }
            fn call(_: #private::RunContext<#deps>, _: #private::AnyArgs) -> #private::Running {
                ::core::unreachable!()
            }
        }
    }
}

fn declaration(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let (ty, vis, cfgs) = (&tool.ty, &tool.function.vis, item::cfgs(&tool.function.attrs));
    let ToolGenerics { declared, fields, .. } = generics;
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #ty<#declared> { #fields }
    }
}

fn implementation(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let private = tool.krate.private();
    let ty = &tool.ty;
    let ToolGenerics { declared, names, predicates, .. } = generics;
    let (deps, any_deps) = deps(tool);
    let spec = spec(tool, generics, &deps);
    let read = read(tool, generics);
    let check = check(tool, &deps);
    let call = call(tool, generics);
    let (reader, ctx, args) = (names::value("reader"), context_name(tool), names::value("args"));
    let reader = if tool.parameters.is_empty() { quote!(_) } else { quote!(#reader) };
    let name = &tool.name;
    quote! {
        impl<#declared> #private::NamedTool for #ty<#names>
        where
            #(#predicates,)*
        {
            const NAME: &'static str = #name;
        }
        impl<#any_deps #declared> #private::TypedTool<#deps> for #ty<#names>
        where
            #(#predicates,)*
        {
            fn spec() -> #private::ToolSpec<#deps> {
                #spec
            }
            fn read(#reader: &mut #private::ArgsReader<'_>) -> ::core::option::Option<#private::AnyArgs> {
                #read
            }
            #check
            fn call(#ctx: #private::RunContext<#deps>, #args: #private::AnyArgs) -> #private::Running {
                #call
            }
        }
    }
}

/// The dependencies, and the parameter that stands for all of them where the tool needs none.
fn deps(tool: &Tool) -> (TokenStream, Option<TokenStream>) {
    if let Some(context) = tool.contexts.first() {
        return (context.deps(&tool.krate), None);
    }
    if let Some(deps) = &tool.options.deps {
        return (deps.to_token_stream(), None);
    }
    let deps = names::any_deps();
    (quote!(#deps), Some(quote!(#deps: 'static,)))
}

fn context_name(tool: &Tool) -> TokenStream {
    if tool.contexts.is_empty() { quote!(_) } else { names::value("ctx").into_token_stream() }
}

/// What the tool says of itself.
fn spec(tool: &Tool, generics: &ToolGenerics, deps: &TokenStream) -> TokenStream {
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
        let default = default_call(generics, index);
        spec = quote!({
            #[allow(unused_imports)]
            use #private::HiddenDefault as _;
            #private::DefaultValue(&#default).on(#spec)
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

/// Reads every parameter before the first `?`: the model is told all that is wrong.
fn read(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let private = tool.krate.private();
    let reader = names::value("reader");
    let variables: Vec<_> = (0..tool.parameters.len()).map(names::value).collect();
    let reads = tool.parameters.iter().enumerate().map(|(index, parameter)| {
        let (property, ty, variable) = (&parameter.property, read_type(index, parameter), &variables[index]);
        let wrapped = !parameter.passed_on.is_empty();
        let read = if parameter.default.is_some() {
            let mut default = default_call(generics, index);
            if wrapped {
                default = quote!(#ty(#default));
            }
            quote!(read_or(#reader, || #default))
        } else {
            quote!(read(#reader))
        };
        quote!(let #variable = #private::parameter::<#ty>(#property).#read;)
    });
    let values = tool.parameters.iter().zip(&variables).map(|(parameter, variable)| {
        let inner = (!parameter.passed_on.is_empty()).then(|| quote!(.0));
        quote!(#variable? #inner)
    });
    quote! {
        #(#reads)*
        ::core::option::Option::Some(#private::hide((#(#values,)*)))
    }
}

/// The type that is read and described: the parameter's own, or a wrapper with attributes for serde and schemars.
fn read_type(index: usize, parameter: &Parameter) -> TokenStream {
    if parameter.passed_on.is_empty() {
        parameter.ty.to_token_stream()
    } else {
        names::ty(format_args!("Parameter{index}")).into_token_stream()
    }
}

fn wrapper(tool: &Tool, index: usize, parameter: &Parameter) -> Option<TokenStream> {
    if parameter.passed_on.is_empty() {
        return None;
    }
    let private = tool.krate.private();
    let serde = quote!(#private::serde).to_string();
    let schemars = quote!(#private::schemars).to_string();
    let (wrapper, attributes, ty) = (read_type(index, parameter), &parameter.passed_on, &parameter.ty);
    // Transparent: a wrapped `Option` can be made of nothing, as an `Option` can.
    Some(quote! {
        // schemars calls `into` as a method.
        #[allow(unused_imports)]
        use ::core::convert::Into as _;
        #[derive(#private::serde::Deserialize, #private::schemars::JsonSchema)]
        #[serde(crate = #serde, transparent)]
        #[schemars(crate = #schemars, inline)]
        struct #wrapper(#(#attributes)* #ty);
    })
}

fn default_fn(generics: &ToolGenerics, index: usize, parameter: &Parameter) -> Option<TokenStream> {
    let value = match parameter.default.as_ref()? {
        DefaultValue::OfType => quote_spanned!(parameter.span()=> ::core::default::Default::default()),
        // A string may stand for whatever can be made of one, as everywhere else in the attributes.
        DefaultValue::Expr(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
            quote_spanned!(text.span()=> ::core::convert::Into::into(#text))
        }
        DefaultValue::Expr(expr) => expr.to_token_stream(),
    };
    let (name, ty) = (names::value(format_args!("default_{index}")), &parameter.ty);
    let ToolGenerics { declared, predicates, .. } = generics;
    Some(quote! {
        fn #name<#declared>() -> #ty where #(#predicates,)* { #value }
    })
}

fn default_call(generics: &ToolGenerics, index: usize) -> TokenStream {
    let (name, names) = (names::value(format_args!("default_{index}")), &generics.names);
    quote!(#name::<#names>())
}

fn check(tool: &Tool, deps: &TokenStream) -> Option<TokenStream> {
    let validator = tool.options.args_validator.as_ref()?;
    let private = tool.krate.private();
    let (ctx, args, types) = (names::value("ctx"), names::value("args"), types(tool));
    Some(quote! {
        fn check(
            #ctx: &#private::RunContext<#deps>,
            #args: &(dyn ::core::any::Any + ::core::marker::Send),
        ) -> #private::Later<::core::result::Result<(), #private::BoxError>> {
            #private::check::<#deps, #types, _>(#validator, #ctx, #args)
        }
    })
}

/// Calls the function: in the run's task, or on a thread of its own.
fn call(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let private = tool.krate.private();
    let (ctx, args) = (names::value("ctx"), names::value("args"));
    let variables: Vec<_> = (0..tool.parameters.len()).map(names::value).collect();
    let arguments = tool.arguments.iter().map(|argument| match argument {
        Argument::Context(index) => tool.contexts[*index].passed(&tool.krate, &ctx),
        Argument::Parameter(index) => variables[*index].to_token_stream(),
    });
    let (function, names) = (&tool.function.sig.ident, &generics.names);
    let turbofish = (!names.is_empty()).then(|| quote!(::<#names>));
    let span = returned_span(tool);
    let called = place::at(span, quote!(#function #turbofish(#(#arguments),*)));
    let parameters = {
        let types = types(tool);
        quote!((#(#variables,)*): #types)
    };
    let run = if tool.asyncness().is_some() {
        let finished = finished(tool, &quote_spanned!(span=> #called.await));
        // A future that cannot be sent is the function's.
        let private = tool.krate.private_at(function.span());
        quote_spanned!(function.span()=> #private::future(#args, |#parameters| async move { #finished }))
    } else {
        let finished = finished(tool, &called);
        match tool.options.inline {
            Some(_) => quote!(#private::inline(#args, |#parameters| #finished)),
            None => quote!(#private::blocking(#args, move |#parameters| #finished)),
        }
    };
    let kind = kind::check(tool);
    let strict = strict::check(tool);
    quote! {
        #[allow(unused_imports)]
        use #private::{FinishPlain as _, SplitPlain as _};
        #kind
        #strict
        #run
    }
}

/// The parameters' types, as the tuple in which they are kept.
fn types(tool: &Tool) -> TokenStream {
    let types = tool.parameters.iter().map(|parameter| &parameter.ty);
    quote!((#(#types,)*))
}

/// What the function returned, as a result; errors about its type are at its type.
fn finished(tool: &Tool, returned: &TokenStream) -> TokenStream {
    let span = returned_span(tool);
    let private = tool.krate.private_at(span);
    let mut value = names::value("value");
    value.set_span(span);
    let split = quote_spanned!(span=> #private::Returned(#returned).split());
    let of_kind = kind::check_returned(tool);
    let finish = quote_spanned!(span=> #of_kind.finish());
    quote!(#split.and_then(|#value| #value #finish))
}

pub(super) fn returned_span(tool: &Tool) -> Span {
    match &tool.function.sig.output {
        ReturnType::Default => Span::call_site(),
        ReturnType::Type(_, ty) => ty.span(),
    }
}
