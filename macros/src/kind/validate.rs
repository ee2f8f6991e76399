//! What a kind cannot be, with the way out.

use syn::Type;

use super::model::ToolKind;
use super::{PLACE, id};
use crate::ctxt::Ctxt;
use crate::{keyword, ty};

pub(super) fn validate(ctxt: &Ctxt, kind: &ToolKind) {
    if let Some(literal) = &kind.id
        && let Some(fault) = id::fault(&literal.value())
    {
        ctxt.error(literal, fault);
    }
    let generics = &kind.declaration.generics;
    if !generics.params.is_empty() {
        ctxt.error(generics, "a kind has one id, and so it is one type; remove the generic parameters");
    }
    for second in &kind.repeated {
        ctxt.error(second, format!("`{PLACE}` was given twice; remove one"));
    }
    for (key, ty) in [(keyword::ARGS, &kind.args), (keyword::CONTENT, &kind.content)] {
        if let Some(ty) = ty {
            check_type(ctxt, key, ty);
        }
    }
}

fn check_type(ctxt: &Ctxt, key: &str, ty: &Type) {
    if let Some(implied) = ty::impl_trait(ty) {
        ctxt.error(implied, format!("`{key}` is read from histories: name a type, instead of `impl`"));
    } else if let Some(reference) = ty::reference(ty) {
        let owned = ty::owned(&reference);
        ctxt.error(reference, format!("`{key}` is read from histories, and owns its data: take `{owned}`"));
    }
}
