//! How the parameters of a tool are read, and what that needs beside it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Expr, ExprLit, Lit};

use super::generics::ToolGenerics;
use super::model::{DefaultValue, Parameter, Tool};
use crate::names;

/// Reads every parameter before the first `?`: the model is told all that is wrong.
pub(super) fn read(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let private = tool.krate.private();
    let reader = names::value("reader");
    let variables: Vec<_> = (0..tool.parameters.len()).map(names::value).collect();
    let reads = tool.parameters.iter().enumerate().map(|(index, parameter)| {
        let (property, ty, variable) = (&parameter.property, read_type(index, parameter), &variables[index]);
        let wrapped = !parameter.passed_on.is_empty();
        let read = if parameter.default.is_some() {
            let default = default_path(tool, generics, index);
            let mut default = quote!(#default());
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
pub(super) fn read_type(index: usize, parameter: &Parameter) -> TokenStream {
    if parameter.passed_on.is_empty() {
        parameter.ty.to_token_stream()
    } else {
        names::ty(format_args!("Parameter{index}")).into_token_stream()
    }
}

/// Types that carry attributes for serde and schemars.
pub(super) fn wrappers(tool: &Tool) -> TokenStream {
    tool.parameters.iter().enumerate().filter_map(|(index, parameter)| wrapper(tool, index, parameter)).collect()
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

/// The functions that give default values: beside a function, and in an `impl` block of a method's type.
pub(super) fn defaults(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let functions = tool.parameters.iter().enumerate().filter_map(|(index, parameter)| {
        let (name, ty, value) = (default_name(tool, index), &parameter.ty, default_value(parameter)?);
        let ToolGenerics { declared, predicates, .. } = generics;
        Some(match &tool.method {
            None => quote!(fn #name<#declared>() -> #ty where #(#predicates,)* { #value }),
            Some(_) => quote!(fn #name() -> #ty { #value }),
        })
    });
    functions.collect()
}

fn default_value(parameter: &Parameter) -> Option<TokenStream> {
    Some(match parameter.default.as_ref()? {
        DefaultValue::OfType => quote_spanned!(parameter.span()=> ::core::default::Default::default()),
        // A string may stand for whatever can be made of one, as everywhere else in the attributes.
        DefaultValue::Expr(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
            quote_spanned!(text.span()=> ::core::convert::Into::into(#text))
        }
        DefaultValue::Expr(expr) => expr.to_token_stream(),
    })
}

/// The function that gives a default value, without its call.
pub(super) fn default_path(tool: &Tool, generics: &ToolGenerics, index: usize) -> TokenStream {
    let (name, names) = (default_name(tool, index), &generics.names);
    match &tool.method {
        None => quote!(#name::<#names>),
        Some(_) => quote!(Self::#name),
    }
}

fn default_name(tool: &Tool, index: usize) -> Ident {
    match &tool.method {
        None => names::value(format_args!("default_{index}")),
        Some(_) => names::value(format_args!("{}_default_{index}", tool.function.sig.ident.unraw())),
    }
}
