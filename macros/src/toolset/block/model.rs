//! What an annotated `impl` block says, before it is checked.

use proc_macro2::Ident;
use syn::{ImplItem, ImplItemFn, ImplItemMacro, ItemImpl, LitStr, Type, Visibility};

use crate::krate::Krate;
use crate::tool::model::Tool;
use crate::toolset::marked::Marks;
use crate::ty;

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

impl Block {
    /// Whether it has the methods of a type, and not those of a trait.
    pub(super) fn is_of_a_type(&self) -> bool {
        self.item.trait_.is_none() && ty::last_segment(&self.item.self_ty).is_some()
    }

    /// The block's own method of this name.
    pub(super) fn method(&self, name: &Ident) -> Option<&ImplItemFn> {
        self.item.items.iter().find_map(|item| match item {
            ImplItem::Fn(function) if function.sig.ident == *name => Some(function),
            _ => None,
        })
    }
}
