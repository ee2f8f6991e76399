//! The body of a request, written once from ready pieces.

use serde_json::Value;

use super::cache::{append_list, append_place};
use super::content::append_text;
use super::message::append_said;
use super::profile::BedrockProfile;
use crate::choice::{ChoiceMode, Choices, ResolvedChoice};
use crate::error::Result;
use crate::json::append;
use crate::message::{History, Message, ResponsePart};
use crate::model::{ModelSettings, Thinking};
use crate::output::OutputFormat;
use crate::provider::body::Body;
use crate::provider::cache::{CachePlan, CacheSettings, Cacheable};
use crate::provider::choice::choose;
use crate::provider::claude::{self, ThinkingPlan};
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

/// How many tokens an answer may have: what the settings say, else as long as a Claude can write, where that is known or its
/// thoughts have to fit.
pub(super) fn max_tokens(profile: &BedrockProfile, settings: &ModelSettings) -> Option<u64> {
    match &profile.claude {
        Some(own) => {
            let has_limit = own.max_output_tokens.is_some() || ThinkingPlan::of(own, settings.thinking).is_on_budget();
            (has_limit || settings.max_tokens.is_some()).then(|| claude::max_tokens(own, settings))
        }
        None => settings.max_tokens,
    }
}

/// What of a request the tools and their choice are.
struct Offer<'o> {
    tools: &'o JoinedTools,
    choice: ResolvedChoice<'o>,
}

/// Writes the body of a request.
///
/// The messages come last: what a run sends is then, but for its end, what it sent before.
///
/// # Errors
///
/// Misuse, when the tool choice or a prompt cannot be sent to such a model.
pub(super) fn body(asked: &Asked<'_>, target: &Target, sent: &mut Sent) -> Result<Encoded> {
    let Asked { input, settings, .. } = *asked;
    let profile = &target.profile;
    let thinking = profile.claude.as_ref().map(|own| ThinkingPlan::of(own, settings.thinking));
    let choice = choose(
        asked,
        Choices::of(input),
        unforceable(profile, thinking, settings.thinking),
        thinking.is_some_and(|plan| plan.thinks),
    )?;
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
    let offer = Offer { tools, choice };
    let instructions = input.instructions.as_deref().filter(|text| !text.trim().is_empty());
    let mut system = transcript.opening().to_vec();
    if let Some(text) = instructions {
        append_text(&mut system, text);
    }
    let mut notes: Vec<String> = offer.choice.notes().chain(tools.notes()).collect();
    notes.extend(setting_notes(asked, profile, thinking, &offer));
    let cacheable = Cacheable {
        has_tools: !tools.text.is_empty() && profile.tool_caching,
        has_system: !system.is_empty(),
        end: transcript.cacheable(),
        points: transcript.cache_points(),
    };
    let cache = plan(target, &cacheable, &mut notes);

    let size = transcript.len() + tools.text.len() + 4096;
    let mut body = Body::new(size, settings.extra_body.as_ref());
    body.written("system", |out| append_list(out, &system, cache.system));
    write_inference(&mut body, profile, settings, thinking);
    write_tools(&mut body, &offer, profile, &cache);
    if let (Some(format), Some(schema)) = (format, schema) {
        body.written("outputConfig", |out| append_output(out, format, &schema));
    }
    body.object("additionalModelRequestFields", |fields| {
        write_additional(fields, profile, settings.thinking, thinking, &offer);
    });
    body.extra();
    let mut said = Vec::new();
    let messages = match transcript.messages() {
        [] => {
            append_said(&mut said, "user");
            &said
        }
        messages => messages,
    };
    body.written("messages", |out| {
        out.push(b'[');
        cache.append_messages(out, messages.strip_suffix(b",").unwrap_or(messages), append_place);
        out.push(b']');
    });
    Ok(Encoded { body: body.finish(), notes })
}

/// Why the model cannot be made to call a tool, if it cannot.
fn unforceable(
    profile: &BedrockProfile,
    plan: Option<ThinkingPlan>,
    thinking: Option<Thinking>,
) -> Option<&'static str> {
    if !profile.tool_choice {
        return Some("cannot be made to call a tool");
    }
    match (&profile.claude, plan) {
        (Some(own), Some(plan)) => plan.rules_out_forcing(own),
        _ => profile
            .reasoning
            .rules_out_forcing(thinking)
            .then_some("cannot be made to call a tool while it thinks; switch thinking off"),
    }
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
fn plan(target: &Target, cacheable: &Cacheable<'_>, notes: &mut Vec<String>) -> CachePlan {
    let plan = CachePlan::of(target.cache, cacheable);
    match target.profile.caching {
        None if plan == CachePlan::default() => plan,
        None => {
            notes.push("nothing is cached: the model does not remember the beginning of a request".to_owned());
            CachePlan::default()
        }
        Some(longest) => {
            let limited = plan.clone().at_most(longest);
            if plan != limited {
                notes.push(
                    "what was to be cached for an hour is cached for five minutes, as long as the model does"
                        .to_owned(),
                );
            }
            limited
        }
    }
}

