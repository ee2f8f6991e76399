//! From the model of a tool to its code. Nothing here can fail: what could is checked before.

use proc_macro2::TokenStream;
use quote::quote;

use super::generics::ToolGenerics;
use super::members::{deps, members};
use super::model::Tool;
use super::reading::{defaults, wrappers};
use crate::registration::Registered;
use crate::{item, names};

/// The function, the type beside it, and what makes that type a tool.
pub(super) fn expand(tool: &Tool) -> TokenStream {
    let generics = ToolGenerics::new(tool);
    let function = &tool.function;
    let declaration = declaration(tool, &generics);
    let cfgs = item::cfgs(&function.attrs);
    let implementation = implementation(tool, &generics);
    let registration = registration(tool);
    quote! {
        #function
        #declaration
        #(#cfgs)*
        #[allow(deprecated)]
        const _: () = { #implementation #registration };
    }
}

/// A tool that does nothing, in place of one with mistakes: lists that name it have no error of their own.
pub(super) fn inert(tool: &Tool) -> TokenStream {
    if tool.function.sig.receiver().is_some() {
        // A method's surroundings have no room for a type.
        return quote!();
    }
    let generics = ToolGenerics::new(tool);
    let declaration = declaration(tool, &generics);
    let private = tool.krate.private();
    let (ty, cfgs, deps) = (&tool.ty, item::cfgs(&tool.function.attrs), names::any_deps());
    let ToolGenerics { declared, names, .. } = &generics;
    quote! {
        #declaration
        #(#cfgs)*
        impl<#deps: 'static, #declared> #private::TypedTool<#deps> for #ty<#names> where Self: 'static {
            fn spec() -> #private::ToolSpec<#deps> {
                ::core::unreachable!()
            }
            fn read(_: &mut #private::ArgsReader<'_>) -> ::core::option::Option<#private::AnyArgs> {
                ::core::option::Option::None
            }
            fn call(_: (), _: #private::RunContext<#deps>, _: #private::AnyArgs) -> #private::Running {
                ::core::unreachable!()
            }
        }
    }
}

fn declaration(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let (ty, vis, cfgs) = (&tool.ty, &tool.function.vis, item::cfgs(&tool.function.attrs));
    let ToolGenerics { declared, fields, .. } = generics;
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #ty<#declared> { #fields }
    }
}

fn implementation(tool: &Tool, generics: &ToolGenerics) -> TokenStream {
    let private = tool.krate.private();
    let ty = &tool.ty;
    let ToolGenerics { declared, names, predicates, .. } = generics;
    let (deps, any_deps) = deps(tool);
    let (wrappers, defaults) = (wrappers(tool), defaults(tool, generics));
    let members = members(tool, generics, &deps, &quote!(()));
    let name = &tool.name;
    quote! {
        #wrappers
        #defaults
        impl<#declared> #private::NamedTool for #ty<#names>
        where
            #(#predicates,)*
        {
            const NAME: &'static str = #name;
        }
        impl<#any_deps #declared> #private::TypedTool<#deps> for #ty<#names>
        where
            #(#predicates,)*
        {
            #members
        }
    }
}

/// What registers the tool with its agents.
fn registration(tool: &Tool) -> TokenStream {
    let ty = &tool.ty;
    let (deps, any_deps) = deps(tool);
    let registered = Registered {
        function: &tool.function.sig.ident,
        deps: any_deps.is_none().then_some(&deps),
        output: None,
        value: &quote!(::core::marker::PhantomData::<#ty>),
        method: "tool",
        is_checked: true,
    };
    tool.registration.expand(&tool.krate, &registered)
}
