//! From an annotated module to its model.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::{FnArg, Item, ItemFn, ItemMacro, ItemMod, LitStr, Type, parse_quote};

use super::model::{Hook, Module};
use crate::context::Context;
use crate::ctxt::Ctxt;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};
use crate::toolset::marked::Marks;
use crate::toolset::{PLACE, deps, marked};
use crate::{item, keyword, tool};

/// The functions that come beside the items.
const MADE: [&str; 2] = ["toolset", "capability"];

const OPTIONS: &[Allowed] = &[
    allowed(keyword::ID, Kind::Text),
    allowed(keyword::VIS, Kind::Visibility),
    allowed(keyword::DEPS, Kind::Type),
    allowed(keyword::CRATE, Kind::Module),
];

pub(super) fn parse(ctxt: &Ctxt, tokens: TokenStream, item: ItemMod) -> Module {
    let mut options = Options::empty();
    options.read(ctxt, &format!("`{PLACE}` on a module"), OPTIONS, tokens);
    let krate = Krate::new(options.module(keyword::CRATE));
    let id = LitStr::new(&item.ident.unraw().to_string(), Span::call_site());
    let mut module = Module {
        marks: Marks::default(),
        krate,
        tools: Vec::new(),
        hooks: Vec::new(),
        instructions: Vec::new(),
        macros: Vec::new(),
        taken: Vec::new(),
        id: options.text(keyword::ID).unwrap_or(id),
        vis: options.vis(keyword::VIS).unwrap_or_else(|| parse_quote!(pub)),
        deps: options.ty(keyword::DEPS),
        item,
    };
    gather(ctxt, &mut module);
    let given = module.deps.take();
    module.deps = given.or_else(|| common_deps(&module));
    module
}

fn gather(ctxt: &Ctxt, module: &mut Module) {
    let Some((brace, mut items)) = module.item.content.take() else { return };
    for item in &mut items {
        match item {
            Item::Fn(function) => gather_function(ctxt, module, function),
            Item::Const(constant) => module.taken.extend(made(&constant.ident)),
            Item::Static(constant) => module.taken.extend(made(&constant.ident)),
            Item::Macro(call) if is_opaque(call) => module.macros.push(call.clone()),
            _ => {}
        }
    }
    module.item.content = Some((brace, items));
}

fn gather_function(ctxt: &Ctxt, module: &mut Module, function: &mut ItemFn) {
    module.taken.extend(made(&function.sig.ident));
    if let Some(place) = marked::find(ctxt, keyword::TOOL, &mut function.attrs) {
        let mut function = function.clone();
        let attribute = function.attrs.remove(place);
        module.tools.push(tool::inspect(&attribute, function));
    }
    if let Some(options) = module.marks.take(ctxt, keyword::PREPARE_TOOLS, &mut function.attrs) {
        module.hooks.push(hook(ctxt, keyword::PREPARE_TOOLS, options, function));
    }
    if let Some(options) = module.marks.take(ctxt, keyword::INSTRUCTIONS, &mut function.attrs) {
        module.instructions.push(hook(ctxt, keyword::INSTRUCTIONS, options, function));
    }
}

fn made(ident: &Ident) -> Option<Ident> {
    MADE.iter().any(|made| ident == made).then(|| ident.clone())
}

/// Whether the call of a macro may make anything: not one that defines a macro, or that can only make a static.
fn is_opaque(call: &ItemMacro) -> bool {
    let name = call.mac.path.segments.last().map(|segment| segment.ident.to_string());
    call.ident.is_none() && name.as_deref() != Some("thread_local")
}

fn hook(ctxt: &Ctxt, name: &str, options: TokenStream, function: &mut ItemFn) -> Hook {
    if !options.is_empty() {
        let message =
            format!("`#[{name}]` takes no options here: the function is of this module's toolset; remove them");
        ctxt.error(options, message);
    }
    let contexts = function.sig.inputs.iter_mut().filter_map(|argument| match argument {
        FnArg::Typed(parameter) => Context::take(ctxt, parameter),
        FnArg::Receiver(_) => None,
    });
    Hook {
        contexts: contexts.collect(),
        function: function.sig.ident.clone(),
        cfgs: item::cfgs(&function.attrs).cloned().collect(),
    }
}

/// The dependencies of the first tool, or else of the first hook, that has a say in them.
fn common_deps(module: &Module) -> Option<Type> {
    let hooks = module.hooks.iter().chain(&module.instructions);
    let of_hooks = || hooks.filter_map(|hook| hook.deps(&module.krate)).map(Type::Verbatim).next();
    deps::of(&module.tools).or_else(of_hooks)
}
