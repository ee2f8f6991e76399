//! How a server is told how much to think.

use super::effort::Effort;
use super::profile::{ChatProfile, ThinkingForm};
use crate::model::Thinking;
use crate::provider::body::Body;

/// Writes how much to think, if anybody said so.
pub(super) fn write(body: &mut Body<'_>, profile: &ChatProfile, thinking: Option<Thinking>) {
    let reasoning = profile.reasoning;
    let effort = reasoning.effort(thinking);
    let word = effort.map(Effort::as_str);
    match profile.thinking {
        ThinkingForm::Effort => body.field("reasoning_effort", word),
        ThinkingForm::EffortKeepingThoughts => {
            body.field("reasoning_effort", word);
            body.field("clear_thinking", Some(&false));
        }
        ThinkingForm::Format => {
            body.field("reasoning_effort", word);
            let format = match thinking {
                Some(Thinking::Off) => effort.filter(|effort| *effort != Effort::None).map(|_| "hidden"),
                Some(_) if reasoning.is_possible() => Some("parsed"),
                _ => None,
            };
            body.field("reasoning_format", format);
        }
        ThinkingForm::Object => {
            let wanted = (thinking != Some(Thinking::Off)).then_some(true);
            write_object(body, word, wanted);
        }
        ThinkingForm::ObjectWithTemperature => write_object(body, word, None),
        ThinkingForm::Switch if reasoning.is_possible() => {
            let stops = thinking == Some(Thinking::Off) && reasoning.can_be_off();
            body.object("thinking", |switch| {
                switch.field("type", thinking.map(|_| if stops { "disabled" } else { "enabled" }));
                switch.field("clear_thinking", Some(&false));
            });
            if !stops && thinking != Some(Thinking::On) {
                body.field("reasoning_effort", word);
            }
        }
        ThinkingForm::Switch => {}
    }
}

fn write_object(body: &mut Body<'_>, effort: Option<&str>, wanted: Option<bool>) {
    if effort.is_some() {
        body.object("reasoning", |reasoning| {
            reasoning.field("effort", effort);
            reasoning.field("enabled", wanted.as_ref());
        });
    }
}

/// The temperature that a model must have while it thinks.
pub(super) fn temperature(profile: &ChatProfile, thinking: Option<Thinking>) -> Option<f64> {
    let needs_it = profile.thinking == ThinkingForm::ObjectWithTemperature;
    (needs_it && profile.reasoning.effort(thinking).is_some()).then_some(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::chat::Reasoning;
    use serde_json::{Value, json};

    fn written(thinking: ThinkingForm, reasoning: Reasoning, asked: Option<Thinking>) -> Value {
        let profile = ChatProfile { thinking, reasoning, ..ChatProfile::compatible() };
        let mut body = Body::new(0, None);
        write(&mut body, &profile, asked);
        serde_json::from_slice(&body.finish()).expect("JSON")
    }

    #[test]
    fn every_server_is_told_in_its_own_way() {
        use Effort::{High, Low, Medium};
        const FULL: Reasoning = Reasoning::new(&[Effort::None, Low, Medium, High], true);
        const ALWAYS: Reasoning = Reasoning::new(&[Low, High], true);
        const SWITCHED: Reasoning = Reasoning::new(&[Effort::None], true);
        const ON_REQUEST: Reasoning = Reasoning::new(&[Low, Medium, High], false);
        let (on, off, low, high) = (Some(Thinking::On), Some(Thinking::Off), Some(Thinking::Low), Some(Thinking::High));
        for (form, reasoning, asked, expected) in [
            (ThinkingForm::Effort, FULL, None, json!({})),
            (ThinkingForm::Effort, FULL, on, json!({"reasoning_effort": "medium"})),
            (ThinkingForm::Effort, ALWAYS, on, json!({"reasoning_effort": "high"})),
            (ThinkingForm::Effort, ALWAYS, off, json!({"reasoning_effort": "low"})),
            (ThinkingForm::Effort, SWITCHED, off, json!({"reasoning_effort": "none"})),
            (ThinkingForm::Effort, SWITCHED, high, json!({})),
            (ThinkingForm::Effort, Reasoning::NEVER, high, json!({})),
            (ThinkingForm::Format, ALWAYS, low, json!({"reasoning_effort": "low", "reasoning_format": "parsed"})),
            (ThinkingForm::Format, ALWAYS, off, json!({"reasoning_effort": "low", "reasoning_format": "hidden"})),
            (ThinkingForm::Format, SWITCHED, on, json!({"reasoning_format": "parsed"})),
            (ThinkingForm::Format, SWITCHED, off, json!({"reasoning_effort": "none"})),
            (ThinkingForm::Format, Reasoning::NEVER, on, json!({})),
            (ThinkingForm::Object, FULL, high, json!({"reasoning": {"effort": "high", "enabled": true}})),
            (ThinkingForm::Object, FULL, off, json!({"reasoning": {"effort": "none"}})),
            (ThinkingForm::ObjectWithTemperature, ON_REQUEST, on, json!({"reasoning": {"effort": "medium"}})),
            (ThinkingForm::ObjectWithTemperature, ON_REQUEST, off, json!({})),
            (ThinkingForm::Switch, SWITCHED, None, json!({"thinking": {"clear_thinking": false}})),
            (ThinkingForm::Switch, SWITCHED, off, json!({"thinking": {"type": "disabled", "clear_thinking": false}})),
            (ThinkingForm::Switch, SWITCHED, high, json!({"thinking": {"type": "enabled", "clear_thinking": false}})),
            (ThinkingForm::Switch, FULL, on, json!({"thinking": {"type": "enabled", "clear_thinking": false}})),
            (
                ThinkingForm::Switch,
                ALWAYS,
                off,
                json!({"thinking": {"type": "enabled", "clear_thinking": false}, "reasoning_effort": "low"}),
            ),
            (ThinkingForm::Switch, Reasoning::NEVER, off, json!({})),
        ] {
            assert_eq!(written(form, reasoning, asked), expected, "{form:?} {reasoning:?} {asked:?}");
        }
    }
}
