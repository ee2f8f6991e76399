//! Runs that are stopped: by a tool, from outside, by a deadline; and tools that take too long. What has completed stays in
//! the history, and the next run goes on from it.

use std::time::Duration;

use toolwright::message::{Message, RequestPart};
use toolwright::model::TestModel;
use toolwright::{Agent, CancellationToken, History, RunContext, tool, tools};
use toolwright_examples::Narrated;

/// Look at the clock.
#[tool]
async fn quick() -> &'static str {
    "noon"
}

/// Dig a tunnel.
#[tool]
async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_secs(60)).await;
    "done"
}

/// Pull the emergency brake.
#[tool]
async fn brake(ctx: &RunContext<()>) {
    tokio::time::sleep(Duration::from_millis(20)).await;
    ctx.cancel();
}

/// Dig a tunnel, but not for long.
#[tool(timeout = 0.05)]
async fn hasty() -> &'static str {
    tokio::time::sleep(Duration::from_secs(60)).await;
    "done"
}

fn print_answers(history: &History) {
    for part in history.iter().filter_map(|message| match message {
        Message::Request(request) => Some(&request.parts),
        _ => None,
    }) {
        for part in part {
            if let RequestPart::ToolReturn(answer) = part {
                println!("  kept:    {} {:?} {}", answer.tool_name, answer.outcome, answer.content.to_json());
            }
        }
    }
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let digging = || Agent::<()>::builder(Narrated::new(TestModel::new())).tools(tools![quick, slow]);

    println!("-- a token from outside");
    let agent = digging().build()?;
    let token = CancellationToken::new();
    let stop = token.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        stop.cancel();
    });
    let Err(error) = agent.run("Dig.").cancel_on(token).await else { return Ok(()) };
    println!("  error:   {error}");
    let history = error.history().cloned().unwrap_or_default();
    print_answers(&history);
    println!("  and on:");
    print_answers(agent.run("Never mind.").history(history).await?.history());

    println!("-- a deadline");
    let Err(error) = digging().build()?.run("Dig.").deadline(Duration::from_millis(20)).await else { return Ok(()) };
    println!("  error:   {error}");

    println!("-- a tool that cancels");
    let agent = Agent::<()>::builder(Narrated::new(TestModel::new())).tools(tools![brake, slow]).build()?;
    let Err(error) = agent.run("Dig.").await else { return Ok(()) };
    println!("  error:   {error}");

    println!("-- a tool that takes too long");
    let agent = Agent::<()>::builder(Narrated::new(TestModel::new())).tools(tools![hasty]).build()?;
    let Err(error) = agent.run("Dig.").await else { return Ok(()) };
    println!("  error:   {error}");
    Ok(())
}
