//! `agent = Support, order = n`: what many attributes take, to register their function with an agent.

mod expand;
mod validate;

use syn::{Expr, Type};

pub(crate) use self::expand::Registered;
use crate::keyword;
use crate::option::{Allowed, Kind, Options, allowed};

pub(crate) const AGENT: Allowed = allowed(keyword::AGENT, Kind::Types);
pub(crate) const ORDER: Allowed = allowed(keyword::ORDER, Kind::Expr);

/// With which agents a function is registered, and where among what else is.
pub(crate) struct Registration {
    agents: Vec<Type>,
    /// The word `agent`, if it was given.
    key: Option<proc_macro2::Ident>,
    order: Option<Expr>,
}

impl Registration {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            agents: options.types(keyword::AGENT),
            key: options.key(keyword::AGENT).cloned(),
            order: options.expr(keyword::ORDER),
        }
    }
}
