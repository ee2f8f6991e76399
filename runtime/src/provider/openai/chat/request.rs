//! The body of a request, written once from ready pieces.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::profile::OpenAiChatProfile;
use super::tools::{JoinedTools, SentTools};
use super::transcript::Transcript;
use crate::choice::{ChoiceMode, Choices, ResolvedChoice};
use crate::error::{Error, Result};
use crate::json::append;
use crate::model::{ModelInput, ModelSettings};
use crate::provider::name::wire_name;
use crate::provider::openai::effort::Effort;
use crate::tool::ToolDefinition;

/// The model that is asked.
pub(super) struct Target<'a> {
    pub(super) model: &'a str,
    pub(super) profile: &'a OpenAiChatProfile,
    /// Whether the reply is to come in chunks.
    pub(super) streamed: bool,
}

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript,
    tools: SentTools,
}

/// A request that can be sent.
pub(super) struct Encoded {
    pub(super) body: Vec<u8>,
    /// What it could not carry as it was asked to.
    pub(super) notes: Vec<String>,
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tool choice or a prompt cannot be sent to such a model.
pub(super) fn body(
    target: &Target<'_>,
    input: &ModelInput,
    settings: &ModelSettings,
    sent: &mut Sent,
) -> Result<Encoded> {
    let profile = target.profile;
    // Only a choice by name asks which tools are hidden.
    let hidden: Vec<_> = match settings.tool_choice {
        Some(_) => input.hidden_tools.iter().map(ToolDefinition::shared_name).collect(),
        None => Vec::new(),
    };
    let choice = choose(target, input, settings, &hidden)?;
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    sent.transcript.update(&input.history, profile, &is_offered)?;
    let only = only_tools(profile, &choice);
    let tools = match &only {
        None => sent.tools.all(&input.function_tools, &input.output_tools, profile),
        Some(only) => &JoinedTools::of(all_tools(input).filter(|tool| only.contains(&tool.name())), profile),
    };
    let notes = notes(&choice, tools);
    let tools = &tools.text;

    let size = sent.transcript.len() + tools.len() + 4096;
    let mut body = Body { out: Vec::with_capacity(size), extra: settings.extra_body.as_ref() };
    body.field("model", Some(target.model));
    if target.streamed {
        body.field("stream", Some(&true));
        if profile.stream_usage {
            body.written("stream_options", |out| out.extend_from_slice(br#"{"include_usage":true}"#));
        }
    }
    write_settings(&mut body, profile, settings);
    if !tools.is_empty() {
        body.field("parallel_tool_calls", settings.parallel_tool_calls.as_ref());
        body.written("tool_choice", |out| append_choice(out, profile, &choice));
        body.written("tools", |out| append_list(out, tools));
    }
    for (key, value) in settings.extra_body.iter().flatten() {
        body.key(key);
        append(&mut body.out, value);
    }
    body.written("messages", |out| {
        sent.transcript.append_to(out, profile.system_role.as_str(), input.instructions.as_deref())
    });
    body.out.push(b'}');
    Ok(Encoded { body: body.out, notes })
}

fn notes(choice: &ResolvedChoice<'_>, tools: &JoinedTools) -> Vec<String> {
    let ignored =
        choice.ignored.iter().map(|name| format!("tool_choice names `{name}`, which no tool of this step has"));
    let not_strict = tools
        .not_strict
        .iter()
        .map(|name| format!("tool `{name}` is not sent as strict: its schema, or the model, cannot carry it"));
    ignored.chain(not_strict).collect()
}

/// An object that grows. Keys of `extra` are left to it.
struct Body<'a> {
    out: Vec<u8>,
    extra: Option<&'a Map<String, Value>>,
}

impl Body<'_> {
    fn key(&mut self, name: &str) {
        self.out.push(if self.out.is_empty() { b'{' } else { b',' });
        append(&mut self.out, name);
        self.out.push(b':');
    }

    fn written(&mut self, name: &str, write: impl FnOnce(&mut Vec<u8>)) {
        if !self.extra.is_some_and(|extra| extra.contains_key(name)) {
            self.key(name);
            write(&mut self.out);
        }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: Option<&T>) {
        if let Some(value) = value {
            self.written(name, |out| append(out, value));
        }
    }
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

fn choose<'a>(
    target: &Target<'_>,
    input: &'a ModelInput,
    settings: &ModelSettings,
    hidden: &'a [Arc<str>],
) -> Result<ResolvedChoice<'a>> {
    let choices = Choices {
        function_tools: &input.function_tools,
        output_tools: &input.output_tools,
        hidden,
        allow_text: input.allow_text,
    };
    let mut choice = choices.resolve(settings.tool_choice.as_ref())?;
    if choice.mode == ChoiceMode::Required && !target.profile.forced_tool_choice {
        if choice.forced {
            return Err(Error::misuse(format!(
                "the model `{}` cannot be made to call a tool; choose `ToolChoice::Auto`",
                target.model
            )));
        }
        choice.mode = ChoiceMode::Auto;
    }
    Ok(choice)
}

/// The only tools that are sent: none are left out, unless the server cannot be told otherwise which may be called.
fn only_tools<'a>(profile: &OpenAiChatProfile, choice: &ResolvedChoice<'a>) -> Option<Vec<&'a str>> {
    let names = choice.names.as_ref()?;
    (!profile.allowed_tools && !is_single(names, choice.mode)).then(|| names.clone())
}

fn all_tools(input: &ModelInput) -> impl Iterator<Item = &ToolDefinition> {
    input.function_tools.iter().chain(input.output_tools.iter())
}

/// Appends what is followed by commas as a JSON array.
fn append_list(out: &mut Vec<u8>, items: &[u8]) {
    out.push(b'[');
    out.extend_from_slice(items.strip_suffix(b",").unwrap_or(items));
    out.push(b']');
}

fn is_single(names: &[&str], mode: ChoiceMode) -> bool {
    names.len() == 1 && mode == ChoiceMode::Required
}

fn append_choice(out: &mut Vec<u8>, profile: &OpenAiChatProfile, choice: &ResolvedChoice<'_>) {
    let mode = match choice.mode {
        ChoiceMode::None => "none",
        ChoiceMode::Auto => "auto",
        ChoiceMode::Required => "required",
    };
    match &choice.names {
        Some(names) if is_single(names, choice.mode) => append_name(out, names[0]),
        Some(names) if profile.allowed_tools => {
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
