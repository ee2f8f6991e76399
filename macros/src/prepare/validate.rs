//! What a hook cannot be, with the way out.

use syn::{ReturnType, Safety};

use super::model::Hook;
use crate::context;
use crate::ctxt::Ctxt;

pub(super) fn validate(ctxt: &Ctxt, hook: &Hook) {
    let signature = &hook.function.sig;
    if signature.receiver().is_some() {
        return;
    }
    if let Safety::Unsafe(unsafety) = &signature.safety {
        ctxt.error(unsafety, "a prepare hook cannot be `unsafe`; remove it");
    }
    check_parameters(ctxt, hook);
    context::only_one(ctxt, &hook.contexts);
    if let Some(context) = hook.contexts.first()
        && context.by_reference
        && signature.asyncness.is_some()
    {
        ctxt.error(&context.parameter.ty, "an `async` hook takes the context by value: write `RunContext<…>`");
    }
    if let ReturnType::Default = signature.output {
        let message = "a prepare hook returns the tools of the step: add `-> Vec<ToolDefinition>`";
        ctxt.error(&signature.ident, message);
    }
}

fn check_parameters(ctxt: &Ctxt, hook: &Hook) {
    let ident = &hook.function.sig.ident;
    let wanted = "`ctx: &RunContext<…>` and `tools: Vec<ToolDefinition>`";
    match (hook.contexts.first(), hook.others.as_slice()) {
        (None, []) => ctxt.error(ident, format!("a function with `{}` takes {wanted}", hook.place)),
        (None, [list, ..]) => {
            let message = "the run's context comes before the tools: add `ctx: &RunContext<…>`, or mark it `#[ctx]`";
            ctxt.error(list, message);
        }
        (Some(_), []) => ctxt.error(ident, format!("a function with `{}` takes {wanted}", hook.place)),
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
