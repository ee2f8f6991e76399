//! `#[derive(AgentOutput)]`: an enum of the outputs that a run may come to.

mod expand;
mod model;
mod parse;
mod validate;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Error};

use crate::ctxt::Ctxt;

pub(crate) const PLACE: &str = "#[derive(AgentOutput)]";

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input = match syn::parse2::<DeriveInput>(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let data = match &input.data {
        Data::Enum(data) => data,
        Data::Struct(data) => {
            return no_enum(
                data.struct_token,
                "a struct: derive `serde::Deserialize` and `schemars::JsonSchema` for it, and nothing else",
            );
        }
        Data::Union(data) => return no_enum(data.union_token, "a union"),
    };
    let ctxt = Ctxt::new();
    let output = parse::parse(&ctxt, &input, data);
    validate::validate(&ctxt, &output);
    match ctxt.check() {
        Ok(()) => expand::expand(&output),
        Err(error) => {
            let (inert, error) = (expand::inert(&output), error.into_compile_error());
            quote!(#inert #error)
        }
    }
}

fn no_enum(token: impl ToTokens, what: &str) -> TokenStream {
    Error::new_spanned(token, format!("`{PLACE}` goes on an enum, and this is {what}")).into_compile_error()
}
