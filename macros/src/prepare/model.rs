//! What an annotated hook says, before it is checked.

use syn::{ItemFn, PatType};

use crate::context::Context;
use crate::krate::Krate;

pub(crate) struct Hook {
    /// The attribute, for messages.
    pub(crate) place: &'static str,
    pub(crate) krate: Krate,
    /// The function as it stays.
    pub(crate) function: ItemFn,
    pub(crate) contexts: Vec<Context>,
    /// Whether the context comes first.
    pub(crate) context_first: bool,
    /// The parameters that are no context; the first of them is the list.
    pub(crate) others: Vec<PatType>,
}
