//! Scripted models, and tools from closures.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};
use toolwright::error::BoxError;
use toolwright::message::{
    History, Message, ModelResponse, Outcome, RequestPart, ResponsePart, ToolCallPart, ToolContent, ToolReturnPart,
};
use toolwright::model::{FunctionModel, ModelInput};
use toolwright::{RawTool, RunContext, Tool, ToolDefinition};

/// A model that answers these responses, one after the other, and the last one again and again.
pub(crate) fn script(responses: Vec<ModelResponse>) -> FunctionModel {
    let next = AtomicUsize::new(0);
    FunctionModel::new(move |_: &ModelInput| {
        let place = next.fetch_add(1, Ordering::Relaxed).min(responses.len() - 1);
        responses[place].clone()
    })
}

/// A response that makes these calls: names and ids.
pub(crate) fn calls(calls: &[(&str, &str)]) -> ModelResponse {
    let parts = calls.iter().map(|(name, id)| ResponsePart::ToolCall(ToolCallPart::new(*name, json!({})).with_id(*id)));
    ModelResponse::new(parts.collect())
}

pub(crate) fn done() -> ModelResponse {
    ModelResponse::text("done")
}

/// A tool without parameters.
pub(crate) fn tool<D, F, Fut>(name: &str, function: F) -> Tool<D>
where
    D: Send + Sync + 'static,
    F: Fn(RunContext<D>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Value, BoxError>> + Send + 'static,
{
    let definition = ToolDefinition::new(name).with_parameters(json!({"type": "object", "properties": {}}));
    RawTool::new(definition, move |ctx, _: Map<String, Value>| function(ctx)).into()
}

/// A tool that returns its name.
pub(crate) fn echo<D: Send + Sync + 'static>(name: &'static str) -> Tool<D> {
    tool(name, move |_| async move { Ok(json!(name)) })
}

/// The answers in a history, as id and outcome.
pub(crate) fn answers(history: &History) -> Vec<(String, Outcome)> {
    returns(history).into_iter().map(|part| (part.tool_call_id, part.outcome)).collect()
}

/// A result as the model reads it.
pub(crate) fn said(content: &ToolContent) -> String {
    let json = content.to_json();
    json.as_str().unwrap_or_else(|| json.text().to_owned())
}

pub(crate) fn returns(history: &History) -> Vec<ToolReturnPart> {
    history
        .iter()
        .filter_map(|message| match message {
            Message::Request(request) => Some(request.parts.clone()),
            Message::Response(_) => None,
            other => panic!("an unknown message: {other:?}"),
        })
        .flatten()
        .filter_map(|part| match part {
            RequestPart::ToolReturn(part) => Some(part),
            _ => None,
        })
        .collect()
}
