//! What an annotated type says, before it is checked.

use syn::{Attribute, ItemStruct, LitStr, Type};

use crate::krate::Krate;

pub(crate) struct Agent {
    pub(crate) krate: Krate,
    /// The type as it stays.
    pub(crate) declaration: ItemStruct,
    pub(crate) name: LitStr,
    pub(crate) deps: Option<Type>,
    pub(crate) output: Option<Type>,
    /// Whether what is registered is left to whoever builds the agent.
    pub(crate) manual: bool,
    /// Further `#[agent]` on the same type.
    pub(crate) repeated: Vec<Attribute>,
}
