//! Tool definitions as the Messages API wants them.

use serde::Serialize;
use serde_json::Value;

use crate::provider::claude::AnthropicProfile;
use crate::provider::name::wire_name;
use crate::provider::tools::ToolForm;
use crate::schema::{OptIn, Strict};
use crate::tool::ToolDefinition;

impl ToolForm for AnthropicProfile {
    fn dialect(&self) -> &'static str {
        if self.strict_tools { "anthropic" } else { "anthropic, never strict" }
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        #[derive(Serialize)]
        struct Tool<'a> {
            name: &'a str,
            description: &'a str,
            input_schema: &'a Value,
            #[serde(skip_serializing_if = "Option::is_none")]
            strict: Option<bool>,
        }
        let made = Strict::opted_in(tool.parameters(), tool.strict().filter(|_| self.strict_tools), OptIn::Anthropic);
        let tool = Tool {
            name: &wire_name(tool.name()),
            description: tool.description().unwrap_or_default(),
            input_schema: &made.schema,
            strict: made.strict.then_some(true),
        };
        // A tree of JSON values always has a text.
        serde_json::to_string(&tool).unwrap_or_default()
    }

    fn is_strict(&self, encoded: &str) -> bool {
        encoded.ends_with(r#","strict":true}"#)
    }
}
