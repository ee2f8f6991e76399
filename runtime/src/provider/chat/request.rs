//! The body of a request, written once from ready pieces.

use super::choice::{choose, mode_name, only_tools};
use super::format::JsonSchema;
use super::profile::{ChatProfile, ForcedWithThinking, WhileReasoning};
use super::{ChatForm, thinking};
use crate::choice::{ChoiceMode, Choices, ResolvedChoice};
use crate::error::{Error, Result};
use crate::json::append;
use crate::model::{ModelInput, ModelSettings, Thinking};
use crate::output::{OutputFormat, OutputMode};
use crate::provider::body::{Body, append_list};
use crate::provider::dialogue::append_messages;
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::name::wire_name;
use crate::provider::tools::{JoinedTools, SentTools};
use crate::provider::transcript::Transcript;
use crate::wording::listed;

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(crate) struct Sent {
    transcript: Transcript<ChatForm>,
    tools: SentTools,
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tools, their choice or a prompt cannot be sent to such a model.
pub(crate) fn body(asked: &Asked<'_>, form: &ChatForm, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, streamed } = *asked;
    let profile = &form.profile;
    let choice = resolve(model, profile, input, settings)?;
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    sent.transcript.update(&input.history, form, &is_offered)?;
    let only = callable(profile, &choice);
    let tools = match &only {
        None => sent.tools.all(&input.function_tools, &input.output_tools, profile),
        Some(only) => &JoinedTools::of(input.tools().filter(|tool| only.contains(&tool.name())), profile),
    };
    let mut notes: Vec<_> = choice.notes().chain(tools.notes()).collect();
    notes.extend(unheeded(form, &choice, settings));
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
    notes.extend(write_settings(&mut body, profile, settings));
    if let Some(format) = &input.output_format
        && (format.mode == OutputMode::Native || profile.json_object_output)
    {
        body.written("response_format", |out| append_format(out, profile, format));
    }
    if !tools.is_empty() {
        body.field(
            "parallel_tool_calls",
            settings.parallel_tool_calls.filter(|_| profile.parallel_tool_calls).as_ref(),
        );
        body.written("tool_choice", |out| append_choice(out, profile, &choice));
    }
    if !tools.is_empty() || profile.empty_tools {
        body.written("tools", |out| append_list(out, tools));
    }
    body.extra();
    body.written("messages", |out| append_messages(out, &sent.transcript, form, input.instructions.as_deref()));
    Ok(Encoded { body: body.finish(), notes })
}

/// The choice, as far as the model can follow it.
fn resolve<'a>(
    model: &str,
    profile: &ChatProfile,
    input: &'a ModelInput,
    settings: &ModelSettings,
) -> Result<ResolvedChoice<'a>> {
    if !profile.tools && input.tools().next().is_some() {
        return Err(Error::misuse(format!(
            "the model `{model}` takes no tools; leave them out, or choose another model or `OutputSpec::prompted`"
        )));
    }
    let choice = choose(model, profile.forced_tool_choice, Choices::of(input), settings)?;
    let thinks = profile.reasoning.is_on(settings.thinking);
    let is_free = match profile.forced_tool_choice_with_thinking {
        ForcedWithThinking::Yes => true,
        ForcedWithThinking::UnlessAsked => !thinks || matches!(settings.thinking, None | Some(Thinking::Off)),
        ForcedWithThinking::No => !thinks,
    };
    if is_free {
        return Ok(choice);
    }
    choice.unforced(|| format!("the model `{model}` cannot be made to call a tool while it thinks"))
}

/// The only tools that are sent, where not all of them are.
fn callable<'a>(profile: &ChatProfile, choice: &ResolvedChoice<'a>) -> Option<Vec<&'a str>> {
    if profile.tool_choice {
        return only_tools(choice, profile.allowed_tools);
    }
    // What must not be called is not to be seen.
    match choice.mode {
        ChoiceMode::None => Some(Vec::new()),
        ChoiceMode::Auto | ChoiceMode::Required => choice.names.clone(),
    }
}

