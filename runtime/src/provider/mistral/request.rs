//! The body of a request, written once from ready pieces.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::profile::{MistralProfile, MistralReasoning};
use crate::choice::{ChoiceMode, Choices, ResolvedChoice};
use crate::error::Result;
use crate::json::append;
use crate::model::{ModelSettings, Thinking};
use crate::output::{OutputFormat, OutputMode};
use crate::provider::body::{Body, append_list};
use crate::provider::dialogue::append_messages;
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::name::wire_name;
use crate::provider::tools::{JoinedTools, SentTools, ToolForm, function_definition};
use crate::provider::transcript::Transcript;
use crate::schema::inlined;
use crate::tool::ToolDefinition;

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript<MistralProfile>,
    tools: SentTools,
}

impl ToolForm for MistralProfile {
    fn dialect(&self) -> &'static str {
        if self.inlined_schemas { "mistral, inlined" } else { "mistral" }
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        let parameters = tool.parameters();
        let parameters = if self.inlined_schemas { inlined(parameters) } else { Cow::Borrowed(parameters) };
        function_definition(tool, Some(tool.description().unwrap_or_default()), &parameters)
    }

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
/// Misuse, when the tool choice or a prompt cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, profile: &MistralProfile, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, streamed } = *asked;
    let choice = Choices::of(input).resolve(settings.tool_choice.as_ref())?;
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    sent.transcript.update(&input.history, profile, &is_offered)?;
    let only = only_tools(&choice);
    let tools = match &only {
        None => sent.tools.all(&input.function_tools, &input.output_tools, profile),
        Some(only) => &JoinedTools::of(input.tools().filter(|tool| only.contains(&tool.name())), profile),
    };
    let notes = choice.notes().chain(tools.notes()).chain(thinking_note(model, profile, settings.thinking)).collect();
    let tools = &tools.text;

    let size = sent.transcript.len() + tools.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.field("model", Some(model));
    if streamed {
        body.field("stream", Some(&true));
    }
    write_settings(&mut body, profile, settings);
    if let Some(format) = &input.output_format {
        body.written("response_format", |out| append_format(out, format));
    }
    if !tools.is_empty() {
        body.field("parallel_tool_calls", settings.parallel_tool_calls.as_ref());
        body.written("tool_choice", |out| append_choice(out, &choice));
        body.written("tools", |out| append_list(out, tools));
    }
    body.extra();
    body.written("messages", |out| {
        append_messages(out, &sent.transcript, profile, input.instructions.as_deref());
    });
    Ok(Encoded { body: body.finish(), notes })
}

/// The only tools that are sent. The API can be told of one that must be called, but of no list; told that none may be, models
/// answer with garbled calls.
fn only_tools<'a>(choice: &ResolvedChoice<'a>) -> Option<Vec<&'a str>> {
    match (choice.mode, choice.single(), &choice.names) {
        (ChoiceMode::None, ..) => Some(Vec::new()),
        (_, None, Some(names)) => Some(names.clone()),
        _ => None,
    }
}

fn write_settings(body: &mut Body<'_>, profile: &MistralProfile, settings: &ModelSettings) {
    body.field("max_tokens", settings.max_tokens.as_ref());
    body.field("temperature", settings.temperature.as_ref());
    body.field("top_p", settings.top_p.as_ref());
    body.field("presence_penalty", settings.presence_penalty.as_ref());
    body.field("frequency_penalty", settings.frequency_penalty.as_ref());
    body.field("stop", settings.stop_sequences.as_ref());
    body.field("random_seed", settings.seed.as_ref());
    body.field("reasoning_effort", profile.effort(settings.thinking));
}

/// What of the thinking that was asked for the model cannot do.
fn thinking_note(model: &str, profile: &MistralProfile, thinking: Option<Thinking>) -> Option<String> {
    match (profile.reasoning, thinking?) {
        (MistralReasoning::Never, Thinking::Off) => None,
        (MistralReasoning::Never, _) => Some(format!("`thinking` is not sent: the model `{model}` does not reason")),
        (MistralReasoning::Always, Thinking::Off) => {
            Some(format!("`thinking` is not sent: the model `{model}` always reasons"))
        }
        (MistralReasoning::Always | MistralReasoning::OnRequest, _) => None,
    }
}

/// Has the model write JSON, and where it can be held to it, to a schema.
fn append_format(out: &mut Vec<u8>, format: &OutputFormat) {
    #[derive(Serialize)]
    struct JsonSchema<'a> {
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        schema: &'a Value,
        strict: bool,
    }
    if format.mode != OutputMode::Native {
        return out.extend_from_slice(br#"{"type":"json_object"}"#);
    }
    out.extend_from_slice(br#"{"type":"json_schema","json_schema":"#);
    let schema = JsonSchema {
        name: &wire_name(&format.name),
        description: format.description.as_deref(),
        schema: &format.schema,
        strict: format.strict != Some(false),
    };
    append(out, &schema);
    out.push(b'}');
}

fn append_choice(out: &mut Vec<u8>, choice: &ResolvedChoice<'_>) {
    match (choice.single(), choice.mode) {
        (Some(name), _) => {
            out.extend_from_slice(br#"{"type":"function","function":{"name":"#);
            append(out, &*wire_name(name));
            out.extend_from_slice(b"}}");
        }
        (None, ChoiceMode::Required) => out.extend_from_slice(br#""any""#),
        (None, ChoiceMode::Auto | ChoiceMode::None) => out.extend_from_slice(br#""auto""#),
    }
}
