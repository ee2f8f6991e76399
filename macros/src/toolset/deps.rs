//! The dependencies that the tools of one toolset have in common.

use syn::Type;

use crate::item;
use crate::tool::model::Tool;

/// What the first tool that has a say in it says; one that is not always there comes last.
pub(super) fn of(tools: &[Tool]) -> Option<Type> {
    let (sometimes, always): (Vec<_>, Vec<_>) =
        tools.iter().partition(|tool| item::cfgs(&tool.function.attrs).next().is_some());
    always.into_iter().chain(sometimes).find_map(Tool::deps).map(Type::Verbatim)
}
