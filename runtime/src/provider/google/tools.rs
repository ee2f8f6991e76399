//! Tool definitions as the Gemini API wants them.

use serde::Serialize;
use serde_json::Value;

use super::profile::GoogleProfile;
use super::schema::for_gemini;
use crate::provider::name::NameRule;
use crate::provider::tools::ToolForm;
use crate::tool::ToolDefinition;

/// Which names of functions the API takes.
pub(super) const NAMES: NameRule = NameRule { punctuation: b"_-.:", begins_with_any: false };

impl ToolForm for GoogleProfile {
    fn dialect(&self) -> &'static str {
        if self.validated_calls { "google" } else { "google, never validated" }
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct FunctionDeclaration<'a> {
            name: &'a str,
            description: &'a str,
            parameters_json_schema: Value,
        }
        let declaration = FunctionDeclaration {
            name: &NAMES.wire(tool.name()),
            description: tool.description().unwrap_or_default(),
            parameters_json_schema: for_gemini(tool.parameters()),
        };
        // A tree of JSON values always has a text.
        serde_json::to_string(&declaration).unwrap_or_default()
    }

    /// Any schema can be held to, by a mode of the whole request.
    fn is_strict(&self, _: &str) -> bool {
        self.validated_calls
    }
}
