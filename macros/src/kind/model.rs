//! What an annotated type says, before it is checked.

use syn::{Attribute, ItemStruct, LitStr, Type};

use crate::krate::Krate;

pub(crate) struct ToolKind {
    pub(crate) krate: Krate,
    /// The type as it stays.
    pub(crate) declaration: ItemStruct,
    /// The id; nothing where it was left out, which has its error already.
    pub(crate) id: Option<LitStr>,
    pub(crate) args: Option<Type>,
    pub(crate) content: Option<Type>,
    /// Further `#[tool_kind]` on the same type.
    pub(crate) repeated: Vec<Attribute>,
}
