//! An enum of everything that a run may come to: values by output tools, the model's text, and an image that it draws.
//!
//! An output validator asks the model again where a table is too large, and an output function books it: both may wait for
//! somebody, and both have the run's context.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright::message::{ModelResponse, ToolCallPart};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{Agent, AgentOutput, BinaryContent, ModelRetry, OutputSpec, OutputTool, RunContext};
use toolwright_examples::model_or;

/// The restaurant.
struct House {
    largest_table: u32,
}

/// A table for a party.
#[derive(Debug, Deserialize, JsonSchema)]
struct Table {
    /// How many sit at it.
    seats: u32,
}

#[derive(Debug, AgentOutput)]
enum Answer {
    /// Offer a table.
    #[output(retries = 2)]
    Table(Table),
    /// Say when there is room again.
    Later { day: String, hour: u8 },
    /// Say that the house is closed.
    Closed,
    #[text]
    Words(String),
    #[image]
    Plan(BinaryContent),
}

/// Looks at a table before it is offered.
async fn fits(ctx: RunContext<House>, answer: Answer) -> Result<Answer, ModelRetry> {
    match &answer {
        Answer::Table(table) if table.seats > ctx.deps().largest_table => {
            Err(ModelRetry::new(format!("The largest table has {} seats.", ctx.deps().largest_table)))
        }
        _ => Ok(answer),
    }
}

/// What a booking is called.
#[derive(Debug)]
struct Booking(String);

/// Makes a booking of what the model asks for.
async fn book(ctx: RunContext<House>, table: Table) -> Result<Booking, ModelRetry> {
    tokio::task::yield_now().await;
    match table.seats {
        0 => Err(ModelRetry::new("Nobody needs no seats.")),
        seats => Ok(Booking(format!("{seats} of {} seats", ctx.deps().largest_table))),
    }
}

/// A model that offers the tables it is told of, one after the other.
fn waiter(tool: &'static str, seats: &'static [u32]) -> FunctionModel {
    FunctionModel::new(move |input: &ModelInput| {
        let seats = seats.get(input.history.len() / 2).copied().unwrap_or_default();
        ModelResponse::new(vec![ToolCallPart::new(tool, json!({"seats": seats})).into()])
    })
}

#[tokio::main]
async fn main() -> toolwright::Result<()> {
    println!("an enum, looked at:");
    let agent = Agent::<House>::builder(model_or(waiter("final_result_Table", &[12, 6]))?)
        .output_of::<Answer>()
        .output_validator(fits)
        .build()?;
    let answer = agent.run("A table for twelve, please.").deps(House { largest_table: 8 }).await?.into_output();
    match &answer {
        Answer::Table(table) => println!("a table with {} seats", table.seats),
        Answer::Later { day, hour } => println!("{day}, at {hour}"),
        Answer::Closed => println!("closed"),
        Answer::Words(words) => println!("{words}"),
        Answer::Plan(image) => println!("{} bytes of {}", image.data.len(), image.media_type),
    }

    println!("\na function:");
    let spec = OutputSpec::tool(OutputTool::function(book).named("book"));
    let agent = Agent::<House>::builder(model_or(waiter("book", &[0, 4]))?).output(spec).build()?;
    let booking = agent.run("Book a table.").deps(House { largest_table: 8 }).await?.into_output();
    println!("booked: {}", booking.0);
    Ok(())
}