/// What was asked for, and the server does not do.
fn unheeded(form: &ChatForm, choice: &ResolvedChoice<'_>, settings: &ModelSettings) -> impl Iterator<Item = String> {
    let ChatForm { system, profile } = form;
    let choice = (!profile.tool_choice && choice.forced)
        .then(|| format!("{system} heeds no `tool_choice`: the model may answer without a call"));
    let parallel = settings
        .parallel_tool_calls
        .filter(|_| !profile.parallel_tool_calls)
        .map(|_| format!("`parallel_tool_calls` is not sent: {system} does not take it"));
    let thinking =
        settings.thinking.filter(|thinking| *thinking != Thinking::Off && !profile.reasoning.is_possible()).map(|_| {
            "`thinking` is not sent: the model is not known to reason; its profile can say that it does".to_owned()
        });
    choice.into_iter().chain(parallel).chain(thinking)
}

/// Writes the settings; gives back what is said of those that the model does not take while it reasons.
fn write_settings(body: &mut Body<'_>, profile: &ChatProfile, settings: &ModelSettings) -> Option<String> {
    let limit = if profile.max_completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body.field(limit, settings.max_tokens.as_ref());
    let (samples, penalizes, stops) = match profile.while_reasoning {
        WhileReasoning::NoSampling => {
            let samples = profile.reasoning.takes_sampling(settings.thinking);
            (samples, samples, true)
        }
        WhileReasoning::NoPenaltiesOrStops => {
            let reasons = profile.reasoning.is_on(settings.thinking);
            (true, !reasons, !reasons)
        }
        WhileReasoning::All => (true, true, true),
    };
    let temperature = settings.temperature.or_else(|| thinking::temperature(profile, settings.thinking));
    let mut left_out = Vec::new();
    let mut number = |name, value: Option<f64>, is_taken: bool| match value {
        Some(_) if !is_taken => left_out.push(name),
        value => body.field(name, value.as_ref()),
    };
    number("temperature", temperature, samples);
    number("top_p", settings.top_p, samples);
    number("presence_penalty", settings.presence_penalty, penalizes);
    number("frequency_penalty", settings.frequency_penalty, penalizes);
    match &settings.stop_sequences {
        Some(_) if !stops => left_out.push("stop_sequences"),
        sequences => body.field("stop", sequences.as_ref()),
    }
    body.field("seed", settings.seed.as_ref());
    thinking::write(body, profile, settings.thinking);
    (!left_out.is_empty()).then(|| format!("while the model reasons, it is not sent {}", listed(left_out)))
}

/// Has the model write JSON, and where it can be held to it, to a schema.
fn append_format(out: &mut Vec<u8>, profile: &ChatProfile, format: &OutputFormat) {
    if format.mode != OutputMode::Native {
        return out.extend_from_slice(br#"{"type":"json_object"}"#);
    }
    out.extend_from_slice(br#"{"type":"json_schema","json_schema":"#);
    append(out, &JsonSchema::of(format, profile.strict_tools, profile.keywords()));
    out.push(b'}');
}

fn append_choice(out: &mut Vec<u8>, profile: &ChatProfile, choice: &ResolvedChoice<'_>) {
    let mode = mode_name(choice.mode);
    match (choice.single(), &choice.names) {
        (Some(name), _) => append_name(out, name, profile.typed_tool_choice),
        (None, Some(names)) if profile.allowed_tools => {
            out.extend_from_slice(br#"{"type":"allowed_tools","allowed_tools":{"mode":"#);
            append(out, mode);
            out.extend_from_slice(br#","tools":["#);
            for (index, name) in names.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                append_name(out, name, true);
            }
            out.extend_from_slice(b"]}}");
        }
        _ => append(out, mode),
    }
}

fn append_name(out: &mut Vec<u8>, name: &str, typed: bool) {
    out.extend_from_slice(if typed {
        br#"{"type":"function","function":{"name":"#
    } else {
        br#"{"function":{"name":"#
    });
    append(out, &*wire_name(name));
    out.extend_from_slice(b"}}");
}
