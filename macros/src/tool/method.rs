//! `#[tool]` on a method: the same, but for what it is called on and where its code stands.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericParam, Receiver, ReceiverKind, Type};

use super::generics::ToolGenerics;
use super::members::{deps, members};
use super::model::{Method, Tool};
pub(crate) use super::parse::parse_method as parse;
use super::reading::{defaults, wrappers};
use super::validate;
use crate::ctxt::Ctxt;
use crate::{item, keyword, ty};

const SHARED: &str =
    "calls run side by side: take `&self`, and keep what changes in a `Mutex`, an `RwLock` or an atomic";
const KEPT: &str = "the model may call it again: take `&self`, `self: &Arc<Self>` or `self: Arc<Self>`";

/// Complains of all that a method cannot be, as a tool.
pub(crate) fn validate(ctxt: &Ctxt, tool: &Tool) {
    validate::validate(ctxt, tool);
    let Some(Method { receiver, misplaced, .. }) = &tool.method else { return };
    if let Some(receiver) = receiver {
        check_receiver(ctxt, receiver);
    }
    for key in misplaced {
        let instead = match key {
            key if key == keyword::CRATE => "say it once, in `#[toolset(crate = …)]`",
            key if key == keyword::AGENT => "add the toolset to the agent: `Support::builder(…).toolset(…)`",
            _ => "there is none beside a method; remove it",
        };
        ctxt.error(key, format!("`{key}` is for free functions: {instead}"));
    }
    for param in &tool.function.sig.generics.params {
        let instead = match param {
            GenericParam::Lifetime(_) => continue,
            GenericParam::Type(_) | GenericParam::Const(_) => "put it on the `impl` block, or name the type",
        };
        ctxt.error(param, format!("nobody can say what this is when the model calls the method; {instead}"));
    }
}

/// Tools share what they are called on.
fn check_receiver(ctxt: &Ctxt, receiver: &Receiver) {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, None) => {}
        ReceiverKind::Reference(_, _, Some(mutability)) => ctxt.error(mutability, SHARED),
        ReceiverKind::Typed(_, ty) => {
            let (inner, reference) = ty::referent(ty);
            let name = ty::last_segment(inner).map(|segment| segment.ident.to_string());
            match (reference.map(|reference| &reference.mutability), name.as_deref()) {
                (Some(Some(mutability)), _) => ctxt.error(mutability, SHARED),
                (_, Some("Arc")) | (Some(None), Some("Self")) => {}
                _ => ctxt.error(receiver, KEPT),
            }
        }
        _ => ctxt.error(receiver, KEPT),
    }
}

/// Whether a method takes what it is called on by reference.
pub(super) fn is_by_reference(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(..) => true,
        ReceiverKind::Typed(_, ty) => ty::referent(ty).1.is_some(),
        _ => false,
    }
}

/// What makes the method of `owner` a tool: an implementation of `MethodTool` for the type that stands for it, under
/// this condition.
pub(crate) fn expand(tool: &Tool, owner: &Type, shared: &TokenStream) -> TokenStream {
    let private = tool.krate.private();
    let generics = ToolGenerics::new(tool);
    let ToolGenerics { declared, predicates, .. } = &generics;
    let (marker, cfgs) = (&tool.ty, item::cfgs(&tool.function.attrs).collect::<Vec<_>>());
    let (deps, any_deps) = deps(tool);
    let (wrappers, defaults) = (wrappers(tool), defaults(tool, &generics));
    let defaults = (!defaults.is_empty()).then(|| {
        quote! {
            impl<#declared> #owner where #(#predicates,)* { #defaults }
        }
    });
    let members = members(tool, &generics, &deps, &quote!(#private::std::sync::Arc<Self>));
    quote! {
        #(#cfgs)*
        #[allow(non_camel_case_types)]
        struct #marker;
        #(#cfgs)*
        const _: () = {
            #wrappers
            #defaults
            impl<#any_deps #declared> #private::MethodTool<#deps, #marker> for #owner
            where
                #(#predicates,)*
                #shared,
            {
                #members
            }
        };
    }
}
