//! From the model of a hook to its code: the function, checks that name what does not fit, and its registration.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{GenericParam, ReturnType, Type};

use super::model::Hook;
use crate::registration::Registered;
use crate::{item, names, ty};

/// Functions of the runtime that the compiler holds the parts of a signature against.
pub(crate) struct Checks {
    /// What the parameter besides the context has to be, if there is one.
    pub(crate) taken: Option<&'static str>,
    /// What the returned type has to be, by itself or for another type.
    pub(crate) returned: &'static str,
    pub(crate) returned_for: Option<Type>,
    /// What the function has to be, if it is `async`.
    pub(crate) future: &'static str,
    /// What it has to be, if it takes the context by reference.
    pub(crate) owned: &'static str,
}

pub(super) fn expand(hook: &Hook, checks: &Checks) -> TokenStream {
    let function = &hook.function;
    let cfgs = item::cfgs(&function.attrs);
    let (check, registration) = (check(hook, checks), registration(hook, checks));
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
    let whole = whole(hook, checks);
    let returned = returned(hook).map(|output| {
        let (returned, of) = (named(checks.returned), checks.returned_for.iter());
        quote!(let _ = #private::#returned::<#(#of,)* #output>;)
    });
    quote! {
        #[allow(dead_code, clippy::extra_unused_lifetimes)]
        fn #check #generics() #clause {
            #context
            #taken
            #returned
            #whole
        }
    }
}

/// The type that is returned; nothing where `impl Trait` hides it.
fn returned(hook: &Hook) -> Option<&Type> {
    match &hook.function.sig.output {
        ReturnType::Type(_, output) => ty::impl_trait(output).is_none().then_some(output),
        ReturnType::Default => None,
    }
}

/// What no part shows: that the future of an `async` function can be a run's, and that others keep nothing of the context.
fn whole(hook: &Hook, checks: &Checks) -> Option<TokenStream> {
    let signature = &hook.function.sig;
    let by_reference = hook.contexts.first().is_some_and(|context| context.by_reference);
    let check = match (signature.asyncness, by_reference) {
        (Some(_), _) => checks.future,
        (None, true) if returned(hook).is_some() => checks.owned,
        (None, _) => return None,
    };
    let (function, check) = (&signature.ident, Ident::new(check, Span::call_site()));
    let names = signature.generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(&param.ident),
        GenericParam::Const(param) => Some(&param.ident),
        GenericParam::Lifetime(_) => None,
    });
    let names: Vec<_> = names.collect();
    let turbofish = (!names.is_empty()).then(|| quote!(::<#(#names),*>));
    let private = hook.krate.private_at(function.span());
    Some(quote_spanned!(function.span()=> #private::#check(#function #turbofish);))
}

fn registration(hook: &Hook, checks: &Checks) -> TokenStream {
    let function = &hook.function.sig.ident;
    let deps = hook.contexts.first().map(|context| context.deps(&hook.krate));
    let registered = Registered {
        function,
        deps: deps.as_ref(),
        output: checks.returned_for.as_ref(),
        value: &quote!(#function),
        method: hook.attribute.method,
        is_checked: returned(hook).is_some(),
    };
    hook.registration.expand(&hook.krate, &registered)
}
