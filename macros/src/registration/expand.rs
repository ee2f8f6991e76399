//! From what is registered to its place in the list that the linker puts together.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;

use super::Registration;
use crate::krate::Krate;
use crate::names;

impl Registration {
    /// An entry in the list for each agent. `deps` are the dependencies that `function` wants, nothing where any will do;
    /// `value` is what is added, by the method `method`.
    pub(crate) fn expand(
        &self,
        krate: &Krate,
        function: &Ident,
        deps: Option<&TokenStream>,
        (value, method): (TokenStream, &Ident),
    ) -> TokenStream {
        let private = krate.private();
        let order = self.order.as_ref().map_or_else(|| quote!(0), |order| order.to_token_stream());
        let name = function.unraw().to_string();
        let (registry, builder) = (names::value("registry"), names::value("builder"));
        let entries = self.agents.iter().enumerate().map(|(index, agent)| {
            let entry = names::constant(format_args!("REGISTERED_{index}"));
            // It stands where the function does: errors tell of that place.
            let register = match deps {
                Some(deps) => quote_spanned!(function.span()=> register::<#deps>),
                None => quote_spanned!(function.span()=> register_any),
            };
            quote! {
                #[#private::linkme::distributed_slice(#private::REGISTERED)]
                #[linkme(crate = #private::linkme)]
                static #entry: fn(&mut #private::Registry) = |#registry| {
                    #[allow(unused_imports)]
                    use #private::{NoAgent as _, Unfit as _};
                    let _ = #private::agent_type::<#agent>;
                    #private::AgentOf::<#agent>::new().#register(
                        #registry,
                        (#order, ::core::module_path!(), #name),
                        |#builder| #private::Adding::new(#builder, #value).#method(),
                    );
                };
            }
        });
        quote!(#(#entries)*)
    }
}
