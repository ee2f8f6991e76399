//! What an agent type cannot be, with the way out.

use syn::Type;

use super::PLACE;
use super::model::Agent;
use crate::ctxt::Ctxt;
use crate::{keyword, ty};

pub(super) fn validate(ctxt: &Ctxt, agent: &Agent) {
    let generics = &agent.declaration.generics;
    if !generics.params.is_empty() {
        ctxt.error(
            generics,
            "what is registered is registered with one agent, and so it is one type; remove the generic parameters",
        );
    }
    for second in &agent.repeated {
        ctxt.error(second, format!("`{PLACE}` was given twice; remove one"));
    }
    if agent.name.value().trim().is_empty() {
        ctxt.error(&agent.name, "an agent needs a name; remove `name` to use the type's");
    }
    for (key, ty) in [(keyword::DEPS, &agent.deps), (keyword::OUTPUT, &agent.output)] {
        if let Some(ty) = ty {
            check_type(ctxt, key, ty);
        }
    }
}

fn check_type(ctxt: &Ctxt, key: &str, ty: &Type) {
    if let Some(implied) = ty::impl_trait(ty) {
        ctxt.error(implied, format!("`{key}` is one type for all that is registered: name it, instead of `impl`"));
    } else if let Some(reference) = ty::reference(ty)
        && !ty::is_static(&reference)
    {
        let owned = ty::owned(&reference);
        ctxt.error(reference, format!("`{key}` outlives every run: name `{owned}`"));
    }
}
