//! From the model of a module to its code: the module, and in it the functions that give its toolset and its capability.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Item, ItemMod};

use super::model::{Hook, Module};
use crate::names;
use crate::toolset::{deps, list};

pub(super) fn expand(module: &Module) -> TokenStream {
    let (toolset, capability, uses) = (toolset(module), capability(module), module.marks.uses());
    with_items(module, &quote!(#toolset #capability const _: () = { #uses };))
}

/// The module, with functions that give nothing in place of those that it would have: calls of them have no error of their
/// own.
pub(super) fn inert(module: &Module, error: &syn::Error) -> TokenStream {
    let (private, vis, deps, uses) = (module.krate.private(), &module.vis, names::any_deps(), module.marks.uses());
    let made = [("toolset", quote!(AnyToolset)), ("capability", quote!(Bundle))];
    let functions =
        made.into_iter().filter(|(name, _)| !module.taken.iter().any(|taken| taken == name)).map(|(name, ty)| {
            let name = Ident::new(name, proc_macro2::Span::call_site());
            quote! {
                #[allow(dead_code, unreachable_pub)]
                #vis fn #name<#deps: ::core::marker::Send + ::core::marker::Sync + 'static>() -> #private::#ty<#deps> {
                    ::core::unreachable!()
                }
            }
        });
    let errors = error.to_compile_error();
    let module = with_items(module, &quote!(#(#functions)* const _: () = { #uses };));
    quote!(#module #errors)
}

/// The module with further items at its end.
fn with_items(module: &Module, items: &TokenStream) -> TokenStream {
    let mut item: ItemMod = module.item.clone();
    if let Some((_, content)) = &mut item.content {
        content.push(Item::Verbatim(items.clone()));
    }
    item.into_token_stream()
}

/// The function that gives the tools.
fn toolset(module: &Module) -> TokenStream {
    let private = module.krate.private();
    let Module { id, vis, .. } = module;
    let (deps, any_deps) = deps::declared(module.deps.as_ref());
    let (tools, toolset) = (names::value("tools"), names::value("toolset"));
    let pushed = module.tools.iter().map(|tool| {
        let ty = &tool.ty;
        list::pushed(&module.krate, tool, &deps, |deps| quote!(#private::Tool::<#deps>::typed::<#ty>()))
    });
    let hooked = module.hooks.iter().map(|Hook { function, cfgs, .. }| {
        quote! {
            #(#cfgs)*
            let #toolset = #private::ToolsetExt::<#deps>::boxed(#private::ToolsetExt::<#deps>::prepared(#toolset, #function));
        }
    });
    let doc = format!(" The tools of this module: {}.", list::names(&module.tools));
    quote! {
        #[doc = #doc]
        #[must_use]
        #[allow(dead_code, deprecated, unreachable_pub, private_interfaces)]
        #vis fn toolset #any_deps() -> #private::AnyToolset<#deps> {
            let mut #tools = #private::std::vec::Vec::<#private::Tool<#deps>>::new();
            #(#pushed)*
            let #toolset = #private::FunctionToolset::new().with_id(#id).with_tools(#tools);
            let #toolset = #private::ToolsetExt::<#deps>::boxed(#toolset);
            #(#hooked)*
            #toolset
        }
    }
}

/// The function that gives the tools with the instructions.
fn capability(module: &Module) -> TokenStream {
    let private = module.krate.private();
    let Module { id, vis, .. } = module;
    let (deps, any_deps) = deps::declared(module.deps.as_ref());
    let bundle = names::value("bundle");
    let instructed = module.instructions.iter().map(|Hook { function, cfgs, .. }| {
        quote! {
            #(#cfgs)*
            let #bundle = #bundle.instructions_fn(#function);
        }
    });
    let doc = format!(" The tools of this module, with its instructions: {}.", list::names(&module.tools));
    quote! {
        #[doc = #doc]
        #[allow(dead_code, deprecated, unreachable_pub, private_interfaces)]
        #vis fn capability #any_deps() -> #private::Bundle<#deps> {
            let #bundle = #private::Bundle::<#deps>::new().id(#id).toolset(self::toolset());
            #(#instructed)*
            #bundle
        }
    }
}
