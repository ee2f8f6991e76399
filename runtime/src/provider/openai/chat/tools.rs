//! Tool definitions as they are sent.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::profile::OpenAiChatProfile;
use crate::provider::name::wire_name;
use crate::schema::Strict;
use crate::tool::ToolDefinition;

/// All tools of the last request, joined: an agent hands on the same lists while nothing in them changes, and then no tool
/// need be looked at. At 1,000 tools that saves more than half of what a step takes.
#[derive(Default)]
pub(super) struct SentTools {
    function_tools: Arc<[ToolDefinition]>,
    output_tools: Arc<[ToolDefinition]>,
    dialect: &'static str,
    joined: JoinedTools,
}

/// Tools as they are sent.
#[derive(Default)]
pub(super) struct JoinedTools {
    /// The tools, each followed by a comma.
    pub(super) text: Vec<u8>,
    /// Those that ask for strict, whose schemas cannot carry it.
    pub(super) not_strict: Vec<Arc<str>>,
}

impl SentTools {
    /// All tools, joined.
    pub(super) fn all(
        &mut self,
        function_tools: &Arc<[ToolDefinition]>,
        output_tools: &Arc<[ToolDefinition]>,
        profile: &OpenAiChatProfile,
    ) -> &JoinedTools {
        let unchanged = self.dialect == profile.dialect()
            && Arc::ptr_eq(&self.function_tools, function_tools)
            && Arc::ptr_eq(&self.output_tools, output_tools);
        if !unchanged {
            *self = Self {
                joined: JoinedTools::of(function_tools.iter().chain(output_tools.iter()), profile),
                function_tools: function_tools.clone(),
                output_tools: output_tools.clone(),
                dialect: profile.dialect(),
            };
        }
        &self.joined
    }
}

impl JoinedTools {
    pub(super) fn of<'a>(tools: impl Iterator<Item = &'a ToolDefinition>, profile: &OpenAiChatProfile) -> Self {
        let dialect = profile.dialect();
        let mut joined = Self::default();
        for tool in tools {
            let encoded = tool.encoded(dialect, |tool| encode_tool(tool, profile));
            if tool.strict() == Some(true) && !encoded.ends_with(STRICT_END) {
                joined.not_strict.push(tool.shared_name());
            }
            joined.text.extend_from_slice(encoded.as_bytes());
            joined.text.push(b',');
        }
        joined
    }
}

/// How a strict tool ends: its form is kept, and looked at here in place of the schema it was made from.
const STRICT_END: &str = r#""strict":true}}"#;

fn encode_tool(tool: &ToolDefinition, profile: &OpenAiChatProfile) -> String {
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
    let asked = if profile.strict_tools { tool.strict() } else { Some(false) };
    let made = Strict::of(tool.parameters(), asked, profile.keywords());
    let function = Function {
        name: &wire_name(tool.name()),
        description: tool.description().unwrap_or_default(),
        parameters: &made.schema,
        strict: made.strict.then_some(true),
    };
    // A tree of JSON values always has a text.
    serde_json::to_string(&Tool { r#type: "function", function }).unwrap_or_default()
}
