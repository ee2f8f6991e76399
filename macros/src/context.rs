//! The parameter that is the run's context.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Meta, PatType, Type};

use crate::ctxt::Ctxt;
use crate::krate::Krate;
use crate::{keyword, ty};

/// A parameter of the type `RunContext`, or marked `#[ctx]`.
pub(crate) struct Context {
    /// `RunContext<…>`, or another name for it, without the reference.
    ty: Type,
    pub(crate) by_reference: bool,
    pub(crate) parameter: PatType,
}

impl Context {
    /// The parameter as a context, if it is one; `#[ctx]` is taken off.
    pub(crate) fn take(ctxt: &Ctxt, parameter: &mut PatType) -> Option<Self> {
        let marks: Vec<Attribute> = parameter.attrs.extract_if(.., |attribute| is_mark(attribute)).collect();
        if marks.is_empty() && !ty::is_run_context(&parameter.ty) {
            return None;
        }
        for mark in &marks {
            if !matches!(mark.meta, Meta::Path(_)) {
                ctxt.error(&mark.meta, "`#[ctx]` takes no options: write `#[ctx]`");
            }
        }
        if let Some(second) = marks.get(1) {
            ctxt.error(second, "`#[ctx]` was given twice; remove one");
        }
        let (context, reference) = ty::referent(&parameter.ty);
        if let Some(mutability) = reference.and_then(|reference| reference.mutability.as_ref()) {
            ctxt.error(mutability, "the context is shared: take `&RunContext<…>`, without `mut`");
        }
        Some(Self {
            ty: ty::with_static_lifetimes(context),
            by_reference: reference.is_some(),
            parameter: parameter.clone(),
        })
    }

    /// The type of the dependencies.
    pub(crate) fn deps(&self, krate: &Krate) -> TokenStream {
        if ty::is_run_context(&self.ty)
            && let Some(deps) = ty::argument(&self.ty)
        {
            return quote!(#deps);
        }
        let context = self.as_context(krate);
        quote_spanned!(self.ty.span()=> #context::Deps)
    }

    /// The context as the function takes it: what only the compiler knows to be a `RunContext` goes through a trait, so
    /// that another type has one error, and at its own place.
    pub(crate) fn passed(&self, krate: &Krate, ctx: &Ident) -> TokenStream {
        let reference = self.by_reference.then(|| quote!(&));
        if ty::is_run_context(&self.ty) {
            return quote!(#reference #ctx);
        }
        let context = self.as_context(krate);
        let of = quote_spanned!(self.ty.span()=> #context::of);
        quote!(#reference #of(#ctx))
    }

    /// That the type is the run's context, where its name does not tell.
    pub(crate) fn is_context(&self, krate: &Krate) -> Option<TokenStream> {
        let (ty, span) = (&self.ty, self.ty.span());
        let private = krate.private_at(span);
        (!ty::is_run_context(ty)).then(|| quote_spanned!(span=> #ty: #private::Context))
    }

    fn as_context(&self, krate: &Krate) -> TokenStream {
        let (ty, span) = (&self.ty, self.ty.span());
        let private = krate.private_at(span);
        quote_spanned!(span=> <#ty as #private::Context>)
    }
}

fn is_mark(attribute: &Attribute) -> bool {
    attribute.path().is_ident(keyword::CTX)
}

/// Complains of every context but the first.
pub(crate) fn only_one(ctxt: &Ctxt, contexts: &[Context]) {
    for extra in contexts.iter().skip(1) {
        ctxt.error(&extra.parameter, "a function takes the run's context once; remove this one");
    }
}
