//! From the model of an agent to its code.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Generics, ItemStruct, Type};

use super::model::Agent;
use crate::{item, names, ty};

/// The type, what makes it an agent, and the function that starts one.
pub(super) fn expand(agent: &Agent) -> TokenStream {
    emitted(agent, &agent.declaration, agent.deps.as_ref(), agent.output.as_ref())
}

/// The type, and an agent of what is right about it, in place of one with mistakes: what is registered with it has no error
/// of its own.
pub(super) fn inert(agent: &Agent) -> TokenStream {
    // Parameters that it uses nowhere would be another error.
    let declaration = ItemStruct { generics: Generics::default(), ..agent.declaration.clone() };
    let right = |ty: &&Type| ty::impl_trait(ty).is_none() && ty::reference(ty).is_none();
    emitted(agent, &declaration, agent.deps.as_ref().filter(right), agent.output.as_ref().filter(right))
}

fn emitted(agent: &Agent, declaration: &ItemStruct, deps: Option<&Type>, output: Option<&Type>) -> TokenStream {
    let private = agent.krate.private();
    let (ident, vis, name) = (&declaration.ident, &declaration.vis, &agent.name);
    let cfgs: Vec<_> = item::cfgs(&declaration.attrs).collect();
    let deps = deps.map_or_else(|| quote!(()), |deps| deps.to_token_stream());
    let output = output.map_or_else(|| quote!(#private::String), |output| output.to_token_stream());
    let manual = agent.manual.then(|| {
        quote!(
            const MANUAL: ::core::primitive::bool = true;
        )
    });
    let model = names::value("model");
    let doc = if agent.manual {
        " Starts an agent on `model`. It has what is added to it by hand."
    } else {
        " Starts an agent on `model`, with all that is registered with this type."
    };
    // A type that is no output has its error at its own place.
    let here = agent.krate.private_at(output.span());
    let spec = quote_spanned!(output.span()=> #here::OutputOf::<#output>::new().spec());
    quote! {
        // An agent type is a name: nobody makes a value of it.
        #[allow(dead_code)]
        #declaration
        #(#cfgs)*
        const _: () = {
            impl #private::RegisteredAgent for #ident {
                type Deps = #deps;
                type Output = #output;
                const NAME: &'static ::core::primitive::str = #name;
                #manual
                fn output() -> #private::OutputSpec<
                    Self::Output,
                    impl #private::FromContext<#private::RunContext<Self::Deps>>,
                > {
                    #[allow(unused_imports)]
                    use #private::OtherOutput as _;
                    #spec
                }
            }
            impl #ident {
                #[doc = #doc]
                #[allow(dead_code)]
                #vis fn builder(
                    #model: impl #private::Model,
                ) -> #private::AgentBuilder<#deps, #output> {
                    <Self as #private::RegisteredAgent>::builder(#model)
                }
            }
        };
    }
}
