//! What cannot be registered, with the way out.

use std::collections::HashSet;

use quote::ToTokens as _;
use syn::{Expr, GenericParam, Lit, Signature, Type};

use super::Registration;
use crate::ctxt::Ctxt;
use crate::number::literal;
use crate::ty;

impl Registration {
    /// Checks what is registered by the attribute `place` on a function.
    pub(crate) fn validate(&self, ctxt: &Ctxt, place: &str, signature: &Signature) {
        self.check_agents(ctxt);
        if let Some(order) = &self.order {
            check_order(ctxt, order);
            if self.key.is_none() {
                ctxt.error(
                    order,
                    "`order` is the place among what is registered with an agent; add `agent = …`, or remove it",
                );
            }
        }
        let generic = signature.generics.params.iter().find(|param| !matches!(param, GenericParam::Lifetime(_)));
        if let (Some(generic), Some(_)) = (generic, &self.key) {
            let ident = &signature.ident;
            ctxt.error(
                generic,
                format!(
                    "a generic function cannot be registered, since nobody says for which types; write one for these types that \
                     calls `{ident}`, and put `{place}` on that"
                ),
            );
        }
    }

    fn check_agents(&self, ctxt: &Ctxt) {
        let mut seen = HashSet::new();
        if let (Some(key), []) = (&self.key, self.agents.as_slice()) {
            ctxt.error(key, "`agent` names no agent: write `agent = Support`, or remove it");
        }
        for agent in &self.agents {
            if !matches!(ty::bare(agent), Type::Path(_)) {
                ctxt.error(
                    agent,
                    "an agent is the type that `#[agent]` is on: `agent = Support`, or `agent = [Support, Sales]`",
                );
            } else if !seen.insert(agent.to_token_stream().to_string()) {
                ctxt.error(agent, "this agent was named twice; remove one");
            }
        }
    }
}

fn check_order(ctxt: &Ctxt, order: &Expr) {
    let message = match literal(order) {
        Some((_, Lit::Int(number))) if number.base10_parse::<i32>().is_err() => "`order` is too large; it is an `i32`",
        None | Some((_, Lit::Int(_))) => return,
        Some(_) => "`order` is a whole number: `order = 3`",
    };
    ctxt.error(order, message);
}
