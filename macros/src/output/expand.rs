//! From the model of an enum of outputs to its code. Nothing here can fail: what could is checked before.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::WherePredicate;
use syn::ext::IdentExt as _;

use super::model::{AgentOutput, Field, Shape, Source, Variant};
use crate::{names, ty};

/// What an output tool is called where it is the only one, and with an underscore before the variant's name otherwise.
const DEFAULT_NAME: &str = "final_result";

/// The name of a variant's output tool.
pub(super) fn tool_name(variant: &Variant, several: bool) -> String {
    match &variant.options.name {
        Some(name) => name.value(),
        None if several => format!("{DEFAULT_NAME}_{}", variant.ident.unraw()),
        None => DEFAULT_NAME.to_owned(),
    }
}

pub(super) fn expand(output: &AgentOutput) -> TokenStream {
    let private = output.krate.private();
    let mut spec = quote!(#private::no_output::<Self>());
    for variant in &output.variants {
        let ident = &variant.ident;
        let Shape::Value(ty) = &variant.shape else {
            let tool = tool(output, variant);
            spec.extend(quote!(.or_tool(#tool)));
            continue;
        };
        spec.extend(match variant.source() {
            None => {
                let tool = tool(output, variant);
                quote!(.or_tool(#tool))
            }
            Some(Source::Text) => quote!(.or_text(#private::text::<#ty, Self>(Self::#ident))),
            Some(Source::Image) => quote!(.or_image(#private::file::<#ty, Self>(Self::#ident))),
            Some(Source::File) => quote!(.or_file(#private::file::<#ty, Self>(Self::#ident))),
        });
    }
    for mode in &output.modes {
        spec.extend(if mode.is_native { quote!(.native()) } else { quote!(.prompted()) });
    }
    implementation(output, implied(output), &spec)
}

/// An output that nobody can have, in place of one with mistakes: agents of it have no error of their own.
pub(super) fn inert(output: &AgentOutput) -> TokenStream {
    implementation(output, Vec::new(), &quote!(::core::unreachable!()))
}

fn implementation(output: &AgentOutput, implied: Vec<WherePredicate>, spec: &TokenStream) -> TokenStream {
    let private = output.krate.private();
    let ident = &output.ident;
    let mut generics = output.generics.clone();
    let types: Vec<Ident> = generics.type_params().map(|param| param.ident.clone()).collect();
    let clause = generics.make_where_clause();
    clause
        .predicates
        .extend(types.iter().map(|ty| -> WherePredicate { syn::parse_quote!(#ty: ::core::marker::Send + 'static) }));
    clause.predicates.extend(implied);
    if output.generics.lifetimes().next().is_some() {
        clause.predicates.push(syn::parse_quote!(Self: 'static));
    }
    let (declared, names, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(deprecated)]
        impl #declared #private::AgentOutput for #ident #names #clause {
            fn spec() -> #private::OutputSpec<Self> {
                #spec
            }
        }
    }
}

/// What generic parameters must be for the variants to be outputs at all.
fn implied(output: &AgentOutput) -> Vec<WherePredicate> {
    let private = output.krate.private();
    let types: Vec<Ident> = output.generics.type_params().map(|param| param.ident.clone()).collect();
    let mut predicates = Vec::new();
    for variant in &output.variants {
        match &variant.shape {
            Shape::Value(ty) if ty::mentions(ty, &types) => predicates.push(match variant.source() {
                None => syn::parse_quote!(#ty: #private::OutputValue),
                Some(Source::Text) => syn::parse_quote!(#ty: #private::HoldsText),
                Some(Source::Image | Source::File) => syn::parse_quote!(#ty: #private::HoldsFile),
            }),
            Shape::Fields(fields) => {
                let generic = fields.iter().map(|field| &field.ty).filter(|ty| ty::mentions(ty, &types));
                predicates
                    .extend(generic.map(|ty| -> WherePredicate { syn::parse_quote!(#ty: #private::ToolParameter) }));
            }
            _ => {}
        }
    }
    predicates
}

/// A variant's output tool.
fn tool(output: &AgentOutput, variant: &Variant) -> TokenStream {
    let private = output.krate.private();
    let (ident, options) = (&variant.ident, &variant.options);
    let name = ident.unraw().to_string();
    let mut tool = match &variant.shape {
        Shape::Value(ty) => quote!(#private::value::<#ty, Self>(#name, Self::#ident)),
        Shape::Fields(fields) => {
            let (spec, read) = (fields_spec(output, fields), fields_read(output, ident, fields));
            quote!(#private::fields::<Self>(#name, #spec, #read))
        }
        Shape::Values(_) => quote!(::core::unreachable!()),
    };
    if let Some(name) = &options.name {
        tool.extend(quote!(.named(#name)));
    }
    if let Some(description) = &options.description {
        tool.extend(quote!(.with_description(#description)));
    }
    if let Some(strict) = options.strict {
        tool.extend(quote!(.with_strict(#strict)));
    }
    if let Some(retries) = &options.retries {
        tool.extend(quote!(.with_retries(#retries)));
    }
    tool
}

/// What a variant's fields say of themselves. One alone stays a property, whatever it is.
fn fields_spec(output: &AgentOutput, fields: &[Field]) -> TokenStream {
    let private = output.krate.private();
    let mut spec = quote!(#private::ToolSpec::<()>::new(#DEFAULT_NAME));
    for field in fields {
        let (property, ty) = (field.ident.unraw().to_string(), &field.ty);
        let description = field.description.as_ref().map(|text| quote!(.description(#text)));
        spec.extend(quote!(.param(#private::parameter::<#ty>(#property).spec() #description .nested())));
    }
    spec
}

/// Reads every field before the first `?`: the model is told all that is wrong.
fn fields_read(output: &AgentOutput, variant: &Ident, fields: &[Field]) -> TokenStream {
    let private = output.krate.private();
    let reader = if fields.is_empty() { quote!(_) } else { names::value("reader").into_token_stream() };
    let variables: Vec<_> = (0..fields.len()).map(names::value).collect();
    let reads = fields.iter().zip(&variables).map(|(field, variable)| {
        let (property, ty) = (field.ident.unraw().to_string(), &field.ty);
        quote!(let #variable = #private::parameter::<#ty>(#property).read(#reader);)
    });
    let idents = fields.iter().map(|field| &field.ident);
    quote! {
        |#reader| {
            #(#reads)*
            ::core::option::Option::Some(Self::#variant { #(#idents: #variables?),* })
        }
    }
}
