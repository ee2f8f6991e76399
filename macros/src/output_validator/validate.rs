//! What an output validator cannot be, with the way out.

use syn::ReturnType;

use crate::ctxt::Ctxt;
use crate::hook::Hook;
use crate::ty;

pub(super) fn validate(ctxt: &Ctxt, hook: &Hook) {
    let ident = &hook.function.sig.ident;
    match (hook.contexts.first(), hook.others.as_slice()) {
        (_, []) => ctxt.error(ident, "an output validator takes `ctx: &RunContext<…>` and the output"),
        (None, [output, ..]) => {
            let message = "the run's context comes before the output: add `ctx: &RunContext<…>`, or mark it `#[ctx]`";
            ctxt.error(output, message);
        }
        (Some(context), _) if !hook.context_first => {
            ctxt.error(&context.parameter, "the context comes first, and then the output");
        }
        (Some(_), [output, extra @ ..]) => {
            for extra in extra {
                ctxt.error(
                    extra,
                    "an output validator takes the context and the output, and nothing else; remove this",
                );
            }
            if let Some(implied) = ty::impl_trait(&output.ty) {
                ctxt.error(implied, "an output validator takes the agent's output: name its type, instead of `impl`");
            } else if let Some(reference) = ty::reference(&output.ty) {
                let owned = ty::owned(&reference);
                ctxt.error(
                    reference,
                    format!("an output validator is given the output, and gives it back: take `{owned}`"),
                );
            }
        }
    }
    if let ReturnType::Default = hook.function.sig.output {
        ctxt.error(
            ident,
            "an output validator returns the output, or a `Result` of it: add `-> Result<…, ModelRetry>`",
        );
    }
}
