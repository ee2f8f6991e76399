//! The body of a request, written once from ready pieces.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

use super::profile::OpenAiChatProfile;
use super::transcript::Transcript;
use crate::choice::{ChoiceMode, Choices, ResolvedChoice};
use crate::error::{Error, Result};
use crate::json::append;
use crate::model::{ModelInput, ModelSettings};
use crate::provider::name::wire_name;
use crate::provider::openai::effort::Effort;
use crate::schema::Strict;
use crate::tool::ToolDefinition;

/// The model that is asked.
pub(super) struct Target<'a> {
    pub(super) model: &'a str,
    pub(super) profile: &'a OpenAiChatProfile,
    /// Whether the reply is to come in chunks.
    pub(super) streamed: bool,
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
    transcript: &mut Transcript,
) -> Result<Vec<u8>> {
    let profile = target.profile;
    // Only a choice by name asks which tools are hidden.
    let hidden: Vec<_> = match settings.tool_choice {
        Some(_) => input.hidden_tools.iter().map(ToolDefinition::shared_name).collect(),
        None => Vec::new(),
    };
    let choice = choose(target, input, settings, &hidden)?;
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    transcript.update(&input.history, profile, &is_offered)?;

    let mut body = Body { out: Vec::with_capacity(transcript.len() + 4096), extra: settings.extra_body.as_ref() };
    body.field("model", Some(target.model));
    if target.streamed {
        body.field("stream", Some(&true));
        if profile.stream_usage {
            body.written("stream_options", |out| out.extend_from_slice(br#"{"include_usage":true}"#));
        }
    }
    write_settings(&mut body, profile, settings);
    let tools: Vec<&ToolDefinition> = sent_tools(profile, input, &choice).collect();
    if !tools.is_empty() {
        body.field("parallel_tool_calls", settings.parallel_tool_calls.as_ref());
        body.written("tool_choice", |out| append_choice(out, profile, &choice));
        body.written("tools", |out| append_tools(out, profile, &tools));
    }
    for (key, value) in settings.extra_body.iter().flatten() {
        body.key(key);
        append(&mut body.out, value);
    }
    body.written("messages", |out| {
        transcript.append_to(out, profile.system_role.as_str(), input.instructions.as_deref())
    });
    body.out.push(b'}');
    Ok(body.out)
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

/// The tools that are sent: all, unless the server cannot be told otherwise which ones may be called.
fn sent_tools<'a>(
    profile: &OpenAiChatProfile,
    input: &'a ModelInput,
    choice: &ResolvedChoice<'_>,
) -> impl Iterator<Item = &'a ToolDefinition> {
    let only = match (&choice.names, choice.mode) {
        (Some(names), mode) if !profile.allowed_tools && !is_single(names, mode) => Some(names.clone()),
        _ => None,
    };
    let all = input.function_tools.iter().chain(input.output_tools.iter());
    all.filter(move |tool| only.as_ref().is_none_or(|only| only.contains(&tool.name())))
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

fn append_tools(out: &mut Vec<u8>, profile: &OpenAiChatProfile, tools: &[&ToolDefinition]) {
    let dialect = profile.dialect();
    for (index, tool) in tools.iter().enumerate() {
        out.push(if index == 0 { b'[' } else { b',' });
        out.extend_from_slice(tool.encoded(dialect, |tool| encode_tool(tool, profile)).as_bytes());
    }
    out.push(b']');
}

fn encode_tool(tool: &ToolDefinition, profile: &OpenAiChatProfile) -> String {
    #[derive(Serialize)]
    struct Tool<'a> {
        r#type: &'static str,
        function: Function<'a>,
    }
    #[derive(Serialize)]
    struct Function<'a> {
        name: &'a str,
        description: &'a str,
        parameters: &'a Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        strict: Option<bool>,
    }
    let asked = if profile.strict_tools { tool.strict() } else { Some(false) };
    let made = Strict::of(tool.parameters(), asked, profile.keywords());
    let function = Function {
        name: &wire_name(tool.name()),
        description: tool.description().unwrap_or_default(),
        parameters: &made.schema,
        strict: made.strict.then_some(true),
    };
    // A tree of JSON values always has a text.
    serde_json::to_string(&Tool { r#type: "function", function }).unwrap_or_default()
}
