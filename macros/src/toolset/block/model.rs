//! What an annotated `impl` block says, before it is checked.

use proc_macro2::Ident;
use syn::{ImplItemMacro, ItemImpl, LitStr, Type, Visibility};

use crate::krate::Krate;
use crate::tool::model::Tool;
use crate::toolset::marked::Marks;

/// An annotated block.
pub(super) struct Block {
    pub(super) krate: Krate,
    pub(super) marks: Marks,
    /// The block as it stays: without our attributes.
    pub(super) item: ItemImpl,
    pub(super) tools: Vec<Tool>,
    /// What `#[toolset]` cannot look into.
    pub(super) macros: Vec<ImplItemMacro>,
    /// The method that gives the tools of a shared value.
    pub(super) name: Ident,
    /// The method that gives the tools of a value of its own.
    pub(super) into_name: Ident,
    pub(super) id: LitStr,
    pub(super) vis: Visibility,
    /// The dependencies that all tools have, if they have any.
    pub(super) deps: Option<Type>,
}
