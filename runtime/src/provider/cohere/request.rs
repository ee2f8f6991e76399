//! The body of a request, written once from ready pieces.

use serde_json::json;

use super::profile::CohereProfile;
use super::thinking::ThinkingConfig;
use crate::choice::{ChoiceMode, Choices};
use crate::error::{Error, Result};
use crate::model::{ModelSettings, Thinking};
use crate::output::{OutputFormat, OutputMode};
use crate::provider::body::{Body, append_list};
use crate::provider::dialogue::append_messages;
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::tools::{JoinedTools, SentTools, ToolForm, function_definition};
use crate::provider::transcript::Transcript;
use crate::tool::ToolDefinition;

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript<CohereProfile>,
    tools: SentTools,
}

impl ToolForm for CohereProfile {
    fn dialect(&self) -> &'static str {
        "cohere"
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        function_definition(tool, tool.description(), tool.parameters())
    }

    /// Tools are strict all together or not at all.
    fn is_strict(&self, _encoded: &str) -> bool {
        false
    }
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tool choice, a prompt or a native output cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, profile: &CohereProfile, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, streamed } = *asked;
    let choice = Choices::of(input).resolve(settings.tool_choice.as_ref())?;
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    sent.transcript.update(&input.history, profile, &is_offered)?;
    // The API cannot be told which tools may be called, so the others are left out.
    let is_sent = |tool: &&ToolDefinition| choice.names.as_ref().is_none_or(|names| names.contains(&tool.name()));
    let tools = match &choice.names {
        None => sent.tools.all(&input.function_tools, &input.output_tools, profile),
        Some(_) => &JoinedTools::of(input.tools().filter(is_sent), profile),
    };
    let is_strict = profile.strict_tools
        && !tools.text.is_empty()
        && input.tools().filter(is_sent).all(|tool| tool.strict() == Some(true));
    let mut notes: Vec<_> = choice.notes().chain(setting_notes(model, profile, settings)).collect();
    if !is_strict {
        notes.extend(tools.notes());
    }
    let tools = &tools.text;

    let size = sent.transcript.len() + tools.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.field("model", Some(model));
    body.field("stream", Some(&streamed));
    write_settings(&mut body, profile, settings);
    if let Some(format) = &input.output_format {
        match tools.is_empty() {
            true => body.field("response_format", Some(&response_format(format))),
            false => notes.extend(format_beside_tools(model, format)?),
        }
    }
    let mode = match choice.mode {
        ChoiceMode::None => Some("NONE"),
        ChoiceMode::Required => Some("REQUIRED"),
        ChoiceMode::Auto => None,
    };
    if !tools.is_empty() {
        body.field("tool_choice", mode);
        body.field("strict_tools", is_strict.then_some(&true));
        body.written("tools", |out| append_list(out, tools));
    }
    body.extra();
    body.written("messages", |out| {
        append_messages(out, &sent.transcript, profile, input.instructions.as_deref());
    });
    Ok(Encoded { body: body.finish(), notes })
}

fn write_settings(body: &mut Body<'_>, profile: &CohereProfile, settings: &ModelSettings) {
    body.field("max_tokens", settings.max_tokens.as_ref());
    body.field("temperature", settings.temperature.as_ref());
    body.field("p", settings.top_p.as_ref());
    body.field("presence_penalty", settings.presence_penalty.as_ref());
    body.field("frequency_penalty", settings.frequency_penalty.as_ref());
    body.field("stop_sequences", settings.stop_sequences.as_ref());
    body.field("seed", settings.seed.as_ref());
    let thinking = settings.thinking.filter(|_| profile.reasoning);
    body.field("thinking", thinking.map(ThinkingConfig::of).as_ref());
}

/// What of the settings the API or the model does not take.
fn setting_notes(model: &str, profile: &CohereProfile, settings: &ModelSettings) -> Vec<String> {
    let mut notes = Vec::new();
    if settings.parallel_tool_calls.is_some() {
        notes.push("`parallel_tool_calls` is not sent: the API does not know it".to_owned());
    }
    if !profile.reasoning && settings.thinking.is_some_and(|thinking| thinking != Thinking::Off) {
        notes.push(format!("`thinking` is not sent: the model `{model}` does not reason"));
    }
    notes
}

/// Has the model write JSON, and where it is to be held to it, to a schema.
fn response_format(format: &OutputFormat) -> serde_json::Value {
    match format.mode {
        OutputMode::Native => json!({"type": "json_object", "json_schema": *format.schema}),
        _ => json!({"type": "json_object"}),
    }
}

/// What becomes of an output's format in a request with tools, beside which the API takes none.
fn format_beside_tools(model: &str, format: &OutputFormat) -> Result<Option<String>> {
    match format.mode {
        OutputMode::Native => Err(Error::misuse(format!(
            "the model `{model}` cannot be held to a schema as it writes text while it has tools; use `.prompted()` in place of \
             `.native()`, or an output tool"
        ))),
        _ => Ok(Some("the model is not held to JSON: the API does not do that beside tools".to_owned())),
    }
}
