//! Tool definitions as the Converse API wants them.

use serde::Serialize;
use serde_json::Value;

use super::profile::BedrockProfile;
use crate::provider::name::wire_name;
use crate::provider::tools::ToolForm;
use crate::schema::{OptIn, Strict, inlined};
use crate::tool::ToolDefinition;

impl ToolForm for BedrockProfile {
    fn dialect(&self) -> &'static str {
        match (self.inlined_definitions, self.strict_tools) {
            (true, _) => "bedrock, inlined",
            (false, true) => "bedrock",
            (false, false) => "bedrock, never strict",
        }
    }

    fn encode(&self, tool: &ToolDefinition) -> String {
        #[derive(Serialize)]
        struct Tool<'a> {
            #[serde(rename = "toolSpec")]
            spec: Spec<'a>,
        }
        #[derive(Serialize)]
        struct Spec<'a> {
            name: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            description: Option<&'a str>,
            #[serde(rename = "inputSchema")]
            input_schema: InputSchema<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            strict: Option<bool>,
        }
        #[derive(Serialize)]
        struct InputSchema<'a> {
            json: &'a Value,
        }
        let made = self.form_of(tool.parameters(), tool.strict());
        let tool = Tool {
            spec: Spec {
                name: &wire_name(tool.name()),
                description: tool.description().filter(|text| !text.is_empty()),
                input_schema: InputSchema { json: &made.schema },
                strict: made.strict.then_some(true),
            },
        };
        // A tree of JSON values always has a text.
        serde_json::to_string(&tool).unwrap_or_default()
    }

    fn is_strict(&self, encoded: &str) -> bool {
        encoded.ends_with(r#","strict":true}}"#)
    }
}

impl BedrockProfile {
    fn form_of(&self, schema: &Value, strict: Option<bool>) -> Strict {
        if self.inlined_definitions {
            return Strict { schema: inlined(schema).into_owned(), strict: false, losses: Vec::new() };
        }
        Strict::opted_in(schema, strict.filter(|_| self.strict_tools), OptIn::Bedrock)
    }
}
