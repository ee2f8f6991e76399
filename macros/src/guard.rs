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
    if let Ok(wanted) = std::env::var(DEBUG)
        && (wanted == "*" || mentions(&item, &wanted))
    {
        eprintln!("// #[{name}] expands to:\n{expansion}\n");
    }
    expansion.into()
}

fn guarded(name: &str, expand: Expand, options: TokenStream, item: TokenStream) -> TokenStream {
    let copy = item.clone();
    catch_unwind(AssertUnwindSafe(|| expand(options, item))).unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let message = format!("`#[{name}]` has a bug; please report it, with this item: {said}");
        let mut tokens = syn::Error::new(Span::call_site(), message).into_compile_error();
        tokens.extend(copy);
        tokens
    })
}

/// Whether the item is called `name`: the word after its keyword.
fn mentions(item: &TokenStream, name: &str) -> bool {
    let words: Vec<String> = item.clone().into_iter().map(|token| token.to_string()).collect();
    words.windows(2).any(|pair| ["fn", "impl", "mod", "struct"].contains(&pair[0].as_str()) && pair[1] == name)
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
    }
}
