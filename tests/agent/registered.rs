//! Tools and hooks that are registered with an agent type.

use toolwright::model::TestModel;
use toolwright::{Agent, RunContext, ToolDefinition, agent, instructions, prepare_tools, tool, tools};
use toolwright_tests::desk::{Desk, Files};

use crate::support::{done, echo, script};

/// Search files.
#[tool(agent = Desk)]
fn search(word: String) -> String {
    word
}

#[instructions(agent = Desk)]
async fn place(ctx: RunContext<Files>) -> Result<String, std::io::Error> {
    Ok(format!("Writing is {}.", if ctx.deps().writable { "on" } else { "off" }))
}

#[tokio::test]
async fn first() {
    let agent = Desk::builder(TestModel::new()).build().expect("agent");
    let result = agent.run("Go.").deps(Files::default()).await.expect("run");
    let step = &result.steps()[0];
    panic!("{:?} {step:?}", agent.tools());
}
