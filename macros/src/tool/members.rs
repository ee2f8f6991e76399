//! What a tool's trait asks of it: the same for a function and for a method.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use super::call::{call, check};
use super::generics::ToolGenerics;
use super::model::Tool;
use super::reading::read;
use super::spec::spec;
use crate::names;

/// The functions of `TypedTool` or `MethodTool`, for a tool that is called on a `receiver`.
pub(super) fn members(tool: &Tool, generics: &ToolGenerics, deps: &TokenStream, receiver: &TokenStream) -> TokenStream {
    let private = tool.krate.private();
    let spec = spec(tool, generics, deps);
    let read = read(tool, generics);
    let check = check(tool, deps);
    let call = call(tool, generics);
    let args = names::value("args");
    let used = |name: &str, is_used: bool| if is_used { names::value(name).into_token_stream() } else { quote!(_) };
    let reader = used("reader", !tool.parameters.is_empty());
    let called_on = used("receiver", tool.receiver().is_some());
    let ctx = used("ctx", !tool.contexts.is_empty());
    quote! {
        fn spec() -> #private::ToolSpec<#deps> {
            #spec
        }
        fn read(#reader: &mut #private::ArgsReader<'_>) -> ::core::option::Option<#private::AnyArgs> {
            #read
        }
        #check
        fn call(
            #called_on: #receiver,
            #ctx: #private::RunContext<#deps>,
            #args: #private::AnyArgs,
        ) -> #private::Running {
            #call
        }
    }
}

/// The dependencies, and the parameter that stands for all of them where the tool needs none.
pub(super) fn deps(tool: &Tool) -> (TokenStream, Option<TokenStream>) {
    match tool.deps() {
        Some(deps) => (deps, None),
        None => {
            let deps = names::any_deps();
            (quote!(#deps), Some(quote!(#deps: 'static,)))
        }
    }
}
