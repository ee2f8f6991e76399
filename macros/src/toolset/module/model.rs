//! What an annotated module says, before it is checked.

use proc_macro2::{Ident, TokenStream};
use syn::{Attribute, ItemMacro, ItemMod, LitStr, Type, Visibility};

use crate::context::Context;
use crate::krate::Krate;
use crate::tool::model::Tool;
use crate::toolset::marked::Marks;

/// An annotated module.
pub(super) struct Module {
    pub(super) krate: Krate,
    pub(super) marks: Marks,
    /// The module as it stays: without the attributes on hooks and instructions. Those on tools do their own work.
    pub(super) item: ItemMod,
    pub(super) tools: Vec<Tool>,
    pub(super) hooks: Vec<Hook>,
    pub(super) instructions: Vec<Hook>,
    /// What `#[toolset]` cannot look into.
    pub(super) macros: Vec<ItemMacro>,
    /// What is there already of the names of the functions that come beside the items.
    pub(super) taken: Vec<Ident>,
    pub(super) id: LitStr,
    pub(super) vis: Visibility,
    pub(super) deps: Option<Type>,
}

/// A function that decides what of the tools is seen, or gives instructions.
pub(super) struct Hook {
    pub(super) function: Ident,
    /// The attributes that decide whether it is there.
    pub(super) cfgs: Vec<Attribute>,
    pub(super) contexts: Vec<Context>,
}

impl Hook {
    /// The type of the dependencies, if it takes the context.
    pub(super) fn deps(&self, krate: &Krate) -> Option<TokenStream> {
        self.contexts.first().map(|context| context.deps(krate))
    }
}
