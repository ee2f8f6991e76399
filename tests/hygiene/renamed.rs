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
