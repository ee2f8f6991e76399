//! What the examples share: a model to run on, and a wrapper that prints what the model saw and did.

use toolwright::message::{Message, RequestPart, ResponsePart};
use toolwright::model::{AnyModel, Model, ModelInput, ModelSettings, RequestCache};
use toolwright::provider::openai::OpenAiChatModel;
use toolwright::{ToolDefinition, message::ModelResponse};

/// The environment variable that names a real model, such as `gpt-5.2`; its key is taken from `OPENAI_API_KEY`.
pub const MODEL_VARIABLE: &str = "TOOLWRIGHT_MODEL";

/// The real model that the environment names, or `offline`; either way it prints what it sees and does.
///
/// # Errors
///
/// When a real model is named and its key is missing.
pub fn model_or(offline: impl Model) -> toolwright::Result<Narrated> {
    let model = match std::env::var(MODEL_VARIABLE) {
        Ok(name) => AnyModel::new(OpenAiChatModel::new(name)?),
        Err(_) => AnyModel::new(offline),
    };
    Ok(Narrated(model))
}

/// A model that prints what it sees and does.
pub struct Narrated(AnyModel);

impl Model for Narrated {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn system(&self) -> &str {
        self.0.system()
    }

    fn settings(&self) -> Option<&ModelSettings> {
        self.0.settings()
    }

    async fn request(&self, input: &ModelInput, cache: &mut RequestCache) -> toolwright::Result<ModelResponse> {
        if let Some(Message::Request(request)) = input.history.last() {
            request.parts.iter().for_each(print_request);
        }
        print_tools(&input.function_tools);
        let response = self.0.request(input, cache).await?;
        response.parts.iter().for_each(print_response);
        Ok(response)
    }
}

fn print_request(part: &RequestPart) {
    match part {
        RequestPart::UserPrompt(prompt) => println!("user:  {}", prompt.content.as_text().unwrap_or("(with files)")),
        RequestPart::ToolReturn(answer) => {
            println!("{}:  {} -> {}", word(answer.outcome), answer.tool_name, answer.content.to_json());
        }
        _ => {}
    }
}

fn word(outcome: toolwright::message::Outcome) -> &'static str {
    match outcome {
        toolwright::message::Outcome::Success => "result",
        toolwright::message::Outcome::Retried => "again",
        _ => "no result",
    }
}

fn print_tools(tools: &[ToolDefinition]) {
    if tools.is_empty() {
        println!("tools: none");
    }
    for tool in tools {
        let strict = if tool.strict() == Some(true) { " (strict)" } else { "" };
        println!("tools: {}{strict}: {}", tool.name(), tool.description().unwrap_or("no description"));
        println!("       {}", tool.parameters());
    }
}

fn print_response(part: &ResponsePart) {
    match part {
        ResponsePart::Text(text) => println!("model: {}", text.content),
        ResponsePart::ToolCall(call) => println!("model: calls {} with {}", call.tool_name, call.args.text()),
        _ => {}
    }
}
