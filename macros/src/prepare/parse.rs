//! From an annotated function to the model of a hook.

use proc_macro2::TokenStream;
use syn::{FnArg, ItemFn};

use super::model::Hook;
use crate::context::Context;
use crate::ctxt::Ctxt;
use crate::keyword;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};

const OPTIONS: &[Allowed] = &[allowed(keyword::CRATE, Kind::Module)];

pub(super) fn parse(ctxt: &Ctxt, place: &'static str, tokens: TokenStream, mut function: ItemFn) -> Hook {
    let mut options = Options::empty();
    options.read(ctxt, &format!("`{place}`"), OPTIONS, tokens);
    let (mut contexts, mut others, mut context_first) = (Vec::new(), Vec::new(), true);
    for argument in &mut function.sig.inputs {
        let parameter = match argument {
            FnArg::Typed(parameter) => parameter,
            FnArg::Receiver(receiver) => {
                ctxt.error(receiver, "a prepare hook is a free function: take `&RunContext<…>` first");
                continue;
            }
        };
        match Context::take(ctxt, parameter) {
            Some(context) => {
                context_first &= others.is_empty();
                contexts.push(context);
            }
            None => others.push(parameter.clone()),
        }
    }
    Hook { place, krate: Krate::new(options.module(keyword::CRATE)), function, contexts, context_first, others }
}
