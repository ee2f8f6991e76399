//! The body of a request, written once from ready pieces.

use super::calling::Calling;
use super::content::append_text;
use super::message::EMPTY_MESSAGE;
use super::native::{self, append_definitions};
use super::profile::GoogleProfile;
use super::schema::for_gemini;
use crate::choice::Choices;
use crate::error::{Error, Result};
use crate::model::{ModelInput, ModelSettings};
use crate::native::NativeTool;
use crate::output::OutputMode;
use crate::provider::body::{Body, append_list};
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::tools::{JoinedTools, SentTools};
use crate::provider::transcript::Transcript;

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript<GoogleProfile>,
    tools: SentTools,
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tools or the choice among them cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, profile: &GoogleProfile, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, .. } = *asked;
    if !profile.tools && input.tools().next().is_some() {
        return Err(Error::misuse(format!(
            "the model `{model}` calls no tools; ask another model, or correct its profile if it does"
        )));
    }
    check_output(model, profile, input)?;
    native::check(model, profile, input)?;
    let choice = Choices::of(input).resolve(settings.tool_choice.as_ref())?;
    let is_offered = |name: &str| input.function_tools.iter().any(|tool| tool.name() == name);
    sent.transcript.update(&input.history, profile, &is_offered)?;
    let all = sent.tools.all(&input.function_tools, &input.output_tools, profile);
    let calling = Calling::of(&choice, profile, all.has_opted_out);
    let tools = match calling.only {
        None => all,
        Some(only) => &JoinedTools::of(input.tools().filter(|tool| only.contains(&tool.name())), profile),
    };
    let mut notes: Vec<_> = choice.notes().chain(tools.notes()).collect();
    notes.extend(calling.notes(input));

    let size = sent.transcript.len() + tools.text.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.object("generationConfig", |config| {
        write_settings(config, profile, settings);
        write_output(config, input);
    });
    write_instructions(&mut body, sent.transcript.opening(), input.instructions.as_deref());
    if !tools.text.is_empty() {
        body.object("toolConfig", |config| {
            config.written("functionCallingConfig", |out| calling.append_to(out));
            config.field("includeServerSideToolInvocations", (!input.native_tools.is_empty()).then_some(&true));
        });
    }
    if !tools.text.is_empty() || !input.native_tools.is_empty() {
        body.written("tools", |out| append_tools(out, &input.native_tools, &tools.text));
    }
    body.extra();
    body.written("contents", |out| {
        let messages = sent.transcript.messages();
        append_list(out, if messages.is_empty() { EMPTY_MESSAGE } else { messages });
    });
    Ok(Encoded { body: body.finish(), notes })
}

/// Appends the tools as a JSON array; those that the provider runs, which are the same in all of a run, stand before functions.
fn append_tools(out: &mut Vec<u8>, native: &[NativeTool], functions: &[u8]) {
    out.push(b'[');
    append_definitions(out, native);
    if functions.is_empty() {
        out.pop_if(|last| *last == b',');
    } else {
        out.extend_from_slice(br#"{"functionDeclarations":"#);
        append_list(out, functions);
        out.push(b'}');
    }
    out.push(b']');
}

/// Refuses an output format that the model cannot have beside its tools.
fn check_output(model: &str, profile: &GoogleProfile, input: &ModelInput) -> Result<()> {
    let is_native = input.output_format.as_ref().is_some_and(|format| format.mode == OutputMode::Native);
    if is_native && !profile.json_schema_beside_tools && !input.function_tools.is_empty() {
        return Err(Error::misuse(format!(
            "the model `{model}` cannot be held to a schema as it writes text while it has tools; use an output tool, or \
             `.prompted()` in place of `.native()`"
        )));
    }
    Ok(())
}

/// Has the model write JSON: to a schema, where it can be held to it; any, where it is only prompted and has no tools, beside
/// which it cannot.
fn write_output(config: &mut Body<'_>, input: &ModelInput) {
    let Some(format) = &input.output_format else { return };
    if format.mode == OutputMode::Native || input.tools().next().is_none() {
        config.field("responseMimeType", Some("application/json"));
    }
    if format.mode == OutputMode::Native {
        let mut schema = for_gemini(&format.schema);
        if let (Some(schema), Some(description)) = (schema.as_object_mut(), &format.description) {
            schema.entry("description").or_insert_with(|| description.as_str().into());
        }
        config.field("responseJsonSchema", Some(&schema));
    }
}

fn write_settings(config: &mut Body<'_>, profile: &GoogleProfile, settings: &ModelSettings) {
    config.field("maxOutputTokens", settings.max_tokens.as_ref());
    config.field("temperature", settings.temperature.as_ref());
    config.field("topP", settings.top_p.as_ref());
    config.field("presencePenalty", settings.presence_penalty.as_ref());
    config.field("frequencyPenalty", settings.frequency_penalty.as_ref());
    config.field("stopSequences", settings.stop_sequences.as_ref());
    config.field("seed", settings.seed.as_ref());
    config.field("thinkingConfig", profile.thinking.config(settings.thinking).as_ref());
}

/// Writes what stands above the conversation: the system prompts that open it, and then the instructions.
fn write_instructions(body: &mut Body<'_>, opening: &[u8], instructions: Option<&str>) {
    let instructions = instructions.filter(|text| !text.is_empty());
    if opening.is_empty() && instructions.is_none() {
        return;
    }
    body.written("systemInstruction", |out| {
        let mut parts = opening.to_vec();
        if let Some(text) = instructions {
            append_text(&mut parts, text);
        }
        out.extend_from_slice(br#"{"parts":"#);
        append_list(out, &parts);
        out.push(b'}');
    });
}
