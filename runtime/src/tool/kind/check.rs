//! That the kinds of an agent's tools are known, and that the tools fit them.

use super::fit::misfits;
use super::registry;
use crate::error::{Error, Result};
use crate::tool::ToolDefinition;

/// The definitions with a kind that are right: those of the step before are not looked at again.
#[derive(Default)]
pub(crate) struct CheckedKinds(Vec<ToolDefinition>);

impl CheckedKinds {
    /// Checks those of a step.
    pub(crate) fn check<'a>(&self, definitions: impl Iterator<Item = &'a ToolDefinition>) -> Result<Self> {
        let mut checked = Vec::new();
        for definition in definitions.filter(|definition| definition.tool_kind().is_some()) {
            if !self.0.get(checked.len()).is_some_and(|known| known.is_same(definition)) {
                check_kind(definition)?;
            }
            checked.push(definition.clone());
        }
        Ok(Self(checked))
    }
}

/// Checks that the tool's kind is known, and that its parameters fit the kind's arguments.
pub(crate) fn check_kind(tool: &ToolDefinition) -> Result<()> {
    let Some(id) = tool.tool_kind() else { return Ok(()) };
    let name = tool.name();
    let kind = match registry::find(id) {
        Some(Ok(kind)) => kind,
        Some(Err(why)) => return Err(Error::misuse(format!("tool `{name}`: {why}"))),
        None => {
            return Err(Error::misuse(format!(
                "tool `{name}` is of the kind `{id}`, which nothing in this program defines; link the crate that defines it \
                 (`use that_crate as _;`), or define it with `KindDefinition::define`"
            )));
        }
    };
    let misfits = kind.args().map(|args| misfits(args, tool.parameters())).unwrap_or_default();
    if misfits.is_empty() {
        return Ok(());
    }
    Err(Error::misuse(format!(
        "tool `{name}` is of the kind `{id}`, and does not take the kind's arguments: {}; change its parameters, or leave out \
         the kind",
        misfits.join("; ")
    )))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::ErrorKind;
    use crate::tool::kind::{AnyShape, KindDefinition, ToolKind, note};

    fn tool(kind: &str) -> ToolDefinition {
        ToolDefinition::new("t").with_tool_kind(kind)
    }

    #[test]
    fn a_kind_has_to_be_known_and_fit() {
        let missing = check_kind(&tool("check.nobody")).expect_err("nobody defines it");
        assert!(missing.to_string().contains("`t`") && missing.to_string().contains("`check.nobody`"), "{missing}");
        let args = json!({"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]});
        KindDefinition::new("check.lookup").with_args(args.clone()).define().expect("a kind");
        let misfit = check_kind(&tool("check.lookup")).expect_err("it has no `sku`");
        assert!(misfit.to_string().contains("there is no parameter `sku`"), "{misfit}");
        check_kind(&tool("check.lookup").with_parameters(args)).expect("it fits");
        for own in ["tool-search", "capability-load"] {
            assert!(check_kind(&tool(own)).expect_err("no parameters").to_string().contains("there is no parameter"));
        }
    }

    #[test]
    fn what_was_right_is_not_looked_at_again() {
        let right = ToolDefinition::new("t").with_tool_kind("check.again");
        let known = CheckedKinds(vec![right.clone()]);
        known.check([&right].into_iter()).expect("the same definition");
        assert!(known.check([&right.with_sequential(true)].into_iter()).is_err());
    }

    #[test]
    fn an_id_says_one_thing() {
        let plain = KindDefinition::new("check.twice");
        plain.clone().define().expect("new");
        plain.clone().define().expect("the same again");
        let error = plain.with_content(json!({"type": "string"})).define().expect_err("other content");
        assert!(error.kind() == ErrorKind::Misuse && error.to_string().contains("check.twice"), "{error}");
        for id in ["", "lookup", ".lookup", "check.", "check..lookup"] {
            assert!(KindDefinition::new(id).define().is_err_and(|error| error.kind() == ErrorKind::Misuse), "{id}");
        }
        assert!(KindDefinition::new("tool-search").define().is_err());
    }

    #[test]
    fn two_types_of_one_id_are_told_where_a_tool_has_it() {
        struct Twice;
        impl ToolKind for Twice {
            const ID: &'static str = "check.types";
            type Args = AnyShape;
            type Content = AnyShape;
        }
        note(KindDefinition::of::<Twice>());
        check_kind(&tool(Twice::ID)).expect("it fits");
        note(KindDefinition::of::<Twice>().with_content(json!({"type": "string"})));
        let error = check_kind(&tool(Twice::ID)).expect_err("two kinds");
        assert!(error.to_string().contains("tool `t`") && error.to_string().contains("defined twice"), "{error}");
    }
}
