//! How a model is to answer, as far as it and the API can be told.

use super::profile::BedrockProfile;
use crate::model::{ModelSettings, Thinking};
use crate::provider::body::Body;
use crate::provider::claude::{self, ThinkingPlan};

/// What the settings come to for a model.
pub(super) struct Manner<'a> {
    profile: &'a BedrockProfile,
    settings: &'a ModelSettings,
    /// How a Claude is asked to think.
    plan: Option<ThinkingPlan>,
}

impl<'a> Manner<'a> {
    pub(super) fn of(profile: &'a BedrockProfile, settings: &'a ModelSettings) -> Self {
        let plan = profile.claude.as_ref().map(|own| ThinkingPlan::of(own, settings.thinking));
        Self { profile, settings, plan }
    }

    /// Whether the model thinks unless it is made to call a tool.
    pub(super) fn thinks(&self) -> bool {
        self.plan.is_some_and(|plan| plan.thinks)
    }

    /// Why the model cannot be made to call a tool, if it cannot.
    pub(super) fn unforceable(&self) -> Option<&'static str> {
        if !self.profile.tool_choice {
            return Some("cannot be made to call a tool");
        }
        match (&self.profile.claude, self.plan) {
            (Some(own), Some(plan)) => plan.rules_out_forcing(own),
            _ => self
                .profile
                .reasoning
                .rules_out_forcing(self.settings.thinking)
                .then_some("cannot be made to call a tool while it thinks; switch thinking off"),
        }
    }

    /// How many tokens an answer may have: what the settings say, else as long as a Claude can write, where that is known or
    /// its thoughts have to fit.
    pub(super) fn max_tokens(&self) -> Option<u64> {
        match (&self.profile.claude, self.plan) {
            (Some(own), Some(plan)) => {
                let is_limited = own.max_output_tokens.is_some() || plan.is_on_budget();
                (is_limited || self.settings.max_tokens.is_some()).then(|| claude::max_tokens(own, self.settings))
            }
            _ => self.settings.max_tokens,
        }
    }

    fn takes_sampling(&self) -> bool {
        match (&self.profile.claude, self.plan) {
            (Some(own), Some(plan)) => own.sampling && !plan.thinks,
            _ => self.profile.sampling,
        }
    }

    /// Writes what the API knows of.
    pub(super) fn write_inference(&self, body: &mut Body<'_>) {
        let Self { settings, .. } = self;
        let sampling = |setting: Option<f64>| setting.filter(|_| self.takes_sampling());
        let (temperature, top_p) = (sampling(settings.temperature), sampling(settings.top_p));
        let max_tokens = self.max_tokens();
        if max_tokens.is_none() && temperature.is_none() && top_p.is_none() && settings.stop_sequences.is_none() {
            return body.written("inferenceConfig", |out| out.extend_from_slice(b"{}"));
        }
        body.object("inferenceConfig", |config| {
            config.field("maxTokens", max_tokens.as_ref());
            config.field("temperature", temperature.as_ref());
            config.field("topP", top_p.as_ref());
            config.field("stopSequences", settings.stop_sequences.as_ref());
        });
    }

    /// Writes how much to think, which the API hands on to the model as it is.
    pub(super) fn write_thinking(&self, fields: &mut Body<'_>) {
        match (self.plan, self.settings.thinking) {
            (Some(plan), _) => {
                if let Some(config) = plan.config {
                    fields.written("thinking", |out| config.append_to(out));
                }
                if let Some(effort) = plan.effort {
                    fields.object("output_config", |config| config.field("effort", Some(effort)));
                }
            }
            (None, Some(thinking)) => self.profile.reasoning.write(fields, thinking),
            (None, None) => {}
        }
    }

    /// What of the settings the model, or the API, does not take.
    pub(super) fn notes(&self, model: &str) -> Vec<String> {
        let Self { profile, settings, plan } = self;
        let takes_thinking =
            plan.is_some() || !profile.reasoning.is_unsaid() || settings.thinking == Some(Thinking::Off);
        let of_model = [
            ("temperature", settings.temperature.is_some() && !self.takes_sampling()),
            ("top_p", settings.top_p.is_some() && !self.takes_sampling()),
            ("thinking", settings.thinking.is_some() && !takes_thinking),
        ];
        let of_api = [
            ("seed", settings.seed.is_some()),
            ("presence_penalty", settings.presence_penalty.is_some()),
            ("frequency_penalty", settings.frequency_penalty.is_some()),
            ("parallel_tool_calls", settings.parallel_tool_calls.is_some()),
        ];
        let left_out = |(name, is_left_out): (&'static str, bool)| is_left_out.then_some(name);
        let mut notes: Vec<String> = of_model
            .into_iter()
            .filter_map(left_out)
            .map(|name| format!("`{name}` is not sent: the model `{model}` does not take it, or not while it thinks"))
            .collect();
        let of_api = of_api.into_iter().filter_map(left_out);
        notes.extend(of_api.map(|name| format!("`{name}` is not sent: the Converse API does not take it")));
        if let Some(sent) = self.max_tokens().filter(|sent| settings.max_tokens.is_some_and(|asked| asked > *sent)) {
            notes.push(format!("`max_tokens` is {sent}, as the model `{model}` cannot write more"));
        }
        notes
    }
}
