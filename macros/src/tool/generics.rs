//! The generics of a function, as the tool's type has them: without lifetimes, which belong to a single call.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::visit_mut::VisitMut as _;
use syn::{GenericParam, Generics, Type, TypeParamBound, WherePredicate};

use super::model::Tool;
use crate::{names, ty};

/// The names of the type parameters.
pub(super) fn type_names(generics: &Generics) -> Vec<Ident> {
    generics.type_params().map(|param| param.ident.clone()).collect()
}

/// The type's generics in the places where they are needed.
pub(crate) struct ToolGenerics {
    /// `T, const N: usize`
    pub(crate) declared: TokenStream,
    /// `T, N`
    pub(crate) names: TokenStream,
    /// All bounds, wherever they were written.
    pub(crate) predicates: Vec<TokenStream>,
    /// What makes the type use its parameters.
    pub(crate) fields: TokenStream,
}

impl ToolGenerics {
    pub(crate) fn new(tool: &Tool) -> Self {
        let mut generics = tool.generics().clone();
        ty::Static.visit_generics_mut(&mut generics);
        let types = type_names(&generics);
        let (mut declared, mut names, mut predicates) = (quote!(), quote!(), Vec::new());
        for param in &generics.params {
            match param {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(param) => {
                    let ident = &param.ident;
                    let bounds: Vec<&TypeParamBound> = param.bounds.iter().collect();
                    declared.extend(quote!(#ident,));
                    predicates.push(quote!(#ident: 'static #(+ #bounds)*));
                    names.extend(quote!(#ident,));
                }
                GenericParam::Const(param) => {
                    let (ident, ty) = (&param.ident, &param.ty);
                    declared.extend(quote!(const #ident: #ty,));
                    names.extend(quote!(#ident,));
                }
            }
        }
        let written = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let of_types = written.filter(|predicate| matches!(predicate, WherePredicate::Type(_)));
        predicates.extend(of_types.map(|predicate| predicate.to_token_stream()));
        predicates.extend(implied(tool, &types));
        let fields = if types.is_empty() {
            quote!()
        } else {
            let marker = names::value("marker");
            quote!(#marker: ::core::marker::PhantomData<fn() -> (#(#types,)*)>)
        };
        Self { declared, names, predicates, fields }
    }
}

/// What generic parameters and dependencies must be for the function to be a tool at all.
fn implied(tool: &Tool, types: &[Ident]) -> Vec<TokenStream> {
    let private = tool.krate.private();
    let mut predicates = Vec::new();
    for parameter in &tool.parameters {
        let ty = &parameter.ty;
        if ty::mentions(ty, types) || is_generic_self(ty, types) {
            predicates.push(quote!(#ty: #private::ToolParameter));
        }
    }
    for context in &tool.contexts {
        if ty::mentions(&context.parameter.ty, types) {
            let deps = context.deps(&tool.krate);
            predicates.push(quote!(#deps: ::core::marker::Send + ::core::marker::Sync + 'static));
        } else {
            // Asked for in one place, it fails in one place.
            predicates.extend(context.is_context(&tool.krate));
        }
    }
    predicates
}

/// Whether the type says `Self` in a generic block, where that depends on the block's types.
fn is_generic_self(ty: &Type, types: &[Ident]) -> bool {
    !types.is_empty() && ty::mentions_self(ty)
}
