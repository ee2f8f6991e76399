//! From what is registered to its place in the list that the linker puts together.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt as _;

use super::Registration;
use crate::krate::Krate;
use crate::names;

/// What is registered.
pub(crate) struct Registered<'a> {
    pub(crate) function: &'a Ident,
    /// The dependencies that it wants; nothing where any will do.
    pub(crate) deps: Option<&'a TokenStream>,
    /// The output that it wants; nothing where any will do.
    pub(crate) output: Option<&'a Type>,
    /// What is added, and the method of the builder that adds it.
    pub(crate) value: &'a TokenStream,
    pub(crate) method: &'static str,
    /// Whether what could be wrong with it has an error of its own elsewhere.
    pub(crate) is_checked: bool,
}

impl Registration {
    /// An entry in the list for each agent.
    pub(crate) fn expand(&self, krate: &Krate, registered: &Registered<'_>) -> TokenStream {
        let entries = self.agents.iter().enumerate().map(|(index, agent)| {
            let entry = names::constant(format_args!("REGISTERED_{index}"));
            self.entry(krate, registered, agent, &entry)
        });
        entries.collect()
    }

    fn entry(&self, krate: &Krate, registered: &Registered<'_>, agent: &Type, entry: &Ident) -> TokenStream {
        let Registered { function, deps, output, value, method, is_checked } = registered;
        let private = krate.private();
        let order = self.order.as_ref().map_or_else(|| quote!(0), |order| order.to_token_stream());
        let name = function.unraw().to_string();
        let (registry, builder) = (names::value("registry"), names::value("builder"));
        let method = Ident::new(method, function.span());
        // It stands where the function does: errors tell of that place.
        let register = match deps {
            Some(deps) => quote_spanned!(function.span()=> register::<#deps>),
            None => quote_spanned!(function.span()=> register_any),
        };
        let output = output.map(|output| quote!(#private::AgentOf::<#agent>::new().output::<#output>();));
        let add = if *is_checked {
            quote!(#private::Adding::new(#builder, #value).#method())
        } else {
            quote!(#builder.#method(#value))
        };
        quote! {
            #[#private::linkme::distributed_slice(#private::REGISTERED)]
            #[linkme(crate = #private::linkme)]
            static #entry: fn(&mut #private::Registry) = |#registry| {
                #[allow(unused_imports)]
                use #private::{NoAgent as _, Unfit as _};
                let _ = #private::agent_type::<#agent>;
                #output
                #private::AgentOf::<#agent>::new().#register(
                    #registry,
                    (#order, ::core::module_path!(), #name),
                    |#builder| #add,
                );
            };
        }
    }
}
