//! The body of a request, written once from ready pieces.

use serde_json::Value;

use super::cache::{append_list, last_block_end};
use super::content::append_text;
use super::message::MessagesForm;
use super::native;
use super::tools::{Arranged, channels};
use crate::choice::{ChoiceMode, ResolvedChoice};
use crate::error::Result;
use crate::json::append;
use crate::message::CacheTtl;
use crate::model::ModelSettings;
use crate::provider::availability::Availability;
use crate::provider::body::Body;
use crate::provider::cache::{CachePlan, CacheSettings, Cacheable, append_cache_control};
use crate::provider::choice::choose;
use crate::provider::claude::{AnthropicProfile, ThinkingPlan, max_tokens};
use crate::provider::exchange::{Asked, Encoded};
use crate::provider::name::wire_name;
use crate::provider::reveals::Reveals;
use crate::provider::tools::{PlacedTools, ToolForm};
use crate::provider::transcript::Transcript;
use crate::schema::{OptIn, Strict};

/// The model that is asked.
pub(super) struct Target {
    pub(super) profile: AnthropicProfile,
    pub(super) cache: CacheSettings,
}

/// What a run has sent so far, as it was sent.
#[derive(Default)]
pub(super) struct Sent {
    transcript: Transcript<MessagesForm>,
    tools: PlacedTools<Arranged>,
    reveals: Reveals,
    /// Whether the model has refused to take thoughts back, so that such are left out from then on.
    pub(super) leaves_thoughts: bool,
    /// What of the API the tools of the last request need that the provider runs itself.
    pub(super) native_betas: Vec<&'static str>,
}

impl Sent {
    /// Whether the conversation adds tools, which not every model lets it.
    pub(super) fn adds_tools(&self) -> bool {
        self.transcript.has_additions()
    }
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tool choice or a prompt cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, target: &Target, sent: &mut Sent) -> Result<Encoded> {
    let Asked { model, input, settings, streamed } = *asked;
    let profile = &target.profile;
    let thinking = ThinkingPlan::of(profile, settings.thinking);
    let thinking = thinking.anew().filter(|_| sent.leaves_thoughts).unwrap_or(thinking);
    sent.reveals.update(&input.history);
    let mut availability = Availability::of(input, channels(profile), &sent.reveals);
    let choices = availability.choices(input);
    let choice = choose(asked, choices, thinking.rules_out_forcing(profile), thinking.thinks)?;
    let only = choice.names.as_ref().filter(|_| choice.single().is_none());
    if let Some(only) = only {
        availability.keep_one_open_among(only);
    }
    let schema =
        input.output_format.as_ref().map(|format| Strict::of_output(format, OptIn::Anthropic)).transpose()?.flatten();
    let form = MessagesForm { profile: profile.clone(), hides_schemas: availability.hides_schemas() };
    sent.transcript.update_placed(&input.history, &form, &|name| availability.standing(name))?;
    let tools = match only {
        // The API cannot be told otherwise which may be called.
        Some(only) => &Arranged::of(&availability, &input.output_tools, profile, |name| only.contains(&name)),
        None => sent.tools.all(input, sent.reveals.count(), profile.dialect(), || {
            Arranged::of(&availability, &input.output_tools, profile, |_| true)
        }),
    };
    if input.native_tools.is_empty() {
        tools.check()?;
    }
    let notes = choice.notes().chain(tools.joined.notes()).chain(setting_notes(asked, profile, thinking)).collect();
    let instructions = input.instructions.as_deref().filter(|text| !text.is_empty());
    let messages = sent.transcript.messages();
    let cacheable = Cacheable {
        has_tools: tools.cacheable > 0,
        has_system: instructions.is_some() || !sent.transcript.opening().is_empty(),
        end: last_block_end(messages),
        points: sent.transcript.cache_points(),
    };
    let cache = CachePlan::of(target.cache, &cacheable);

    native::check_names(input)?;
    sent.native_betas = native::betas(&input.native_tools).collect();

    let size = sent.transcript.len() + tools.joined.text.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.field("model", Some(model));
    body.field("max_tokens", Some(&max_tokens(profile, settings)));
    if streamed {
        body.field("stream", Some(&true));
    }
    write_settings(&mut body, profile, settings, thinking, schema.as_ref());
    if cacheable.has_system {
        body.written("system", |out| append_system(out, sent.transcript.opening(), instructions, cache.system));
    }
    if !tools.joined.text.is_empty() {
        body.written("tool_choice", |out| append_choice(out, &choice, settings.parallel_tool_calls));
    }
    if !tools.joined.text.is_empty() || !input.native_tools.is_empty() {
        body.written("tools", |out| tools.append_to(out, &input.native_tools, cache.tools));
    }
    body.extra();
    body.written("messages", |out| {
        out.push(b'[');
        cache.append_messages(out, messages.strip_suffix(b",").unwrap_or(messages), append_cache_control);
        out.push(b']');
    });
    Ok(Encoded { body: body.finish(), notes })
}

