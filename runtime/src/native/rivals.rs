//! Function tools that step aside where the model's provider does the same itself.

use std::borrow::Cow;
use std::sync::Arc;

use super::NativeTool;
use crate::model::{ModelInput, RequestCache};
use crate::tool::ToolDefinition;

/// The lists of tools in the last request whose rivals stepped aside: an agent hands on the same lists while nothing in them
/// changes, and then so does this.
#[derive(Default)]
pub(crate) struct Rivals {
    given: Lists,
    native: Arc<[NativeTool]>,
    left: Lists,
}

/// The lists of a request in which rivals can be: function tools, hidden ones, and all that were ever hidden.
type Lists = [Arc<[ToolDefinition]>; 3];

/// The request without the function tools that step aside for those which the provider is to run itself, with a note of each.
pub(crate) fn without_rivals<'i>(input: &'i ModelInput, cache: &mut RequestCache) -> Cow<'i, ModelInput> {
    if input.native_tools.is_empty() {
        return Cow::Borrowed(input);
    }
    let given = [&input.function_tools, &input.hidden_tools, &input.deferred_tools].map(Arc::clone);
    let rivals = &mut cache.rivals;
    let is_same = Arc::ptr_eq(&rivals.native, &input.native_tools)
        && given.iter().zip(&rivals.given).all(|(now, then)| Arc::ptr_eq(now, then));
    if !is_same {
        let left = given.each_ref().map(|list| left(list, &input.native_tools));
        *rivals = Rivals { given, native: input.native_tools.clone(), left };
    }
    let [functions, hidden, deferred] = rivals.left.clone();
    if Arc::ptr_eq(&functions, &input.function_tools) && Arc::ptr_eq(&deferred, &input.deferred_tools) {
        return Cow::Borrowed(input);
    }
    for tool in input.function_tools.iter().chain(input.hidden_tools.iter()) {
        if let Some(native) = rival(tool, &input.native_tools) {
            cache.note(format!("tool `{}` steps aside: the model has `{}` of its own", tool.name(), native.kind()));
        }
    }
    let fitted =
        ModelInput { function_tools: functions, hidden_tools: hidden, deferred_tools: deferred, ..input.clone() };
    Cow::Owned(fitted)
}

/// The tools that stay: the same list, where all do.
fn left(tools: &Arc<[ToolDefinition]>, native: &[NativeTool]) -> Arc<[ToolDefinition]> {
    if tools.iter().all(|tool| rival(tool, native).is_none()) {
        return tools.clone();
    }
    tools.iter().filter(|tool| rival(tool, native).is_none()).cloned().collect()
}

fn rival<'n>(tool: &ToolDefinition, native: &'n [NativeTool]) -> Option<&'n NativeTool> {
    let kind = tool.unless_native()?;
    native.iter().find(|native| native.kind() == kind)
}
