//! From an annotated `impl` block to its model.

use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;
use syn::ext::IdentExt as _;
use syn::{Attribute, Generics, ImplItem, ImplItemFn, ItemFn, ItemImpl, LitStr, parse_quote};

use super::model::Block;
use crate::ctxt::Ctxt;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};
use crate::tool::method;
use crate::tool::model::Tool;
use crate::toolset::marked::Marks;
use crate::toolset::{PLACE, deps};
use crate::{keyword, ty};

const OPTIONS: &[Allowed] = &[
    allowed(keyword::NAME, Kind::Name),
    allowed(keyword::ID, Kind::Text),
    allowed(keyword::VIS, Kind::Visibility),
    allowed(keyword::DEPS, Kind::Type),
    allowed(keyword::CRATE, Kind::Module),
];

pub(super) fn parse(ctxt: &Ctxt, tokens: TokenStream, mut item: ItemImpl) -> Block {
    let mut options = Options::empty();
    options.read(ctxt, &format!("`{PLACE}`"), OPTIONS, tokens);
    let krate = Krate::new(options.module(keyword::CRATE));
    let mut marks = Marks::default();
    let (mut tools, mut macros) = (Vec::new(), Vec::new());
    // What they make is unknown, and may have mistakes of its own.
    for call in item.items.extract_if(.., |member| matches!(member, ImplItem::Macro(_))) {
        if let ImplItem::Macro(call) = call {
            macros.push(call);
        }
    }
    for member in &mut item.items {
        match member {
            ImplItem::Fn(function) => tools.extend(tool(ctxt, &krate, &mut marks, &item.generics, function)),
            ImplItem::Const(constant) => no_tool(ctxt, &mut marks, &mut constant.attrs, &constant.ident),
            ImplItem::Type(alias) => no_tool(ctxt, &mut marks, &mut alias.attrs, &alias.ident),
            _ => {}
        }
    }
    let deps = options.ty(keyword::DEPS).or_else(|| deps::of(&tools));
    for tool in &mut tools {
        tool.give_deps(deps.as_ref());
    }
    let given = options.name(keyword::NAME);
    let owner = ty::last_segment(&item.self_ty).map(|segment| &segment.ident);
    let id = given.as_ref().or(owner).map_or_else(String::new, |ident| ident.unraw().to_string());
    let id = options.text(keyword::ID).unwrap_or_else(|| LitStr::new(&id, Span::call_site()));
    let name = given.unwrap_or_else(|| Ident::new("toolset", Span::call_site()));
    Block {
        krate,
        marks,
        tools,
        macros,
        into_name: format_ident!("into_{}", name.unraw(), span = name.span()),
        name,
        id,
        vis: options.vis(keyword::VIS).unwrap_or_else(|| parse_quote!(pub)),
        deps,
        item,
    }
}

/// The method as a tool, if it is marked as one; what only we understand is taken off.
fn tool(ctxt: &Ctxt, krate: &Krate, marks: &mut Marks, generics: &Generics, function: &mut ImplItemFn) -> Option<Tool> {
    let options = marks.take(ctxt, keyword::TOOL, &mut function.attrs)?;
    let whole = ItemFn {
        attrs: function.attrs.clone(),
        vis: function.vis.clone(),
        modifiers: function.modifiers.clone(),
        sig: function.sig.clone(),
        block: Box::new(function.block.clone()),
    };
    let tool = method::parse(ctxt, krate, generics, options, whole);
    function.attrs.clone_from(&tool.function.attrs);
    function.sig.clone_from(&tool.function.sig);
    Some(tool)
}

/// What is no method cannot be marked.
fn no_tool(ctxt: &Ctxt, marks: &mut Marks, attributes: &mut Vec<Attribute>, ident: &Ident) {
    if marks.take(ctxt, keyword::TOOL, attributes).is_some() {
        ctxt.error(ident, "`#[tool]` goes on a function, and this is none; remove it");
    }
}