fn takes_sampling(profile: &BedrockProfile, plan: Option<ThinkingPlan>) -> bool {
    match (&profile.claude, plan) {
        (Some(own), Some(plan)) => own.sampling && !plan.thinks,
        _ => profile.sampling,
    }
}

fn write_inference(
    body: &mut Body<'_>,
    profile: &BedrockProfile,
    settings: &ModelSettings,
    plan: Option<ThinkingPlan>,
) {
    body.object("inferenceConfig", |config| {
        config.field("maxTokens", max_tokens(profile, settings).as_ref());
        if takes_sampling(profile, plan) {
            config.field("temperature", settings.temperature.as_ref());
            config.field("topP", settings.top_p.as_ref());
        }
        config.field("stopSequences", settings.stop_sequences.as_ref());
    });
}

fn write_tools(body: &mut Body<'_>, offer: &Offer<'_>, profile: &BedrockProfile, cache: &CachePlan) {
    if offer.tools.text.is_empty() {
        return;
    }
    body.object("toolConfig", |config| {
        config.written("tools", |out| append_list(out, &offer.tools.text, cache.tools));
        if profile.tool_choice && offer.choice.mode != ChoiceMode::None {
            config.written("toolChoice", |out| append_choice(out, &offer.choice));
        }
    });
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

/// Writes what the API hands on to the model as it is.
fn write_additional(
    fields: &mut Body<'_>,
    profile: &BedrockProfile,
    thinking: Option<Thinking>,
    plan: Option<ThinkingPlan>,
    offer: &Offer<'_>,
) {
    let Some(plan) = plan else {
        if let Some(thinking) = thinking {
            profile.reasoning.write(fields, thinking);
        }
        return;
    };
    if let Some(config) = plan.config {
        fields.written("thinking", |out| config.append_to(out));
    }
    if let Some(effort) = plan.effort {
        fields.object("output_config", |config| config.field("effort", Some(effort)));
    }
    // The API itself has no word for it.
    if offer.choice.mode == ChoiceMode::None && !offer.tools.text.is_empty() {
        fields.written("tool_choice", |out| out.extend_from_slice(br#"{"type":"none"}"#));
    }
}

/// What of the settings the model, or the API, does not take.
fn setting_notes(
    asked: &Asked<'_>,
    profile: &BedrockProfile,
    plan: Option<ThinkingPlan>,
    offer: &Offer<'_>,
) -> Vec<String> {
    let Asked { model, settings, .. } = *asked;
    let is_thinking_unsaid = plan.is_none() && profile.reasoning.is_unsaid();
    let mut notes: Vec<String> = [
        ("temperature", settings.temperature.is_some() && !takes_sampling(profile, plan)),
        ("top_p", settings.top_p.is_some() && !takes_sampling(profile, plan)),
        ("thinking", settings.thinking.is_some() && is_thinking_unsaid),
    ]
    .into_iter()
    .filter(|(_, is_left_out)| *is_left_out)
    .map(|(name, _)| format!("`{name}` is not sent: the model `{model}` does not take it, or not while it thinks"))
    .collect();
    let unknown = [
        ("seed", settings.seed.is_some()),
        ("presence_penalty", settings.presence_penalty.is_some()),
        ("frequency_penalty", settings.frequency_penalty.is_some()),
        ("parallel_tool_calls", settings.parallel_tool_calls.is_some()),
    ];
    let unknown = unknown.into_iter().filter(|(_, is_set)| *is_set);
    notes.extend(unknown.map(|(name, _)| format!("`{name}` is not sent: the Converse API does not take it")));
    let sent = max_tokens(profile, settings);
    if settings.max_tokens > sent {
        notes.push(format!("`max_tokens` is {}, as the model `{model}` cannot write more", sent.unwrap_or_default()));
    }
    if offer.choice.mode == ChoiceMode::None && !offer.tools.text.is_empty() && profile.claude.is_none() {
        notes.push(format!(
            "the model `{model}` is still sent its tools, as it has called some before, and cannot be kept from calling them"
        ));
    }
    notes
}
