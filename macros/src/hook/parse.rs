//! From an annotated function to the model of a hook.

use proc_macro2::TokenStream;
use syn::{FnArg, ItemFn};

use super::model::{Attribute, Hook};
use crate::context::Context;
use crate::ctxt::Ctxt;
use crate::keyword;
use crate::krate::Krate;
use crate::option::{Allowed, Kind, Options, allowed};
use crate::registration::{self, Registration};

const OPTIONS: &[Allowed] = &[registration::AGENT, registration::ORDER, allowed(keyword::CRATE, Kind::Module)];

pub(super) fn parse(ctxt: &Ctxt, attribute: &'static Attribute, tokens: TokenStream, mut function: ItemFn) -> Hook {
    let mut options = Options::empty();
    options.read(ctxt, &format!("`{}`", attribute.place), OPTIONS, tokens);
    let (mut contexts, mut others, mut context_first) = (Vec::new(), Vec::new(), true);
    for argument in &mut function.sig.inputs {
        let parameter = match argument {
            FnArg::Typed(parameter) => parameter,
            FnArg::Receiver(receiver) => {
                ctxt.error(
                    receiver,
                    format!(
                        "{} is a free function: take what it needs from the context's dependencies",
                        attribute.what
                    ),
                );
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
    Hook {
        attribute,
        krate: Krate::new(options.module(keyword::CRATE)),
        function,
        contexts,
        context_first,
        others,
        registration: Registration::new(&options),
    }
}
