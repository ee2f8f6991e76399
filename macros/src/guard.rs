//! The way through every macro: a panic becomes an error that asks for a report, and an expansion can be looked at.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::{Span, TokenStream};

/// Names the expansions to print, or `*` for all.
const DEBUG: &str = "TOOLWRIGHT_MACROS_DEBUG";

/// What a macro does with its options and its item.
type Expand = fn(TokenStream, TokenStream) -> TokenStream;

pub(crate) fn run(
    name: &str,
    expand: Expand,
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let item = TokenStream::from(item);
    let expansion = guarded(name, expand, options.into(), item.clone());
    show(name, &item, &expansion);
    expansion.into()
}

/// Prints an expansion that somebody wants to see.
fn show(name: &str, item: &TokenStream, expansion: &TokenStream) {
    if let Ok(wanted) = std::env::var(DEBUG)
        && (wanted == "*" || mentions(item, &wanted))
    {
        eprintln!("// #[{name}] expands to:\n{expansion}\n");
    }
}

/// The same for a derive, beside whose expansion the item stays by itself.
pub(crate) fn derive(
    name: &str,
    expand: fn(TokenStream) -> TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let item = TokenStream::from(item);
    let expansion = caught(name, || expand(item.clone())).unwrap_or_else(|error| error);
    show(name, &item, &expansion);
    expansion.into()
}

fn guarded(name: &str, expand: Expand, options: TokenStream, item: TokenStream) -> TokenStream {
    let copy = item.clone();
    caught(name, || expand(options, item)).unwrap_or_else(|mut error| {
        error.extend(copy);
        error
    })
}

/// An expansion, or the error that it panicked.
fn caught(name: &str, expand: impl FnOnce() -> TokenStream) -> Result<TokenStream, TokenStream> {
    catch_unwind(AssertUnwindSafe(expand)).map_err(|panic| {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let message = format!("`#[{name}]` has a bug; please report it, with this item: {said}");
        syn::Error::new(Span::call_site(), message).into_compile_error()
    })
}

/// Whether the item is called `name`: the word after its keyword, or any in the head of an `impl` block.
fn mentions(item: &TokenStream, name: &str) -> bool {
    let words: Vec<String> = item.clone().into_iter().map(|token| token.to_string()).collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let is_in_the_head = has("impl") && !has("fn") && has(name);
    let keywords = ["enum", "fn", "mod", "struct"];
    is_in_the_head || words.windows(2).any(|pair| keywords.contains(&pair[0].as_str()) && pair[1] == name)
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn a_panic_becomes_an_error_beside_the_item() {
        let tokens = guarded(
            "tool",
            |_, _| unreachable!("lost"),
            TokenStream::new(),
            quote!(
                fn f() {}
            ),
        )
        .to_string();
        assert!(tokens.contains("`#[tool]` has a bug; please report it"), "{tokens}");
        assert!(tokens.contains("lost") && tokens.ends_with("fn f () { }"), "{tokens}");
    }

    #[test]
    fn an_item_is_known_by_its_own_name() {
        let item = quote!(
            async fn outer() {
                inner()
            }
        );
        assert!(mentions(&item, "outer"));
        assert!(!mentions(&item, "inner"));
        let block = quote!(
            /// Things.
            impl<S> Store<S> {
                fn find(&self) {}
            }
        );
        assert!(mentions(&block, "Store"));
        assert!(!mentions(&block, "find"));
    }
}
