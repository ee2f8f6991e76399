//! What the examples share: a model to run on, and a wrapper that prints what the model saw and did.

pub mod helpdesk;
pub mod mcp;
pub mod receiver;
pub mod stock;

use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::ToolDefinition;
use toolwright::message::{Message, ModelResponse, Outcome, RequestPart, ResponsePart};
use toolwright::model::{AnyModel, Model, ModelInput, ModelSettings, PartEvents, RequestCache};
use toolwright::provider::anthropic::AnthropicModel;
use toolwright::provider::google::GoogleModel;
use toolwright::provider::openai::OpenAiChatModel;

/// The environment variable that names a real model, such as `gpt-5.2`, `claude-sonnet-4-5` or `gemini-2.5-flash`; its key is
/// taken from where its provider's models take theirs.
pub const MODEL_VARIABLE: &str = "TOOLWRIGHT_MODEL";

/// The real model that the environment names, or `offline`; either way it prints what it sees and does.
///
/// # Errors
///
/// When a real model is named and its key is missing.
pub fn model_or(offline: impl Model) -> toolwright::Result<Narrated> {
    silent_model_or(offline).map(Narrated::new)
}

/// The same, for examples that print for themselves.
///
/// # Errors
///
/// When a real model is named and its key is missing.
pub fn silent_model_or(offline: impl Model) -> toolwright::Result<AnyModel> {
    match std::env::var(MODEL_VARIABLE) {
        Ok(name) if name.starts_with("claude") => Ok(AnyModel::new(AnthropicModel::new(name)?)),
        Ok(name) if name.starts_with("gemini") => Ok(AnyModel::new(GoogleModel::new(name)?)),
        Ok(name) => Ok(AnyModel::new(OpenAiChatModel::new(name)?)),
        Err(_) => Ok(AnyModel::new(offline)),
    }
}

/// A model that prints what it sees and does.
pub struct Narrated {
    model: AnyModel,
    requests: AtomicUsize,
}

impl Narrated {
    /// Makes `model` print.
    pub fn new(model: impl Model) -> Self {
        Self { model: AnyModel::new(model), requests: AtomicUsize::new(0) }
    }
}

impl Model for Narrated {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn system(&self) -> &str {
        self.model.system()
    }

    fn settings(&self) -> Option<&ModelSettings> {
        self.model.settings()
    }

    fn has_native_output(&self) -> bool {
        self.model.has_native_output()
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> toolwright::Result<ModelResponse> {
        self.told(input);
        let response = self.model.request(input, cache).await?;
        response.parts.iter().for_each(print_response);
        Ok(response)
    }

    async fn request_stream(
        &self,
        input: &ModelInput,
        cache: &mut RequestCache,
        events: &mut PartEvents<'_>,
    ) -> toolwright::Result<ModelResponse> {
        self.told(input);
        let response = self.model.request_stream(input, cache, events).await?;
        response.parts.iter().for_each(print_response);
        Ok(response)
    }
}

impl Narrated {
    /// Prints what the model is asked.
    fn told(&self, input: &ModelInput) {
        println!("request {}", self.requests.fetch_add(1, Ordering::Relaxed) + 1);
        if let Some(Message::Request(request)) = input.history.last() {
            request.parts.iter().for_each(print_request);
        }
        input.function_tools.iter().for_each(print_tool);
    }
}

fn print_request(part: &RequestPart) {
    match part {
        RequestPart::UserPrompt(prompt) => {
            println!("  user:    {}", prompt.content.as_text().unwrap_or("(with files)"))
        }
        RequestPart::ToolReturn(answer) => {
            println!("  {} {} -> {}", ending(answer.outcome), answer.tool_name, answer.content.to_json());
        }
        _ => {}
    }
}

fn ending(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Success => "result: ",
        Outcome::Retried => "again:  ",
        Outcome::Denied => "denied: ",
        _ => "failed: ",
    }
}

fn print_tool(tool: &ToolDefinition) {
    let strict = if tool.strict() == Some(true) { " (strict)" } else { "" };
    println!("  offered: {}{strict}: {}", tool.name(), tool.description().unwrap_or("no description"));
    let properties = tool.parameters()["properties"].as_object();
    for (name, schema) in properties.into_iter().flatten() {
        let text = |key: &str| schema[key].as_str().unwrap_or("?").to_owned();
        println!("             {name} ({}): {}", text("type"), text("description"));
    }
}

fn print_response(part: &ResponsePart) {
    match part {
        ResponsePart::Text(text) => println!("  model:   {}", text.content),
        ResponsePart::ToolCall(call) => println!("  model:   calls {} with {}", call.tool_name, call.args.text()),
        _ => {}
    }
}
