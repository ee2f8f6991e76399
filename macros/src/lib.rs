//! x
mod context;
mod ctxt;
mod doc;
mod fallback;
mod guard;
mod item;
mod keyword;
mod krate;
mod names;
mod nearest;
mod option;
mod place;
mod prepare;
#[cfg(test)]
mod tests;
mod tool;
mod ty;

use proc_macro::TokenStream;

/// x
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("tool", tool::expand, options, item)
}

/// x
#[proc_macro_attribute]
pub fn prepare_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("prepare_tools", prepare::expand_tools, options, item)
}

/// x
#[proc_macro_attribute]
pub fn prepare_output_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("prepare_output_tools", prepare::expand_output_tools, options, item)
}
