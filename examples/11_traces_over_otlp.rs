//! Traces, sent over OTLP: what an agent does, as spans that any collector of traces takes.
//!
//! The library makes `tracing` spans; the application decides where they go. Here they go to a small receiver inside the
//! program, which prints them. To see them in a collector of yours:
//!
//! ```console
//! OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318 cargo run -p toolwright-examples --example 11_traces_over_otlp
//! ```

use std::error::Error;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use serde_json::json;
use toolwright::message::{ModelResponse, ResponsePart, ToolCallPart};
use toolwright::model::FunctionModel;
use toolwright::{Agent, ModelRetry, RunContext, tool, tools};
use toolwright_examples::receiver::Receiver;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

/// The weather in a city, today.
#[tool]
async fn weather(city: String) -> Result<String, ModelRetry> {
    match city.as_str() {
        "Atlantis" => Err(ModelRetry::new("There is no such city any more; name one on land.")),
        city => Ok(format!("sunny in {city}")),
    }
}

/// What to wear in this weather.
#[tool]
async fn advice(ctx: &RunContext<()>, weather: String) -> toolwright::Result<String> {
    let model = FunctionModel::new(|_| answer(ModelResponse::text("Take sunglasses.")));
    let adviser = Agent::<()>::builder(model).name("adviser").build()?;
    // Its spans are under this call's, whatever it shares with its caller.
    Ok(adviser.run(weather).within(ctx).await?.into_output())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let receiver = Receiver::start()?;
    let elsewhere = std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT").ok();
    let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpJson);
    let exporter = match &elsewhere {
        // The exporter reads the variable itself.
        Some(_) => exporter.build()?,
        None => exporter.with_endpoint(receiver.endpoint()).build()?,
    };
    let provider = SdkTracerProvider::builder()
        .with_resource(Resource::builder().with_service_name("toolwright-example").build())
        .with_batch_exporter(exporter)
        .build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("toolwright-example"));
    // Everything of ours; the HTTP client, through which spans are sent, makes spans too.
    let ours = Targets::new().with_target("toolwright", LevelFilter::INFO);
    tracing_subscriber::registry().with(layer.with_filter(ours)).init();

    let agent = Agent::<()>::builder(FunctionModel::new(script))
        .name("guide")
        .tools(tools![weather, advice])
        // Arguments, results and messages are in no span without this.
        .trace_content(true)
        .build()?;
    let result = agent.run("What should I wear in Atlantis?").await?;
    println!("{}\n", result.output());

    // What still waits to be sent is sent now.
    tokio::task::spawn_blocking(move || provider.shutdown()).await??;
    match elsewhere {
        Some(endpoint) => println!("The spans were sent to {endpoint}."),
        None => receiver.print(),
    }
    Ok(())
}

/// What the model does at each step, in place of a real one.
fn script(input: &toolwright::model::ModelInput) -> ModelResponse {
    let calls = |name: &str, args| ModelResponse::new(vec![ResponsePart::ToolCall(ToolCallPart::new(name, args))]);
    answer(match input.history.len() {
        1 => calls("weather", json!({"city": "Atlantis"})),
        3 => calls("weather", json!({"city": "Oslo"})),
        5 => calls("advice", json!({"weather": "sunny"})),
        _ => ModelResponse::text("In Oslo, take sunglasses."),
    })
}

fn answer(mut response: ModelResponse) -> ModelResponse {
    response.usage.input_tokens = 100;
    response.usage.output_tokens = 10;
    response
}