/// Whether the model takes a temperature and the like in this request.
fn takes_sampling(profile: &AnthropicProfile, thinking: ThinkingPlan) -> bool {
    profile.sampling && !thinking.thinks
}

fn write_settings(
    body: &mut Body<'_>,
    profile: &AnthropicProfile,
    settings: &ModelSettings,
    thinking: ThinkingPlan,
    schema: Option<&Value>,
) {
    if takes_sampling(profile, thinking) {
        body.field("temperature", settings.temperature.as_ref());
        body.field("top_p", settings.top_p.as_ref());
    }
    body.field("stop_sequences", settings.stop_sequences.as_ref());
    if let Some(config) = thinking.config {
        body.written("thinking", |out| config.append_to(out));
    }
    if schema.is_some() || thinking.effort.is_some() {
        body.written("output_config", |out| {
            let mut config = Body::new(0, None);
            if let Some(schema) = schema {
                config.written("format", |out| {
                    out.extend_from_slice(br#"{"type":"json_schema","schema":"#);
                    append(out, schema);
                    out.push(b'}');
                });
            }
            config.field("effort", thinking.effort);
            out.extend_from_slice(&config.finish());
        });
    }
}

/// What of the settings the model does not take.
fn setting_notes(asked: &Asked<'_>, profile: &AnthropicProfile, thinking: ThinkingPlan) -> Vec<String> {
    let Asked { model, settings, .. } = *asked;
    let mut notes = Vec::new();
    if !takes_sampling(profile, thinking) {
        let sampling = [("temperature", settings.temperature.is_some()), ("top_p", settings.top_p.is_some())];
        notes.extend(sampling.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| {
            format!("`{name}` is not sent: the model `{model}` does not take it, or not while it thinks")
        }));
    }
    let sent = max_tokens(profile, settings);
    if settings.max_tokens.is_some_and(|asked| asked > sent) {
        notes.push(format!("`max_tokens` is {sent}, as the model `{model}` cannot write more"));
    }
    notes
}

/// Appends what the model is told before the conversation: a text, or blocks where there are instructions.
fn append_system(out: &mut Vec<u8>, opening: &[u8], instructions: Option<&str>, place: Option<CacheTtl>) {
    let opening = String::from_utf8_lossy(opening);
    if instructions.is_none() && place.is_none() {
        return append(out, &*opening);
    }
    let mut blocks = Vec::new();
    for text in [Some(&*opening), instructions].into_iter().flatten().filter(|text| !text.is_empty()) {
        append_text(&mut blocks, text);
    }
    append_list(out, &blocks, place);
}

fn append_choice(out: &mut Vec<u8>, choice: &ResolvedChoice<'_>, parallel: Option<bool>) {
    out.extend_from_slice(br#"{"type":"#);
    match (choice.mode, choice.single()) {
        (_, Some(name)) => {
            out.extend_from_slice(br#""tool","name":"#);
            append(out, &*wire_name(name));
        }
        (ChoiceMode::None, None) => append(out, "none"),
        (ChoiceMode::Auto, None) => append(out, "auto"),
        (ChoiceMode::Required, None) => append(out, "any"),
    }
    if let Some(parallel) = parallel.filter(|_| choice.mode != ChoiceMode::None) {
        out.extend_from_slice(br#","disable_parallel_tool_use":"#);
        append(out, &!parallel);
    }
    out.push(b'}');
}
