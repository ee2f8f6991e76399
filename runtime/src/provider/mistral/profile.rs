//! What a Mistral model can do.

use std::borrow::Cow;

use crate::message::{File, FileClass};
use crate::model::Thinking;
use crate::provider::file::{is_text, unreadable_text};

/// What a Mistral model can do, as far as requests depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MistralProfile {
    /// How the model reasons.
    pub reasoning: MistralReasoning,
    /// Whether the model can be held to a JSON schema as it writes text; else
    /// [`OutputSpec::native`](crate::OutputSpec::native) is refused.
    pub json_schema_output: bool,
    /// Whether schemas of tools are sent with definitions in place of references to them.
    pub inlined_schemas: bool,
    /// Whether it sees images.
    pub images: bool,
    /// Whether it reads PDFs; text files are sent as text in any case.
    pub documents: bool,
}

/// How a Mistral model reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MistralReasoning {
    /// Not at all.
    Never,
    /// When it is asked to.
    OnRequest,
    /// Whatever it is asked.
    Always,
}

/// How families reason, by the start of their names: the first that fits counts.
const REASONING: [(&str, MistralReasoning); 5] = [
    ("magistral", MistralReasoning::Always),
    ("mistral-small-latest", MistralReasoning::OnRequest),
    ("mistral-small-26", MistralReasoning::OnRequest),
    ("mistral-small-4", MistralReasoning::OnRequest),
    ("mistral-medium-3-5", MistralReasoning::OnRequest),
];

impl MistralProfile {
    /// What is known of a model by its name; one that is not known is taken not to reason.
    #[must_use]
    pub fn of(model: &str) -> Self {
        let known = REASONING.iter().find(|(prefix, _)| model.starts_with(prefix));
        Self {
            reasoning: known.map_or(MistralReasoning::Never, |(_, reasoning)| *reasoning),
            json_schema_output: true,
            // It writes what a reference stands for as a string.
            inlined_schemas: model.starts_with("zai-glm-5-3"),
            images: true,
            documents: true,
        }
    }

    /// The `reasoning_effort` to ask for: the API knows all or nothing.
    pub(super) fn effort(&self, thinking: Option<Thinking>) -> Option<&'static str> {
        match (self.reasoning, thinking?) {
            (MistralReasoning::OnRequest, Thinking::Off) => Some("none"),
            (MistralReasoning::OnRequest, _) => Some("high"),
            _ => None,
        }
    }

    /// What a file is, such as `audio files`, if the model cannot read it.
    pub(super) fn unreadable(&self, file: &File) -> Option<Cow<'static, str>> {
        match (file, file.class()) {
            (File::Binary(bytes), _) if is_text(&bytes.media_type) => unreadable_text(bytes),
            (_, FileClass::Image) => (!self.images).then_some("images".into()),
            (_, FileClass::Video) => Some("video".into()),
            (_, FileClass::Audio) => Some("audio files".into()),
            _ if !self.documents => Some("documents".into()),
            (file, FileClass::Document) => match file.media_type() {
                "application/pdf" => None,
                text if is_text(text) => Some("text documents by URL".into()),
                other => Some(format!("{other} documents").into()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_how_models_reason() {
        let effort = |model, thinking| MistralProfile::of(model).effort(Some(thinking));
        assert_eq!(effort("mistral-small-latest", Thinking::Low), Some("high"));
        assert_eq!(effort("mistral-medium-3-5", Thinking::Off), Some("none"));
        assert_eq!(effort("magistral-medium-latest", Thinking::Off), None);
        assert_eq!(effort("mistral-large-latest", Thinking::High), None);
        assert_eq!(MistralProfile::of("mistral-small-2603").effort(None), None);
    }
}
