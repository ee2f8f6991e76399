//! The names of the tools of one toolset.

use std::collections::HashSet;

use crate::ctxt::Ctxt;
use crate::item;
use crate::tool::model::Tool;

/// Complains of two tools with the same name. Those under a `cfg` may be there in turn.
pub(super) fn check<'a>(ctxt: &Ctxt, tools: impl IntoIterator<Item = &'a Tool>) {
    let mut seen = HashSet::new();
    for tool in tools {
        if item::cfgs(&tool.function.attrs).next().is_none() && !seen.insert(tool.name.value()) {
            let message = format!(
                "two tools of this toolset are called `{}`; rename one: `#[tool(name = …)]`",
                tool.name.value()
            );
            ctxt.error(&tool.name, message);
        }
    }
}
