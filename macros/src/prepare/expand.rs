//! From the model of a hook to its code: the function, and checks that name what does not fit.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ReturnType;

use super::model::Hook;
use crate::{item, names, ty};

pub(super) fn expand(hook: &Hook) -> TokenStream {
    let function = &hook.function;
    let cfgs = item::cfgs(&function.attrs);
    let check = check(hook);
    quote! {
        #function
        #(#cfgs)*
        const _: () = { #check };
    }
}

/// One check for each part of the signature, so that each has an error of its own.
fn check(hook: &Hook) -> TokenStream {
    let private = hook.krate.private();
    let signature = &hook.function.sig;
    let (generics, clause) = (&signature.generics, &signature.generics.where_clause);
    let check = names::value("check");
    let context = hook.contexts.first().map(|context| {
        let deps = context.deps(&hook.krate);
        quote!(let _ = #private::deps::<#deps>;)
    });
    let list = hook.others.first().map(|list| {
        let ty = &list.ty;
        quote!(let _ = #private::tool_list::<#ty>;)
    });
    let future = signature.asyncness.map(|_| {
        let function = &signature.ident;
        let private = hook.krate.private_at(function.span());
        quote_spanned!(function.span()=> #private::prepare_future(#function);)
    });
    let returned = match &signature.output {
        ReturnType::Type(_, output) if ty::impl_trait(output).is_none() => {
            quote!(let _ = #private::prepared_list::<#output>;)
        }
        _ => quote!(),
    };
    quote! {
        #[allow(dead_code, clippy::extra_unused_lifetimes)]
        fn #check #generics() #clause {
            #context
            #list
            #returned
            #future
        }
    }
}
