//! What Gemini models can do, by their names.

use super::thinking::GoogleThinking;
use super::thinking::ThinkingLevel::{High, Low, Medium, Minimal};

/// What a model behind the Gemini API can do, as far as requests depend on it.
///
/// Google's models are told by their names, with or without `models/` in front. What is wrong or missing is set with
/// [`GoogleModelBuilder::profile`](super::GoogleModelBuilder::profile).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GoogleProfile {
    /// Whether it calls tools. Models that draw images do not.
    pub tools: bool,
    /// Whether it can be held to the schemas of its tools, by the function-calling mode `VALIDATED`. Then it is, unless a tool
    /// of the request is `strict = false` (specification: "Strict Mode").
    pub validated_calls: bool,
    /// Whether it can be held to a JSON schema as it writes text.
    pub json_schema_output: bool,
    /// Whether it can be while it has tools.
    pub json_schema_beside_tools: bool,
    /// The media types of the files that a tool's result can carry. Other files go among the user's words, in a frame
    /// (specification: "Where a returned file is sent").
    pub result_media_types: &'static [&'static str],
    /// How it thinks.
    pub thinking: GoogleThinking,
    /// Whether Google runs tools of its own for it, such as a web search.
    pub native_tools: bool,
    /// Whether it can have these beside functions.
    pub native_beside_functions: bool,
    /// Whether it sees images.
    pub images: bool,
    /// Whether it hears.
    pub audio: bool,
    /// Whether it watches videos.
    pub video: bool,
    /// Whether it reads documents: PDFs, and files that are text.
    pub documents: bool,
}

/// Gemini 3 and everything newer.
const NEWEST: GoogleProfile = GoogleProfile {
    tools: true,
    validated_calls: true,
    json_schema_output: true,
    json_schema_beside_tools: true,
    result_media_types: &["image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"],
    thinking: GoogleThinking::Levels(&[Minimal, Low, Medium, High]),
    native_tools: true,
    native_beside_functions: true,
    images: true,
    audio: true,
    video: true,
    documents: true,
};
const GEMINI_2_5: GoogleProfile = GoogleProfile {
    json_schema_beside_tools: false,
    native_beside_functions: false,
    result_media_types: &[],
    thinking: GoogleThinking::Budget { least: 0 },
    ..NEWEST
};
const OLDER: GoogleProfile = GoogleProfile { validated_calls: false, thinking: GoogleThinking::Never, ..GEMINI_2_5 };

/// The newest family, but for the levels at which it thinks.
const fn thinks(levels: &'static [super::thinking::ThinkingLevel]) -> GoogleProfile {
    GoogleProfile { thinking: GoogleThinking::Levels(levels), ..NEWEST }
}

/// Families by the start of their names: the first that fits counts, so the narrower stand before the wider. What is not
/// here is taken for one of the newest.
const FAMILIES: [(&str, GoogleProfile); 14] = [
    ("gemini-4-argon", thinks(&[Low, Medium, High])),
    ("gemini-4-carbon", thinks(&[Low, Medium, High])),
    ("gemini-3.8-flash", thinks(&[Low, Medium, High])),
    ("gemini-3.7-flash", thinks(&[Low, Medium, High])),
    ("gemini-3.1-pro-preview", thinks(&[Low, Medium, High])),
    ("gemini-3.1-flash-lite-image", thinks(&[Minimal, High])),
    ("gemini-3.1-flash-image", thinks(&[Minimal, High])),
    ("gemini-3-pro-preview", thinks(&[Low, High])),
    ("gemini-2.5-flash-image", GoogleProfile { thinking: GoogleThinking::Never, ..GEMINI_2_5 }),
    // It cannot but think.
    ("gemini-2.5-pro", GoogleProfile { thinking: GoogleThinking::Budget { least: 128 }, ..GEMINI_2_5 }),
    ("gemini-2.5", GEMINI_2_5),
    ("gemini-2.", OLDER),
    ("gemini-1.", OLDER),
    ("gemma", OLDER),
];

impl GoogleProfile {
    /// What is known of a model by its name; one that is not known is taken for one of the newest.
    #[must_use]
    pub fn of(model: &str) -> Self {
        let name = model.rsplit('/').next().unwrap_or(model);
        let family = FAMILIES.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, profile)| profile);
        let profile = family.unwrap_or(&NEWEST).clone();
        if name.contains("image") {
            return Self { tools: false, validated_calls: false, json_schema_output: false, video: false, ..profile };
        }
        profile
    }

    /// Whether a tool's result can carry a file of this media type.
    pub(super) fn carries(&self, media_type: &str) -> bool {
        let bare = media_type.split(';').next().unwrap_or_default().trim();
        self.result_media_types.contains(&bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_models_can_do() {
        let of = GoogleProfile::of;
        for newest in
            ["gemini-3-flash-preview", "gemini-flash-latest", "models/gemini-9", "tunedModels/mine", "learnlm"]
        {
            assert_eq!(of(newest), NEWEST, "{newest}");
        }
        for older in ["gemini-2.0-flash", "gemini-1.5-pro-002", "models/gemma-3-27b-it", "gemini-2.0-flash-lite"] {
            assert_eq!(of(older), OLDER, "{older}");
        }
        assert!(of("gemini-2.5-flash-lite").validated_calls && !of("gemini-2.5-flash").carries("image/png"));
        assert_eq!(of("gemini-2.5-pro-preview-06-05").thinking, GoogleThinking::Budget { least: 128 });
        assert_eq!(of("gemini-3-pro-preview").thinking, GoogleThinking::Levels(&[Low, High]));
        for draws in ["gemini-2.5-flash-image", "gemini-3-pro-image-preview", "gemini-3.1-flash-image-preview"] {
            assert!(!of(draws).tools && !of(draws).validated_calls, "{draws}");
        }
        assert_eq!(of("gemini-2.5-flash-image").thinking, GoogleThinking::Never);
    }

    #[test]
    fn media_types_are_told_without_their_parameters() {
        assert!(NEWEST.carries("text/plain; charset=utf-8") && NEWEST.carries("application/pdf"));
        assert!(!NEWEST.carries("text/csv") && !NEWEST.carries("audio/wav"));
    }

    #[test]
    fn prefixes_go_from_narrow_to_wide() {
        for (index, (prefix, _)) in FAMILIES.iter().enumerate() {
            assert!(!FAMILIES[..index].iter().any(|(wider, _)| prefix.starts_with(wider)), "{prefix} is never reached");
        }
    }
}
