//! Under another name of the crate.

mod reexport {
    pub(crate) use ::toolwright as tw;
}

use self::reexport::tw::RunContext;

/// Tells.
#[reexport::tw::tool(crate = self::reexport::tw)]
pub(crate) fn tell(
    ctx: RunContext<i32>,
    #[arg(default = 1)]
    #[schemars(range(max = 9))]
    times: i32,
) -> i32 {
    ctx.deps() * times
}

/// Said.
#[reexport::tw::tool_kind("hygiene.saying", crate = self::reexport::tw, args = Words)]
pub(crate) struct Saying;

type Words = ::std::collections::BTreeMap<::std::string::String, u8>;

/// Says.
#[reexport::tw::tool(crate = self::reexport::tw, tool_kind = Saying)]
pub(crate) fn say(words: Words) -> usize {
    words.len()
}

/// Holds.
pub(crate) struct Holder;

/// What it holds.
#[reexport::tw::toolset(crate = self::reexport::tw)]
impl Holder {
    /// Tells.
    #[self::reexport::tw::tool]
    pub(crate) fn held(&self, ctx: RunContext<i32>) -> i32 {
        *ctx.deps()
    }
}

/// Has a toolset.
#[reexport::tw::toolset(crate = super::reexport::tw)]
pub(crate) mod holding {
    use super::reexport;

    /// Tells.
    #[reexport::tw::tool(crate = super::reexport::tw)]
    pub(crate) fn told() -> i32 {
        1
    }
}

/// Leaves the tools as they are.
#[reexport::tw::prepare_output_tools(crate = self::reexport::tw)]
async fn hook(
    _: RunContext<i32>,
    tools: ::std::vec::Vec<reexport::tw::ToolDefinition>,
) -> ::std::vec::Vec<reexport::tw::ToolDefinition> {
    tools
}

#[test]
fn hooks_stay_functions() {
    ::std::mem::drop(hook(RunContext::detached(1), ::std::vec::Vec::new()));
}

/// An agent.
#[reexport::tw::agent(crate = self::reexport::tw, deps = i32)]
pub(crate) struct Support;

#[reexport::tw::tool(crate = self::reexport::tw, agent = Support)]
fn registered(ctx: RunContext<i32>) -> i32 {
    *ctx.deps()
}

#[reexport::tw::instructions(crate = self::reexport::tw, agent = Support)]
async fn rules(_: RunContext<i32>) -> &'static str {
    "Be brief."
}

#[reexport::tw::output_validator(crate = self::reexport::tw, agent = Support)]
async fn validated(_: RunContext<i32>, text: ::std::string::String) -> ::std::string::String {
    text
}
