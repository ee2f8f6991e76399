//! What a prepare hook cannot be, with the way out.

use syn::ReturnType;

use crate::ctxt::Ctxt;
use crate::hook::Hook;

pub(super) fn validate(ctxt: &Ctxt, hook: &Hook) {
    check_parameters(ctxt, hook);
    if let ReturnType::Default = hook.function.sig.output {
        let message = "a prepare hook returns the tools of the step: add `-> Vec<ToolDefinition>`";
        ctxt.error(&hook.function.sig.ident, message);
    }
}

fn check_parameters(ctxt: &Ctxt, hook: &Hook) {
    let ident = &hook.function.sig.ident;
    let wanted = "`ctx: &RunContext<…>` and `tools: Vec<ToolDefinition>`";
    match (hook.contexts.first(), hook.others.as_slice()) {
        (None, []) => ctxt.error(ident, format!("a function with `{}` takes {wanted}", hook.attribute.place)),
        (None, [list, ..]) => {
            let message = "the run's context comes before the tools: add `ctx: &RunContext<…>`, or mark it `#[ctx]`";
            ctxt.error(list, message);
        }
        (Some(_), []) => ctxt.error(ident, format!("a function with `{}` takes {wanted}", hook.attribute.place)),
        (Some(context), _) if !hook.context_first => {
            ctxt.error(&context.parameter, "the context comes first, and then the tools");
        }
        (Some(_), [_, extra @ ..]) => {
            for extra in extra {
                ctxt.error(extra, "a prepare hook takes the context and the tools, and nothing else; remove this");
            }
        }
    }
}
