//! Tool definitions as Chat Completions wants them.

use serde::Serialize;
use serde_json::Value;

use super::profile::OpenAiChatProfile;
use crate::provider::name::wire_name;
use crate::provider::tools::ToolForm;
use crate::schema::Strict;
use crate::tool::ToolDefinition;

impl ToolForm for OpenAiChatProfile {
    fn dialect(&self) -> &'static str {
        match (self.strict_tools, self.strict_lengths) {
            (false, _) => "openai-chat, never strict",
            (true, true) => "openai-chat",
            (true, false) => "openai-chat, strict without lengths",
        }
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        #[derive(Serialize)]
        struct Tool<'a> {
            r#type: &'static str,
            function: Function<'a>,
        }
        #[derive(Serialize)]
        struct Function<'a> {
            name: &'a str,
            description: &'a str,
            parameters: &'a Value,
            #[serde(skip_serializing_if = "Option::is_none")]
            strict: Option<bool>,
        }
        let asked = if self.strict_tools { tool.strict() } else { Some(false) };
        let made = Strict::of(tool.parameters(), asked, self.keywords());
        let function = Function {
            name: &wire_name(tool.name()),
            description: tool.description().unwrap_or_default(),
            parameters: &made.schema,
            strict: made.strict.then_some(true),
        };
        // A tree of JSON values always has a text.
        serde_json::to_string(&Tool { r#type: "function", function }).unwrap_or_default()
    }

    fn is_strict(&self, encoded: &str) -> bool {
        encoded.ends_with(r#""strict":true}}"#)
    }
}
