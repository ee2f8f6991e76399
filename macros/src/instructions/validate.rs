//! What a function that gives instructions cannot be, with the way out.

use syn::ReturnType;

use crate::ctxt::Ctxt;
use crate::hook::Hook;
use crate::ty;

pub(super) fn validate(ctxt: &Ctxt, hook: &Hook) {
    for extra in &hook.others {
        let message = "a function that gives instructions takes the run's context, or nothing; take what else it needs from \
                       the context's dependencies, or mark the context `#[ctx]`";
        ctxt.error(extra, message);
    }
    match &hook.function.sig.output {
        ReturnType::Default => {
            ctxt.error(&hook.function.sig.ident, "a function that gives instructions returns a text: add `-> String`");
        }
        ReturnType::Type(_, output) => {
            if let Some(reference) = ty::reference(output)
                && !ty::is_static(&reference)
            {
                ctxt.error(reference, "instructions outlive the call: return a `String`, or a `&'static str`");
            }
        }
    }
}
