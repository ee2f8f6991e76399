//! How a model is to write a value as its text.

use std::sync::Arc;

use serde_json::Value;

use crate::tool::ToolDefinition;

/// How a structured output comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputMode {
    /// The model calls an output tool.
    #[default]
    Tool,
    /// The model writes it as its text, and the provider holds it to the schema.
    Native,
    /// The model writes it as its text, and is told the schema in its instructions.
    Prompted,
}

/// What the model's text is to be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OutputFormat {
    /// [`Native`](OutputMode::Native) or [`Prompted`](OutputMode::Prompted).
    pub mode: OutputMode,
    /// What the value is called.
    pub name: Arc<str>,
    /// What it is.
    pub description: Option<String>,
    /// Its JSON schema, an object's.
    pub schema: Arc<Value>,
    /// Whether the provider is asked to hold the model to every word of the schema; `None` leaves that to the provider.
    pub strict: Option<bool>,
}

impl OutputFormat {
    pub(super) fn new(mode: OutputMode, definition: &ToolDefinition) -> Self {
        Self {
            mode,
            name: definition.name().into(),
            description: definition.description().map(str::to_owned),
            schema: definition.shared_parameters(),
            strict: definition.strict(),
        }
    }

    /// What a model is told that is only prompted; `None` in the other mode.
    #[must_use]
    pub fn instructions(&self) -> Option<String> {
        (self.mode == OutputMode::Prompted).then(|| {
            let description = self.description.as_ref().map_or_else(String::new, |text| format!("\n\n{text}"));
            format!(
                "Give your answer as one JSON object that fits this schema:\n\n{}{description}\n\nWrite the JSON alone: no other \
                 words, and no Markdown around it.",
                self.schema
            )
        })
    }
}

/// The JSON in a text: what stands in the first Markdown fence, where the text does not begin with an object.
pub(crate) fn json_in(text: &str) -> &str {
    let text = text.trim();
    if text.starts_with('{') {
        return text;
    }
    let fenced = text.split_once("```").and_then(|(_, rest)| rest.split_once("```"));
    let Some((fenced, _)) = fenced else { return text };
    // The fence may name the language.
    let start = fenced.find(['{', '\n']).unwrap_or_default();
    fenced[start..].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_found_in_fences() {
        for (text, json) in [
            (r#" {"a": "```x```"} "#, r#"{"a": "```x```"}"#),
            ("Here:\n```json\n{\"a\": 1}\n```\nDone.", r#"{"a": 1}"#),
            ("```{\"a\": 1}```", r#"{"a": 1}"#),
            ("```json\n[1]\n```", "[1]"),
            ("no json", "no json"),
            ("``` open", "``` open"),
        ] {
            assert_eq!(json_in(text), json, "{text}");
        }
    }
}
