//! A run that is read while it goes on: which tools the model has at each step, and why not the others; its words as they
//! come in; and what tools tell meanwhile.

use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, TextPart, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput, PartDelta, PartEvent};
use toolwright::{Agent, Event, FunctionToolset, RunContext, ToolDefinition, ToolsetExt, prepare_tools, tool, tools};
use toolwright_examples::silent_model_or;

/// The run's dependencies: who sits at the desk.
#[derive(PartialEq)]
enum Staff {
    Trainee,
    Supervisor,
}

/// Look up an order.
#[tool]
async fn look_up(ctx: &RunContext<Staff>, order: u32) -> String {
    ctx.emit("asking the warehouse");
    format!("order {order} was lost on its way")
}

/// Give the money back.
#[tool(deps = Staff, prepare = for_supervisors)]
async fn refund(order: u32) -> String {
    format!("order {order} is refunded")
}

fn for_supervisors(ctx: &RunContext<Staff>, tool: ToolDefinition) -> Option<ToolDefinition> {
    (*ctx.deps() == Staff::Supervisor).then_some(tool)
}

/// Send the goods of an order again.
#[tool(defer_loading)]
async fn send_again(order: u32) -> String {
    format!("order {order} is on its way again")
}

/// Add up the day's takings.
#[tool]
async fn takings() -> u32 {
    1_250
}

/// Close the books.
#[tool]
async fn close_books() -> &'static str {
    "closed"
}

/// Who has just begun is held to the schemas, and does not see the takings.
#[prepare_tools]
fn supervised(ctx: &RunContext<Staff>, tools: Vec<ToolDefinition>) -> Vec<ToolDefinition> {
    if *ctx.deps() == Staff::Supervisor {
        return tools;
    }
    tools.into_iter().filter(|tool| tool.name() != "books_takings").map(|tool| tool.with_strict(true)).collect()
}

/// A model that looks, searches, and sends.
fn offline() -> FunctionModel {
    let call = |name, args| ResponsePart::ToolCall(ToolCallPart::new(name, args));
    FunctionModel::new(move |input: &ModelInput| match input.history.len() {
        1 => {
            let look = call("look_up", json!({"order": 17}));
            ModelResponse::new(vec![ResponsePart::Text(TextPart::new("Let me see what became of it.")), look])
        }
        3 => ModelResponse::new(vec![call("search_tools", json!({"queries": ["send goods again"]}))]),
        5 => ModelResponse::new(vec![call("send_again", json!({"order": 17}))]),
        _ => ModelResponse::text("It was lost; a new one is on its way."),
    })
}

fn print(event: Event) {
    match event {
        Event::StepReport(report) => println!("{report}"),
        Event::Part(PartEvent::Start { part: ResponsePart::Text(text), .. }) => print!("model: {}", text.content),
        Event::Part(PartEvent::Delta { delta: PartDelta::Text(more), .. }) => print!("{more}"),
        Event::Part(PartEvent::End { part: ResponsePart::Text(_), .. }) => println!(),
        Event::FunctionToolCall { call, .. } => println!("call: {} with {}", call.tool_name, call.args.text()),
        Event::Custom { tool_name, data, .. } => println!("{}: {data}", tool_name.unwrap_or_default()),
        Event::FunctionToolResult { part, .. } => println!("result: {}", part.content.to_json()),
        _ => {}
    }
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    let books = FunctionToolset::new().with_id("books").with_tools(tools![takings, close_books]);
    let agent = Agent::<Staff>::builder(silent_model_or(offline())?)
        .tools(tools![look_up, refund, send_again])
        .toolset(books.filtered(|_, tool| tool.name() != "close_books").prefixed("books"))
        .prepare_tools(supervised)
        .build()?;

    let mut run = agent.run("Where is my order 17?").deps(Staff::Trainee).stream();
    while let Some(event) = run.next().await {
        print(event);
    }
    let result = run.finish().await?;

    // The reports are kept: an answer to "why did it not just give the money back?"
    if let Some(refund) = result.steps().last().and_then(|report| report.tool("refund")) {
        println!("at the end, {refund}");
    }
    Ok(())
}
