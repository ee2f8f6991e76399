//! From the model of a hook to its code: the function, checks that name what does not fit, and its registration.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ReturnType;

use super::model::Hook;
use crate::{item, names, ty};

/// Functions of the runtime that the compiler holds the parts of a signature against.
pub(crate) struct Checks {
    /// What the parameter besides the context has to be, if there is one.
    pub(crate) taken: Option<&'static str>,
    /// What the returned type has to be.
    pub(crate) returned: &'static str,
    /// What the function has to be, if it is `async`.
    pub(crate) future: &'static str,
}

pub(super) fn expand(hook: &Hook, checks: &Checks) -> TokenStream {
    let function = &hook.function;
    let cfgs = item::cfgs(&function.attrs);
    let (check, registration) = (check(hook, checks), registration(hook));
    quote! {
        #function
        #(#cfgs)*
        const _: () = { #check #registration };
    }
}

/// One check for each part of the signature, so that each has an error of its own.
fn check(hook: &Hook, checks: &Checks) -> TokenStream {
    let private = hook.krate.private();
    let signature = &hook.function.sig;
    let (generics, clause) = (&signature.generics, &signature.generics.where_clause);
    let check = names::value("check");
    let named = |name: &str| Ident::new(name, Span::call_site());
    let context = hook.contexts.first().map(|context| {
        let deps = context.deps(&hook.krate);
        quote!(let _ = #private::deps::<#deps>;)
    });
    let taken = hook.others.first().zip(checks.taken).map(|(parameter, taken)| {
        let (ty, taken) = (&parameter.ty, named(taken));
        quote!(let _ = #private::#taken::<#ty>;)
    });
    let future = signature.asyncness.map(|_| {
        let (function, future) = (&signature.ident, named(checks.future));
        let private = hook.krate.private_at(function.span());
        quote_spanned!(function.span()=> #private::#future(#function);)
    });
    let returned = match &signature.output {
        ReturnType::Type(_, output) if ty::impl_trait(output).is_none() => {
            let returned = named(checks.returned);
            quote!(let _ = #private::#returned::<#output>;)
        }
        _ => quote!(),
    };
    quote! {
        #[allow(dead_code, clippy::extra_unused_lifetimes)]
        fn #check #generics() #clause {
            #context
            #taken
            #returned
            #future
        }
    }
}

fn registration(hook: &Hook) -> TokenStream {
    let function = &hook.function.sig.ident;
    let deps = hook.contexts.first().map(|context| context.deps(&hook.krate));
    let method = Ident::new(hook.attribute.method, function.span());
    hook.registration.expand(&hook.krate, function, deps.as_ref(), (quote!(#function), &method))
}
