//! What an annotated `impl` block cannot be, with the way out.

use super::model::Block;
use crate::ctxt::Ctxt;
use crate::tool::method;
use crate::toolset::names;
use crate::ty;

pub(super) fn validate(ctxt: &Ctxt, block: &Block) {
    for call in &block.macros {
        ctxt.error(
            &call.mac.path,
            "`#[toolset]` cannot see what a macro makes here: put the call in an `impl` block of its own; if it makes tools, \
             let the macro make that whole block, with `#[toolset]` on it",
        );
    }
    if let Some((path, _)) = &block.item.trait_ {
        ctxt.error(
            path,
            "the methods of a trait cannot be tools; put `#[toolset]` on methods of the type that call them",
        );
        return;
    }
    if ty::last_segment(&block.item.self_ty).is_none() {
        ctxt.error(&block.item.self_ty, "tools share a value: `#[toolset]` goes on methods of a struct or an enum");
    }
    if block.tools.is_empty() && block.macros.is_empty() {
        ctxt.error(
            block.item.impl_token,
            "no method of this block is a tool: mark one `#[tool]`, or remove `#[toolset]`",
        );
    }
    for tool in &block.tools {
        method::validate(ctxt, tool);
    }
    names::check(ctxt, &block.tools);
    check_taken(ctxt, block);
}

/// The names of the methods that come beside those of the block.
fn check_taken(ctxt: &Ctxt, block: &Block) {
    for function in [&block.name, &block.into_name].into_iter().filter_map(|name| block.method(name)) {
        let ident = &function.sig.ident;
        let message = format!(
            "`#[toolset]` makes a method `{ident}`, which gives the tools; rename this one, or that one by \
             `#[toolset(name = …)]`"
        );
        ctxt.error(ident, message);
    }
}
