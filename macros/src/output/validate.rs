//! What an enum of outputs cannot be, with the way out.

use std::collections::HashMap;

use quote::quote;
use syn::{GenericParam, Type};

use super::PLACE;
use super::expand::tool_name;
use super::model::{AgentOutput, Shape, Source, Variant};
use crate::ctxt::Ctxt;
use crate::tool::check_retries;
use crate::{keyword, ty};

pub(super) fn validate(ctxt: &Ctxt, output: &AgentOutput) {
    if output.variants.is_empty() {
        ctxt.error(&output.ident, format!("an enum without variants has no values; `{PLACE}` needs one at least"));
    }
    for param in &output.generics.params {
        if let GenericParam::Lifetime(lifetime) = param {
            ctxt.error(lifetime, "an output outlives the run, and owns its data; remove the lifetime");
        }
    }
    for variant in &output.variants {
        check_variant(ctxt, variant);
    }
    check_singles(ctxt, output);
    check_mode(ctxt, output);
    check_names(ctxt, output);
}

fn check_variant(ctxt: &Ctxt, variant: &Variant) {
    let ident = &variant.ident;
    if let [first, second, ..] = variant.marks.as_slice() {
        let (first, second) = (&first.word, &second.word);
        ctxt.error(second, format!("`{ident}` is `#[{first}]` already; remove one"));
    } else if let Some(mark) = variant.marks.first() {
        let word = &mark.word;
        let (what, ty) = match mark.source {
            Source::Text => ("the model's text", "String"),
            Source::Image => ("an image", "BinaryContent"),
            Source::File => ("a file", "BinaryContent"),
        };
        if !matches!(variant.shape, Shape::Value(_)) {
            ctxt.error(ident, format!("`#[{word}]` is for a variant that holds {what} alone: `{ident}({ty})`"));
        }
        for option in &variant.options.words {
            ctxt.error(option, format!("`{option}` is for output tools, and `{ident}` holds {what}; remove it"));
        }
    }
    check_shape(ctxt, variant);
    if let Some(retries) = &variant.options.retries {
        check_retries(ctxt, retries);
    }
}

fn check_shape(ctxt: &Ctxt, variant: &Variant) {
    match &variant.shape {
        Shape::Value(ty) => check_type(ctxt, ty),
        Shape::Fields(fields) => fields.iter().for_each(|field| check_type(ctxt, &field.ty)),
        Shape::Values(_) if !variant.marks.is_empty() => {}
        Shape::Values(fields) => {
            let ident = &variant.ident;
            ctxt.error(
                fields,
                format!(
                    "the model gives fields by name: write `{ident} {{ … }}` with named fields, or hold one struct"
                ),
            );
        }
    }
}

fn check_type(ctxt: &Ctxt, ty: &Type) {
    if let Some(reference) = ty::reference(ty) {
        let owned = ty::owned(&reference);
        ctxt.error(reference, format!("an output owns its data: take `{owned}`"));
    }
}

/// The model has one text, and one place for files.
fn check_singles(ctxt: &Ctxt, output: &AgentOutput) {
    for second in output.of(Source::Text).skip(1) {
        ctxt.error(&second.ident, "a run has one text; remove one of the variants that are `#[text]`");
    }
    let files = output.variants.iter().filter(|variant| matches!(variant.source(), Some(Source::Image | Source::File)));
    for second in files.skip(1) {
        ctxt.error(
            &second.ident,
            "an output has one variant for files; keep one, `#[image]` for images or `#[file]` for files of any sort",
        );
    }
}

fn check_mode(ctxt: &Ctxt, output: &AgentOutput) {
    let mode = match output.modes.as_slice() {
        [] => return,
        [only] => only,
        [_, second, ..] => {
            ctxt.error(&second.word, "`native` and `prompted` cannot be used together; remove one");
            return;
        }
    };
    let word = &mode.word;
    if let Some(text) = output.of(Source::Text).next() {
        let ident = &text.ident;
        ctxt.error(
            word,
            format!("with `{word}` the model's text is the value, so that `{ident}` cannot hold it; remove one"),
        );
        return;
    }
    let tools: Vec<_> = output.tools().collect();
    let [only] = tools.as_slice() else {
        let message = format!(
            "with `{word}` the model writes one value as its text, and this enum has {}; leave `{word}` out, or derive \
             `Deserialize` and `JsonSchema` in place of `AgentOutput` and say `OutputSpec::of().{word}()`",
            tools.len()
        );
        ctxt.error(word, message);
        return;
    };
    if let Some(retries) = only.options.words.iter().find(|option| *option == keyword::RETRIES) {
        ctxt.error(
            retries,
            format!("with `{word}` nothing is called: set the agent's `Retries::output` instead, and remove `retries`"),
        );
    }
}

/// No two output tools have one name, as far as that can be seen here.
fn check_names(ctxt: &Ctxt, output: &AgentOutput) {
    if !output.modes.is_empty() {
        return;
    }
    let several = output.tools().nth(1).is_some();
    let mut known = HashMap::new();
    // Names that were chosen give way to those that come by themselves.
    let (named, unnamed): (Vec<_>, Vec<_>) = output.tools().partition(|variant| variant.options.name.is_some());
    for variant in unnamed {
        known.insert(tool_name(variant, several), &variant.ident);
    }
    for variant in named {
        let Some(name) = &variant.options.name else { continue };
        if name.value().is_empty() {
            ctxt.error(name, "a tool needs a name; remove `name` to use the variant's");
        } else if let Some(first) = known.insert(name.value(), &variant.ident) {
            let name_text = name.value();
            ctxt.error(quote!(#name), format!("the output tool of `{first}` is called `{name_text}` too; rename one"));
        }
    }
}
