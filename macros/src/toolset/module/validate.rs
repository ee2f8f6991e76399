//! What an annotated module cannot be, with the way out.

use syn::GenericParam;

use super::model::Module;
use crate::ctxt::Ctxt;
use crate::toolset::names;

pub(super) fn validate(ctxt: &Ctxt, module: &Module) {
    if module.item.content.is_none() {
        ctxt.error(
            &module.item,
            "`#[toolset]` has to see the module's items: write them here, in `mod name { … }`, and not in a file of its own",
        );
        return;
    }
    for call in &module.macros {
        ctxt.error(
            &call.mac.path,
            "`#[toolset]` cannot see what a macro makes here: put the call in a module inside this one; if it makes tools, write \
             them out, or let the macro make the whole module, with `#[toolset]` on it",
        );
    }
    if module.tools.is_empty() && module.instructions.is_empty() && module.macros.is_empty() {
        ctxt.error(
            &module.item.ident,
            "no function of this module is a tool: mark one `#[tool]`, or remove `#[toolset]`",
        );
    }
    for tool in &module.tools {
        for param in &tool.function.sig.generics.params {
            if !matches!(param, GenericParam::Lifetime(_)) {
                ctxt.error(
                    param,
                    "nobody can say what this is for the module's toolset; name the type in a function for each",
                );
            }
        }
    }
    names::check(ctxt, &module.tools);
    for ident in &module.taken {
        let message = format!(
            "`#[toolset]` makes a function `{ident}` in this module; rename this one (a tool keeps its name with \
             `#[tool(name = \"{ident}\")]`)"
        );
        ctxt.error(ident, message);
    }
}
