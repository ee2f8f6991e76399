//! Names in expansions that nobody else uses.

use std::fmt::Display;

use proc_macro2::{Ident, Span};

/// A value's name. The user's expressions cannot see it, nor it them.
pub(crate) fn value(name: impl Display) -> Ident {
    Ident::new(&format!("__tw_{name}"), Span::mixed_site())
}

/// A constant's name.
pub(crate) fn constant(name: impl Display) -> Ident {
    Ident::new(&format!("__TW_{name}"), Span::mixed_site())
}

/// A type's name.
pub(crate) fn ty(name: impl Display) -> Ident {
    Ident::new(&format!("__Tw{name}"), Span::mixed_site())
}

/// The dependencies of whatever agent; messages show this name.
pub(crate) fn any_deps() -> Ident {
    Ident::new("__AnyDeps", Span::mixed_site())
}
