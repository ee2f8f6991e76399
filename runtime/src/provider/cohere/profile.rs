//! What a Cohere model can do.

use std::borrow::Cow;

use crate::message::{File, FileClass};

/// What a Cohere model can do, as far as requests depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CohereProfile {
    /// Whether it reasons. It does so by default, and can be told not to, or how much.
    pub reasoning: bool,
    /// Whether the model can be held to a JSON schema as it writes text, in requests without tools; else
    /// [`OutputSpec::native`](crate::OutputSpec::native) is refused.
    pub json_schema_output: bool,
    /// Whether calls are held to the schemas of their tools, in requests all of whose tools ask for strict. The API then
    /// takes but some schemas, and none without a required property, so it is for you to switch on.
    pub strict_tools: bool,
    /// Whether it sees images in prompts. Other files are for none of these models.
    pub images: bool,
}

impl CohereProfile {
    /// What is known of a model by its name.
    #[must_use]
    pub fn of(model: &str) -> Self {
        Self {
            reasoning: model.contains("reasoning"),
            json_schema_output: true,
            strict_tools: false,
            images: model.contains("vision"),
        }
    }

    /// What a file is, such as `images`, if the model cannot read it.
    pub(super) fn unreadable(&self, file: &File) -> Option<Cow<'static, str>> {
        Some(match file.class() {
            FileClass::Image if self.images => return None,
            FileClass::Image => "images".into(),
            FileClass::Video => "video".into(),
            FileClass::Audio => "audio files".into(),
            FileClass::Document => "documents".into(),
        })
    }
}
