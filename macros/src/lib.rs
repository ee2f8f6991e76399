//! The macros of `toolwright`, which re-exports them; depend on that crate, and not on this one.
//!
//! Everything a macro emits can be looked at: with `TOOLWRIGHT_MACROS_DEBUG` set to a function's, a struct's or a module's name, to
//! the type of an `impl` block, or to `*` for all, the expansion is printed when that is compiled: after `touch src/lib.rs`, say, as
//! what is compiled already is not compiled again for it.

mod agent;
mod context;
mod ctxt;
mod doc;
mod fallback;
mod guard;
mod hook;
mod instructions;
mod item;
mod keyword;
mod kind;
mod krate;
mod names;
mod nearest;
mod number;
mod option;
mod output;
mod output_validator;
mod place;
mod prepare;
mod registration;
#[cfg(test)]
mod tests;
mod tool;
mod toolset;
mod ty;

use proc_macro::TokenStream;

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("tool", tool::expand, options, item)
}

#[doc = include_str!("../docs/toolset.md")]
#[proc_macro_attribute]
pub fn toolset(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("toolset", toolset::expand, options, item)
}

#[doc = include_str!("../docs/tool_kind.md")]
#[proc_macro_attribute]
pub fn tool_kind(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("tool_kind", kind::expand, options, item)
}

#[doc = include_str!("../docs/prepare_tools.md")]
#[proc_macro_attribute]
pub fn prepare_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("prepare_tools", prepare::expand_tools, options, item)
}

#[doc = include_str!("../docs/prepare_output_tools.md")]
#[proc_macro_attribute]
pub fn prepare_output_tools(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("prepare_output_tools", prepare::expand_output_tools, options, item)
}

#[doc = include_str!("../docs/agent.md")]
#[proc_macro_attribute]
pub fn agent(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("agent", agent::expand, options, item)
}

#[doc = include_str!("../docs/instructions.md")]
#[proc_macro_attribute]
pub fn instructions(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("instructions", instructions::expand, options, item)
}

#[doc = include_str!("../docs/output_validator.md")]
#[proc_macro_attribute]
pub fn output_validator(options: TokenStream, item: TokenStream) -> TokenStream {
    guard::run("output_validator", output_validator::expand, options, item)
}

#[doc = include_str!("../docs/agent_output.md")]
#[proc_macro_derive(AgentOutput, attributes(output, text, image, file))]
pub fn agent_output(item: TokenStream) -> TokenStream {
    guard::derive("derive(AgentOutput)", output::expand, item)
}
