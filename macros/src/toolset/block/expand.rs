//! From the model of a block to its code: the block, what makes its methods tools, and the methods that give them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned as _;

use super::model::Block;
use crate::tool::generics::ToolGenerics;
use crate::tool::method;
use crate::toolset::{deps, list};
use crate::{item, names, ty};

pub(super) fn expand(block: &Block) -> TokenStream {
    let item = &block.item;
    let cfgs = item::cfgs(&item.attrs);
    let owner = owner(block);
    let shared = shared(block, &owner);
    let tools = block.tools.iter().map(|tool| method::expand(tool, &owner, &shared));
    let toolset = toolset(block, &owner, &shared);
    let uses = block.marks.uses();
    quote! {
        #item
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = {
            #uses
            #(#tools)*
            #toolset
        };
    }
}

/// The type of the block, for as long as its tools may live.
fn owner(block: &Block) -> Type {
    ty::with_static_lifetimes(&block.item.self_ty)
}

/// That a value can be shared by its tools. Wherever it is asked for, it fails at the type's own tokens: once.
fn shared(block: &Block, owner: &Type) -> TokenStream {
    let span = block.item.self_ty.span();
    let private = block.krate.private_at(span);
    quote_spanned!(span=> #owner: #private::ToolReceiver)
}

/// The methods that give the tools.
fn toolset(block: &Block, owner: &Type, shared: &TokenStream) -> TokenStream {
    let private = block.krate.private();
    let Block { name, into_name, id, vis, .. } = block;
    let Header { declared, predicates } = header(block);
    let (deps, any_deps) = deps::declared(block.deps.as_ref());
    let tools = names::value("tools");
    let pushed = block.tools.iter().map(|tool| {
        let marker = &tool.ty;
        list::pushed(&block.krate, tool, &deps, |deps| quote!(#private::method::<#deps, Self, #marker>(self)))
    });
    let (shared_doc, owned_doc) = docs(block);
    let passed_on = any_deps.as_ref().map(|_| quote!(::<#deps>));
    quote! {
        #[allow(dead_code, unreachable_pub, private_interfaces)]
        impl<#declared> #owner
        where
            #(#predicates,)*
            #shared,
        {
            #[doc = #shared_doc]
            #[must_use]
            #vis fn #name #any_deps(self: &#private::std::sync::Arc<Self>) -> #private::FunctionToolset<#deps> {
                let mut #tools = #private::std::vec::Vec::new();
                #(#pushed)*
                #private::FunctionToolset::new().with_id(#id).with_tools(#tools)
            }

            #[doc = #owned_doc]
            #[must_use]
            #vis fn #into_name #any_deps(self) -> #private::FunctionToolset<#deps> {
                Self::#name #passed_on(&#private::std::sync::Arc::new(self))
            }
        }
    }
}

fn docs(block: &Block) -> (String, String) {
    let names = list::names(&block.tools);
    let owned = format!(" The tools of this value, which they share: {names}. `{}` keeps the value.", block.name);
    (format!(" The tools of this value, which they share with the caller: {names}."), owned)
}

/// What the methods need of the block's generics: all that its tools do.
struct Header {
    declared: TokenStream,
    predicates: Vec<TokenStream>,
}

fn header(block: &Block) -> Header {
    let mut header = Header { declared: TokenStream::new(), predicates: Vec::new() };
    for tool in &block.tools {
        let ToolGenerics { declared, predicates, .. } = ToolGenerics::new(tool);
        header.declared = declared;
        for predicate in predicates {
            if !header.predicates.iter().any(|known| known.to_string() == predicate.to_string()) {
                header.predicates.push(predicate);
            }
        }
    }
    header
}

/// Methods that give no tools, in place of those of a block with mistakes: calls of them have no error of their own.
pub(super) fn inert(block: &Block) -> TokenStream {
    let item = &block.item;
    let cfgs: Vec<_> = item::cfgs(&item.attrs).collect();
    let uses = block.marks.uses();
    let (owner, generics, clause) = (&item.self_ty, &item.generics, &item.generics.where_clause);
    let methods = if block.is_of_a_type() { inert_methods(block) } else { TokenStream::new() };
    let methods = (!methods.is_empty()).then(|| {
        quote! {
            #(#cfgs)*
            #[allow(dead_code, unreachable_pub)]
            impl #generics #owner #clause { #methods }
        }
    });
    quote! {
        #(#cfgs)*
        const _: () = { #uses };
        #methods
    }
}

fn inert_methods(block: &Block) -> TokenStream {
    let private = block.krate.private();
    let (vis, deps) = (&block.vis, names::any_deps());
    let receivers = [(&block.name, quote!(self: &#private::std::sync::Arc<Self>)), (&block.into_name, quote!(self))];
    let missing = receivers.into_iter().filter(|(name, _)| block.method(name).is_none());
    let methods = missing.map(|(name, receiver)| {
        quote! {
            #vis fn #name<#deps: ::core::marker::Send + ::core::marker::Sync + 'static>(
                #receiver
            ) -> #private::FunctionToolset<#deps> {
                ::core::unreachable!()
            }
        }
    });
    methods.collect()
}
