//! What no hook can be, with the way out.

use syn::Safety;

use super::model::Hook;
use crate::context;
use crate::ctxt::Ctxt;

pub(super) fn validate(ctxt: &Ctxt, hook: &Hook) {
    let signature = &hook.function.sig;
    if let Safety::Unsafe(unsafety) = &signature.safety {
        ctxt.error(unsafety, format!("{} cannot be `unsafe`; remove it", hook.attribute.what));
    }
    context::only_one(ctxt, &hook.contexts);
    if let Some(context) = hook.contexts.first()
        && context.by_reference
        && signature.asyncness.is_some()
    {
        ctxt.error(&context.parameter.ty, "an `async` hook takes the context by value: write `RunContext<…>`");
    }
    hook.registration.validate(ctxt, hook.attribute.place, signature);
}
