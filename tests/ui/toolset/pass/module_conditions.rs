#![deny(warnings)]

use toolwright::toolset;
use toolwright::toolset::AnyToolset;

#[toolset(deps = String)]
mod bank {
    use toolwright::{RunContext, ToolDefinition, prepare_tools, tool};

    #[cfg(all())]
    #[tool]
    pub fn find() {}

    #[cfg(not(all()))]
    #[tool]
    pub fn find(absent: Absent) -> Missing {}

    #[cfg(not(all()))]
    #[prepare_tools]
    fn shown(absent: Absent) -> Missing {}

    #[prepare_tools]
    async fn asked(_: RunContext<String>, tools: Vec<ToolDefinition>) -> Option<Vec<ToolDefinition>> {
        Some(tools)
    }
}

#[toolset]
#[cfg(not(all()))]
mod absent {
    use absent::Absent;
}

fn main() {
    bank::find();
    let _: AnyToolset<String> = bank::toolset();
}
