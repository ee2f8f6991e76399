//! The body of a request, written once from ready pieces.

use serde::Serialize;
use serde_json::{Map, Value};

use super::message::ItemForm;
use super::native::append_definitions;
use super::profile::OpenAiResponsesProfile;
use super::reveal::Revealable;
use super::tools::joined;
use crate::choice::ResolvedChoice;
use crate::error::Result;
use crate::json::append;
use crate::model::{ModelInput, ModelSettings};
use crate::native::NativeTool;
use crate::output::{OutputFormat, OutputMode};
use crate::provider::availability::{Availability, Search};
use crate::provider::body::{Body, append_list};
use crate::provider::chat::{JsonSchema, choose, mode_name, only_tools};
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::name::wire_name;
use crate::provider::reveals::Reveals;
use crate::provider::tools::{JoinedTools, PlacedTools, ToolForm};
use crate::provider::transcript::Transcript;
use crate::tool::ToolDefinition;

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript<ItemForm>,
    tools: PlacedTools<JoinedTools>,
    reveals: Reveals,
}

/// What a conversation without words is begun with: the API wants some input, even where there are instructions.
const NOTHING: &[u8] = br#"{"role":"user","content":""}"#;

/// Writes the body of a request.
///
/// The conversation comes last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tool choice or a prompt cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, form: &ItemForm, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, streamed } = *asked;
    let profile = &form.profile;
    sent.reveals.update(&input.history);
    let mut availability = Availability::of(input, profile.channels(), &sent.reveals);
    let choice = choose(model, profile.forced_tool_choice, availability.choices(input), settings)?;
    let only = only_tools(&choice, profile.allowed_tools);
    let mut is_usual = only.is_none();
    if let Some(names) = choice.names.as_ref().filter(|_| only.is_some() || !can_choose_additions(profile, settings)) {
        is_usual &= !availability.declare(|name| names.contains(&name));
    }
    sent.write(input, form, &availability)?;
    // A tool whose reveal the messages have lost would be nowhere.
    if availability.declare(|name| !sent.transcript.has_added(name)) {
        is_usual = false;
        sent.write(input, form, &availability)?;
    }
    let is_sent = |name: &str| only.as_ref().is_none_or(|only| only.contains(&name));
    let join = || joined(&availability, &input.output_tools, profile, is_sent);
    let tools = match is_usual {
        true => sent.tools.all(input, sent.reveals.count(), profile.dialect(), join),
        false => &join(),
    };
    let notes = choice.notes().chain(tools.notes()).chain(unknown_settings(settings)).collect();

    let size = sent.transcript.len() + tools.text.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.field("model", Some(model));
    if streamed {
        body.field("stream", Some(&true));
    }
    if profile.encrypted_reasoning {
        body.written("include", |out| out.extend_from_slice(br#"["reasoning.encrypted_content"]"#));
    }
    write_settings(&mut body, profile, settings);
    if let Some(format) = &input.output_format {
        write_format(&mut body, profile, format);
    }
    if !tools.text.is_empty() {
        body.field("parallel_tool_calls", settings.parallel_tool_calls.as_ref());
        body.written("tool_choice", |out| append_choice(out, profile, &choice, &availability));
    }
    if !tools.text.is_empty() || !input.native_tools.is_empty() {
        body.written("tools", |out| append_tools(out, &input.native_tools, &tools.text));
    }
    body.field("instructions", input.instructions.as_deref().filter(|text| !text.is_empty()));
    body.extra();
    body.written("input", |out| match sent.transcript.messages() {
        [] => append_list(out, NOTHING),
        items => append_list(out, items),
    });
    Ok(Encoded { body: body.finish(), notes })
}

/// Appends the tools as a JSON array; those that the provider runs, which are the same in all of a run, stand before all others.
fn append_tools(out: &mut Vec<u8>, native: &[NativeTool], tools: &[u8]) {
    out.push(b'[');
    append_definitions(out, native);
    out.extend_from_slice(tools);
    out.pop_if(|last| *last == b',');
    out.push(b']');
}

impl Sent {
    /// Brings the messages up to those of `input`.
    ///
    /// # Errors
    ///
    /// Misuse, when a prompt cannot be sent to such a model.
    fn write(&mut self, input: &ModelInput, form: &ItemForm, availability: &Availability<'_>) -> Result<()> {
        let Availability { search, deferred, late, in_messages, .. } = availability;
        let revealable = Revealable {
            has_search: matches!(search, Search::Client | Search::Provider(_)),
            tools: deferred.iter().chain(late).chain(in_messages).copied().cloned().collect(),
        };
        let form = ItemForm { revealable, ..form.clone() };
        self.transcript.update_placed(&input.history, &form, &|name| availability.standing(name))
    }
}

/// Whether a choice may name tools that only the conversation defines. A server that keeps the conversation has to have them
/// there, whatever it then says of the choice.
fn can_choose_additions(profile: &OpenAiResponsesProfile, settings: &ModelSettings) -> bool {
    let keeps_conversation = |extra: &Map<String, Value>| {
        ["previous_response_id", "conversation"].iter().any(|key| extra.get(*key).is_some_and(|id| !id.is_null()))
    };
    profile.choice_of_additional_tools || settings.extra_body.as_ref().is_some_and(keeps_conversation)
}

fn write_settings(body: &mut Body<'_>, profile: &OpenAiResponsesProfile, settings: &ModelSettings) {
    body.field("max_output_tokens", settings.max_tokens.as_ref());
    if profile.reasoning.takes_sampling(settings.thinking) {
        body.field("temperature", settings.temperature.as_ref());
        body.field("top_p", settings.top_p.as_ref());
    }
    if let Some(effort) = profile.reasoning.effort(settings.thinking) {
        body.written("reasoning", |out| {
            out.extend_from_slice(br#"{"effort":"#);
            append(out, effort.as_str());
            out.push(b'}');
        });
    }
}

/// Holds the model to a schema as it writes text. Where it is only prompted, it is told in the instructions: the API's own JSON
/// mode wants the word in the conversation itself.
fn write_format(body: &mut Body<'_>, profile: &OpenAiResponsesProfile, format: &OutputFormat) {
    #[derive(Serialize)]
    struct Format<'a> {
        r#type: &'static str,
        #[serde(flatten)]
        schema: JsonSchema<'a>,
    }
    if format.mode == OutputMode::Native {
        let schema = JsonSchema::of(format, profile.strict_tools, profile.keywords());
        body.object("text", |text| text.field("format", Some(&Format { r#type: "json_schema", schema })));
    }
}

/// Says which settings the API has no word for.
fn unknown_settings(settings: &ModelSettings) -> impl Iterator<Item = String> {
    let unknown = [
        ("stop_sequences", settings.stop_sequences.is_some()),
        ("seed", settings.seed.is_some()),
        ("presence_penalty", settings.presence_penalty.is_some()),
        ("frequency_penalty", settings.frequency_penalty.is_some()),
    ];
    let set = unknown.into_iter().filter(|(_, is_set)| *is_set);
    set.map(|(name, _)| format!("the setting `{name}` is not sent: the Responses API does not know it"))
}

fn append_choice(
    out: &mut Vec<u8>,
    profile: &OpenAiResponsesProfile,
    choice: &ResolvedChoice<'_>,
    availability: &Availability<'_>,
) {
    let mode = mode_name(choice.mode);
    // The API's own search is no function.
    let search = availability.search_tool.filter(|_| availability.search == Search::Client).map(ToolDefinition::name);
    match (choice.single().filter(|name| search != Some(name)), &choice.names) {
        (Some(name), _) => append_name(out, name),
        (None, Some(names)) if profile.allowed_tools => {
            out.extend_from_slice(br#"{"type":"allowed_tools","mode":"#);
            append(out, mode);
            out.extend_from_slice(br#","tools":["#);
            for (index, name) in names.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                if search == Some(name) {
                    out.extend_from_slice(br#"{"type":"tool_search"}"#);
                } else {
                    append_name(out, name);
                }
            }
            out.extend_from_slice(b"]}");
        }
        _ => append(out, mode),
    }
}

fn append_name(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(br#"{"type":"function","name":"#);
    append(out, &*wire_name(name));
    out.push(b'}');
}
