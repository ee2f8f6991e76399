//! The body of a request, written once from ready pieces.

use super::profile::OpenAiChatProfile;
use crate::choice::ResolvedChoice;
use crate::error::Result;
use crate::json::append;
use crate::model::ModelSettings;
use crate::output::{OutputFormat, OutputMode};
use crate::provider::body::{Body, append_list};
use crate::provider::dialogue::append_messages;
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::name::wire_name;
use crate::provider::openai::choice::{choose, mode_name, only_tools};
use crate::provider::openai::effort::Effort;
use crate::provider::openai::format::JsonSchema;
use crate::provider::tools::{JoinedTools, SentTools};
use crate::provider::transcript::Transcript;

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript<OpenAiChatProfile>,
    tools: SentTools,
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tool choice or a prompt cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, profile: &OpenAiChatProfile, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, streamed } = *asked;
    let choice = choose(model, profile.forced_tool_choice, input, settings)?;
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    sent.transcript.update(&input.history, profile, &is_offered)?;
    let only = only_tools(&choice, profile.allowed_tools);
    let tools = match &only {
        None => sent.tools.all(&input.function_tools, &input.output_tools, profile),
        Some(only) => &JoinedTools::of(input.tools().filter(|tool| only.contains(&tool.name())), profile),
    };
    let notes = choice.notes().chain(tools.notes()).collect();
    let tools = &tools.text;

    let size = sent.transcript.len() + tools.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.field("model", Some(model));
    if streamed {
        body.field("stream", Some(&true));
        if profile.stream_usage {
            body.written("stream_options", |out| out.extend_from_slice(br#"{"include_usage":true}"#));
        }
    }
    write_settings(&mut body, profile, settings);
    if let Some(format) = &input.output_format {
        body.written("response_format", |out| append_format(out, profile, format));
    }
    if !tools.is_empty() {
        body.field("parallel_tool_calls", settings.parallel_tool_calls.as_ref());
        body.written("tool_choice", |out| append_choice(out, profile, &choice));
        body.written("tools", |out| append_list(out, tools));
    }
    body.extra();
    body.written("messages", |out| {
        append_messages(out, &sent.transcript, profile, input.instructions.as_deref());
    });
    Ok(Encoded { body: body.finish(), notes })
}

fn write_settings(body: &mut Body<'_>, profile: &OpenAiChatProfile, settings: &ModelSettings) {
    let limit = if profile.max_completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body.field(limit, settings.max_tokens.as_ref());
    if profile.reasoning.takes_sampling(settings.thinking) {
        body.field("temperature", settings.temperature.as_ref());
        body.field("top_p", settings.top_p.as_ref());
        body.field("presence_penalty", settings.presence_penalty.as_ref());
        body.field("frequency_penalty", settings.frequency_penalty.as_ref());
    }
    body.field("stop", settings.stop_sequences.as_ref());
    body.field("seed", settings.seed.as_ref());
    body.field("reasoning_effort", profile.reasoning.effort(settings.thinking).map(Effort::as_str));
}

/// Has the model write JSON, and where it can be held to it, to a schema.
fn append_format(out: &mut Vec<u8>, profile: &OpenAiChatProfile, format: &OutputFormat) {
    if format.mode != OutputMode::Native {
        return out.extend_from_slice(br#"{"type":"json_object"}"#);
    }
    out.extend_from_slice(br#"{"type":"json_schema","json_schema":"#);
    append(out, &JsonSchema::of(format, profile.strict_tools, profile.keywords()));
    out.push(b'}');
}

fn append_choice(out: &mut Vec<u8>, profile: &OpenAiChatProfile, choice: &ResolvedChoice<'_>) {
    let mode = mode_name(choice.mode);
    match (choice.single(), &choice.names) {
        (Some(name), _) => append_name(out, name),
        (None, Some(names)) if profile.allowed_tools => {
            out.extend_from_slice(br#"{"type":"allowed_tools","allowed_tools":{"mode":"#);
            append(out, mode);
            out.extend_from_slice(br#","tools":["#);
            for (index, name) in names.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                append_name(out, name);
            }
            out.extend_from_slice(b"]}}");
        }
        _ => append(out, mode),
    }
}

fn append_name(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(br#"{"type":"function","function":{"name":"#);
    append(out, &*wire_name(name));
    out.extend_from_slice(b"}}");
}
