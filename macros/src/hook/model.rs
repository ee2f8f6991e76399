//! What an annotated hook says, before it is checked.

use syn::{ItemFn, PatType};

use crate::context::Context;
use crate::krate::Krate;
use crate::registration::Registration;

/// An attribute that makes no new item: it checks a function, and registers it.
pub(crate) struct Attribute {
    /// As it is written, for messages: `#[prepare_tools]`.
    pub(crate) place: &'static str,
    /// What the function is, for messages: `a prepare hook`.
    pub(crate) what: &'static str,
    /// The method of the agent's builder that takes the function.
    pub(crate) method: &'static str,
}

pub(crate) struct Hook {
    pub(crate) attribute: &'static Attribute,
    pub(crate) krate: Krate,
    /// The function as it stays.
    pub(crate) function: ItemFn,
    pub(crate) contexts: Vec<Context>,
    /// Whether the context comes first.
    pub(crate) context_first: bool,
    /// The parameters that are no context.
    pub(crate) others: Vec<PatType>,
    pub(crate) registration: Registration,
}
