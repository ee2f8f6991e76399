//! Expansions as a person would write them, and everything that is said of one function at once.

mod agent;
mod errors;
mod hook;
mod kind;
mod tool;
mod toolset;

use expect_test::Expect;
use proc_macro2::TokenStream;

type Expand = fn(TokenStream, TokenStream) -> TokenStream;

fn check(expand: Expand, options: TokenStream, item: TokenStream, expected: &Expect) {
    let file = syn::parse2(expand(options, item)).expect("an expansion is Rust");
    expected.assert_eq(&prettyplease::unparse(&file));
}

/// The messages of an expansion, in their order.
fn messages(expand: Expand, options: TokenStream, item: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(expand(options, item)).expect("an expansion is Rust");
    let errors = file.items.iter().filter_map(|item| match item {
        syn::Item::Macro(item) if item.mac.path.segments.last()?.ident == "compile_error" => {
            item.mac.parse_body::<syn::LitStr>().ok()
        }
        _ => None,
    });
    errors.map(|message| message.value()).collect()
}
