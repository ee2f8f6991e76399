//! What can be seen of a type by its tokens alone. The compiler knows more; this is for telling a context from a
//! parameter, and for naming a mistake before it becomes somebody else's error.

use proc_macro2::Ident;
use quote::quote;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Lifetime, PathArguments, PathSegment, Token, Type, TypeImplTrait, TypeReference};

use crate::keyword;

/// The type without the invisible groups that `macro_rules!` leaves, and without parentheses.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

/// The type behind a reference, and the reference.
pub(crate) fn referent(ty: &Type) -> (&Type, Option<&TypeReference>) {
    match bare(ty) {
        Type::Reference(reference) => (bare(&reference.elem), Some(reference)),
        other => (other, None),
    }
}

/// The last name of a type's path.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Whether the type, behind a reference or not, is called `RunContext`.
pub(crate) fn is_run_context(ty: &Type) -> bool {
    last_segment(referent(ty).0).is_some_and(|segment| segment.ident == keyword::RUN_CONTEXT)
}

/// The one type argument of a path, as in `RunContext<T>`.
pub(crate) fn argument(ty: &Type) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &last_segment(ty)?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The first reference in a type, at any depth.
pub(crate) fn reference(ty: &Type) -> Option<TypeReference> {
    struct Find(Option<TypeReference>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
            self.0.get_or_insert_with(|| reference.clone());
        }
        // What a function pointer takes is nothing that it holds.
        fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// Whether what is behind a reference is there for good.
pub(crate) fn is_static(reference: &TypeReference) -> bool {
    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static")
}

/// The owned type to take in place of a borrowed one.
pub(crate) fn owned(reference: &TypeReference) -> String {
    let elem = bare(&reference.elem);
    match elem {
        Type::Slice(slice) => {
            let item = &slice.elem;
            format!("Vec<{}>", compact(&quote!(#item).to_string()))
        }
        _ => match last_segment(elem).map(|segment| segment.ident.to_string()).as_deref() {
            Some("str") => "String".to_owned(),
            Some("Path") => "PathBuf".to_owned(),
            _ => compact(&quote!(#elem).to_string()),
        },
    }
}

/// Printed tokens without the blanks that nobody writes in a type.
fn compact(tokens: &str) -> String {
    tokens.replace(" :: ", "::").replace(" <", "<").replace("< ", "<").replace(" >", ">").replace(" ,", ",")
}

/// The first `impl Trait` in a type.
pub(crate) fn impl_trait(ty: &Type) -> Option<TypeImplTrait> {
    struct Find(Option<TypeImplTrait>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_impl_trait(&mut self, ty: &'ast TypeImplTrait) {
            self.0.get_or_insert_with(|| ty.clone());
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// Whether one of these names occurs in a type.
pub(crate) fn mentions(ty: &Type, names: &[Ident]) -> bool {
    struct Find<'a>(&'a [Ident], bool);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= self.0.contains(ident);
        }
        fn visit_path(&mut self, path: &'ast syn::Path) {
            visit::visit_path(self, path);
        }
    }
    let mut find = Find(names, false);
    find.visit_type(ty);
    find.1
}

/// Whether a type says `Self`.
pub(crate) fn mentions_self(ty: &Type) -> bool {
    mentions(ty, &[Ident::from(<Token![Self]>::default())])
}

/// Makes every lifetime `'static`: what a tool keeps outlives the call that made it.
pub(crate) struct Static;

impl VisitMut for Static {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        lifetime.ident = Ident::new("static", lifetime.ident.span());
    }

    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        let span = reference.and_token.span;
        reference.lifetime.get_or_insert_with(|| Lifetime::new("'static", span));
        visit_mut::visit_type_reference_mut(self, reference);
    }

    // Lifetimes of these are their own: they are chosen anew at every call.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}
    fn visit_predicate_type_mut(&mut self, predicate: &mut syn::PredicateType) {
        if predicate.lifetimes.is_none() {
            visit_mut::visit_predicate_type_mut(self, predicate);
        }
    }
    fn visit_trait_bound_mut(&mut self, bound: &mut syn::TraitBound) {
        if bound.lifetimes.is_none() {
            visit_mut::visit_trait_bound_mut(self, bound);
        }
    }
}

/// The type, with every lifetime `'static`.
pub(crate) fn with_static_lifetimes(ty: &Type) -> Type {
    let mut ty = bare(ty).clone();
    Static.visit_type_mut(&mut ty);
    ty
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn contexts_are_known_by_their_last_name() {
        assert!(is_run_context(&parse_quote!(&toolwright::RunContext<Db>)));
        assert!(is_run_context(&parse_quote!(RunContext<()>)));
        assert!(!is_run_context(&parse_quote!(Ctx)));
        assert!(!is_run_context(&parse_quote!(Vec<RunContext<()>>)));
    }

    #[test]
    fn borrowed_types_name_their_owned_form() {
        let owned_form = |ty: Type| reference(&ty).map(|reference| owned(&reference));
        assert_eq!(owned_form(parse_quote!(&str)).as_deref(), Some("String"));
        assert_eq!(owned_form(parse_quote!(Option<&'a [u8]>)).as_deref(), Some("Vec<u8>"));
        assert_eq!(owned_form(parse_quote!(&std::path::Path)).as_deref(), Some("PathBuf"));
        assert_eq!(owned_form(parse_quote!(&HashMap<String, i64>)).as_deref(), Some("HashMap<String, i64>"));
        assert_eq!(owned_form(parse_quote!(fn(&str))), None);
    }

    #[test]
    fn lifetimes_become_static() {
        let ty = with_static_lifetimes(&parse_quote!(Cow<'a, str>));
        assert_eq!(compact(&quote!(#ty).to_string()), "Cow<'static, str>");
    }
}
