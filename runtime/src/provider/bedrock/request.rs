//! The body of a request, written once from ready pieces.

use serde_json::Value;

use super::cache::{append_list, append_place};
use super::content::append_text;
use super::manner::Manner;
use super::message::append_said;
use super::profile::BedrockProfile;
use crate::choice::{ChoiceMode, Choices, ResolvedChoice};
use crate::error::Result;
use crate::json::append;
use crate::message::{History, Message, ResponsePart};
use crate::output::OutputFormat;
use crate::provider::body::Body;
use crate::provider::cache::{CachePlan, CacheSettings, Cacheable};
use crate::provider::choice::choose;
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::name::wire_name;
use crate::provider::tools::{JoinedTools, SentTools};
use crate::provider::transcript::Transcript;
use crate::schema::{OptIn, Strict};

/// The model that is asked.
pub(super) struct Target {
    pub(super) profile: BedrockProfile,
    pub(super) cache: CacheSettings,
}

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript<BedrockProfile>,
    tools: SentTools,
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tool choice or a prompt cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, target: &Target, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, .. } = *asked;
    let profile = &target.profile;
    let manner = Manner::of(profile, settings);
    let choice = choose(asked, Choices::of(input), manner.unforceable(), manner.thinks())?;
    let format = input.output_format.as_ref();
    let schema = format.map(|format| Strict::of_output(format, OptIn::Bedrock)).transpose()?.flatten();
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    sent.transcript.update(&input.history, profile, &is_offered)?;
    let transcript = &sent.transcript;
    let tools = match choice.names.as_ref().filter(|_| choice.single().is_none()) {
        // Where there were calls, the API wants the tools, too.
        None if choice.mode == ChoiceMode::None && !has_calls(&input.history) => &JoinedTools::default(),
        None => sent.tools.all(&input.function_tools, &input.output_tools, profile),
        // The API cannot be told otherwise which may be called.
        Some(only) => &JoinedTools::of(input.tools().filter(|tool| only.contains(&tool.name())), profile),
    };
    let are_kept = choice.mode == ChoiceMode::None && !tools.text.is_empty();
    let mut notes: Vec<String> = choice.notes().chain(tools.notes()).chain(manner.notes(model)).collect();
    notes.extend((are_kept && profile.claude.is_none()).then(|| kept_note(model)));
    let system = system(transcript.opening(), input.instructions.as_deref());
    let cacheable = Cacheable {
        has_tools: !tools.text.is_empty() && profile.tool_caching,
        has_system: !system.is_empty(),
        end: transcript.cacheable(),
        points: transcript.cache_points(),
    };
    let cache = cache_plan(target, &cacheable, &mut notes);

    let size = transcript.len() + tools.text.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.written("system", |out| append_list(out, &system, cache.system));
    manner.write_inference(&mut body);
    if !tools.text.is_empty() {
        body.object("toolConfig", |config| {
            config.written("tools", |out| append_list(out, &tools.text, cache.tools));
            if profile.tool_choice && !are_kept {
                config.written("toolChoice", |out| append_choice(out, &choice));
            }
        });
    }
    if let (Some(format), Some(schema)) = (format, schema) {
        body.written("outputConfig", |out| append_output(out, format, &schema));
    }
    body.object("additionalModelRequestFields", |fields| {
        manner.write_thinking(fields);
        if are_kept && profile.claude.is_some() {
            // The API itself has no word for it.
            fields.written("tool_choice", |out| out.extend_from_slice(br#"{"type":"none"}"#));
        }
    });
    body.extra();
    body.written("messages", |out| append_messages(out, transcript.messages(), &cache));
    Ok(Encoded { body: body.finish(), notes })
}

/// The blocks that stand before the conversation, each followed by a comma.
fn system(opening: &[u8], instructions: Option<&str>) -> Vec<u8> {
    let mut blocks = opening.to_vec();
    if let Some(text) = instructions.filter(|text| !text.trim().is_empty()) {
        append_text(&mut blocks, text);
    }
    blocks
}

/// Appends the messages, of which the API wants one at least.
fn append_messages(out: &mut Vec<u8>, messages: &[u8], cache: &CachePlan) {
    out.push(b'[');
    match messages.strip_suffix(b",") {
        Some(messages) => cache.append_messages(out, messages, append_place),
        None => {
            append_said(out, "user");
            out.pop();
        }
    }
    out.push(b']');
}

fn kept_note(model: &str) -> String {
    format!(
        "the model `{model}` is still sent its tools, as it has called some before, and cannot be kept from calling them"
    )
}

/// Whether the model has called a tool, or a provider has run one for it.
fn has_calls(history: &History) -> bool {
    history.iter().any(|message| match message {
        Message::Response(response) => response
            .parts
            .iter()
            .any(|part| matches!(part, ResponsePart::ToolCall(_) | ResponsePart::BuiltinToolReturn(_))),
        Message::Request(_) => false,
    })
}

/// Up to where the request is cached, as far as the model does that.
fn cache_plan(target: &Target, cacheable: &Cacheable<'_>, notes: &mut Vec<String>) -> CachePlan {
    let plan = CachePlan::of(target.cache, cacheable);
    let Some(longest) = target.profile.caching else {
        if plan != CachePlan::default() {
            notes.push("nothing is cached: the model does not remember the beginning of a request".to_owned());
        }
        return CachePlan::default();
    };
    if target.cache.tools.is_some() && !target.profile.tool_caching {
        notes.push("tools are not cached: the model remembers only what comes after them".to_owned());
    }
    let limited = plan.clone().at_most(longest);
    if plan != limited {
        let note = "what was to be cached for an hour is cached for five minutes, as long as the model remembers it";
        notes.push(note.to_owned());
    }
    limited
}

fn append_choice(out: &mut Vec<u8>, choice: &ResolvedChoice<'_>) {
    match (choice.mode, choice.single()) {
        (_, Some(name)) => {
            out.extend_from_slice(br#"{"tool":{"name":"#);
            append(out, &*wire_name(name));
            out.extend_from_slice(b"}}");
        }
        (ChoiceMode::Required, None) => out.extend_from_slice(br#"{"any":{}}"#),
        (ChoiceMode::Auto | ChoiceMode::None, None) => out.extend_from_slice(br#"{"auto":{}}"#),
    }
}

/// Appends what holds the model's text to a schema, which the API takes as a text.
fn append_output(out: &mut Vec<u8>, format: &OutputFormat, schema: &Value) {
    out.extend_from_slice(br#"{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"#);
    append(out, &*wire_name(&format.name));
    if let Some(description) = format.description.as_deref().filter(|text| !text.is_empty()) {
        out.extend_from_slice(br#","description":"#);
        append(out, description);
    }
    out.extend_from_slice(br#","schema":"#);
    append(out, &schema.to_string());
    out.extend_from_slice(b"}}}}");
}
