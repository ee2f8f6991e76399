//! Tool definitions as the Responses API wants them.

use serde::Serialize;
use serde_json::Value;

use super::profile::OpenAiResponsesProfile;
use crate::provider::name::wire_name;
use crate::provider::tools::ToolForm;
use crate::schema::Strict;
use crate::tool::ToolDefinition;

impl ToolForm for OpenAiResponsesProfile {
    fn dialect(&self) -> &'static str {
        match (self.strict_tools, self.strict_lengths) {
            (false, _) => "openai-responses, never strict",
            (true, true) => "openai-responses",
            (true, false) => "openai-responses, strict without lengths",
        }
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        #[derive(Serialize)]
        struct Function<'a> {
            r#type: &'static str,
            name: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            description: Option<&'a str>,
            parameters: &'a Value,
            /// Always said: the API takes a definition that says nothing for strict.
            strict: bool,
        }
        let asked = if self.strict_tools { tool.strict() } else { Some(false) };
        let made = Strict::of(tool.parameters(), asked, self.keywords());
        let function = Function {
            r#type: "function",
            name: &wire_name(tool.name()),
            description: tool.description(),
            parameters: &made.schema,
            strict: made.strict,
        };
        // A tree of JSON values always has a text.
        serde_json::to_string(&function).unwrap_or_default()
    }

    fn is_strict(&self, encoded: &str) -> bool {
        encoded.ends_with(r#""strict":true}"#)
    }
}
