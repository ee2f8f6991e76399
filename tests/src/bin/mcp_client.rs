//! A client for the protocol's own conformance tests: an agent whose model calls every tool of the server at the URL that it is
//! given.

use std::convert::Infallible;
use std::process::ExitCode;

use serde_json::Map;
use toolwright::mcp::{Elicitation, ElicitationAnswer, McpToolset};
use toolwright::model::TestModel;
use toolwright::{Agent, Error};

#[tokio::main]
async fn main() -> ExitCode {
    let Some(url) = std::env::args().nth(1) else {
        eprintln!("the URL of a server is missing");
        return ExitCode::FAILURE;
    };
    match run(url).await {
        Ok(output) => {
            eprintln!("{output}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(url: String) -> Result<String, Error> {
    let accepts = |_: Elicitation| async { Ok::<_, Infallible>(ElicitationAnswer::Accept(Map::new())) };
    let toolset = McpToolset::http(url).on_elicitation(accepts);
    let agent = Agent::<()>::builder(TestModel::new()).toolset(toolset).build()?;
    Ok(agent.run("Call every tool.").await?.output().clone())
}
