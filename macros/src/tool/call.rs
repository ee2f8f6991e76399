//! The call of a tool's function: with what was read, once that was looked at.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ReturnType;
use syn::spanned::Spanned as _;

use super::generics::ToolGenerics;
use super::method::is_by_reference;
use super::model::{Argument, Tool};
use super::{kind, strict};
use crate::{names, place};

/// Looks at the arguments, if there is a validator.
pub(super) fn check(tool: &Tool, deps: &TokenStream) -> Option<TokenStream> {
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
pub(super) fn call(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let private = tool.krate.private();
    let (ctx, args) = (names::value("ctx"), names::value("args"));
    let variables: Vec<_> = (0..tool.parameters.len()).map(names::value).collect();
    let arguments = tool.arguments.iter().map(|argument| match argument {
        Argument::Context(index) => tool.contexts[*index].passed(&tool.krate, &ctx),
        Argument::Parameter(index) => variables[*index].to_token_stream(),
    });
    let (function, target) = (&tool.function.sig.ident, target(tool, generics));
    let receiver = receiver(tool).into_iter();
    let span = returned_span(tool);
    let called = place::at(span, quote!(#target(#(#receiver,)* #(#arguments),*)));
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
            None => match tool.contexts.first() {
                Some(context) => {
                    // Dependencies that cannot go to a thread have their error where they are written.
                    let mut taken = ctx.clone();
                    taken.set_span(ctx.span().located_at(context.parameter.ty.span()));
                    quote!(#private::blocking_with(#args, #taken, move |#parameters, #ctx| #finished))
                }
                None => quote!(#private::blocking(#args, move |#parameters| #finished)),
            },
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

/// The function by its path.
fn target(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let (function, names) = (&tool.function.sig.ident, &generics.names);
    match &tool.method {
        Some(_) => quote!(Self::#function),
        None if names.is_empty() => function.to_token_stream(),
        None => quote!(#function::<#names>),
    }
}

/// What a method is called on: a reference to the pointer is one to the value, too.
fn receiver(tool: &Tool) -> Option<TokenStream> {
    let name = names::value("receiver");
    let by_reference = is_by_reference(tool.receiver()?).then(|| quote!(&));
    Some(quote!(#by_reference #name))
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
