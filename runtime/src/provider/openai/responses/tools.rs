//! Tool definitions as the Responses API wants them.

use serde::Serialize;
use serde_json::Value;

use super::profile::OpenAiResponsesProfile;
use crate::json::append;
use crate::provider::availability::{Availability, Search};
use crate::provider::name::wire_name;
use crate::provider::tools::{DEFERRED, JoinedTools, ToolForm};
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

/// Joins those tools of a request that are to be sent: the API's search, the tools that the model sees, the application's
/// search, those that are hidden, and the output tools.
pub(super) fn joined(
    availability: &Availability<'_>,
    output_tools: &[ToolDefinition],
    profile: &OpenAiResponsesProfile,
    is_sent: impl Fn(&str) -> bool,
) -> JoinedTools {
    let mut joined = JoinedTools::default();
    let is_sent = |tool: &&ToolDefinition| is_sent(tool.name());
    let search_tool = availability.search_tool.filter(is_sent);
    match (availability.search, search_tool) {
        (Search::Provider(_), _) => joined.text.extend_from_slice(br#"{"type":"tool_search"},"#),
        (Search::Client, Some(tool)) => append_client_search(&mut joined.text, tool),
        (Search::Client, None) | (Search::Local | Search::Nobody, _) => {}
    }
    let local_search = search_tool.filter(|_| availability.search == Search::Local);
    let open = availability.open.iter().copied().chain(local_search).filter(is_sent);
    open.for_each(|tool| joined.push(tool, profile, ""));
    let hidden = availability.deferred.iter().chain(&availability.late).copied().filter(is_sent);
    hidden.for_each(|tool| joined.push(tool, profile, DEFERRED));
    output_tools.iter().filter(is_sent).for_each(|tool| joined.push(tool, profile, ""));
    joined
}

/// Appends a search that the application runs by way of the API's, and a comma. The API wants a description.
fn append_client_search(out: &mut Vec<u8>, tool: &ToolDefinition) {
    out.extend_from_slice(br#"{"type":"tool_search","execution":"client","description":"#);
    append(out, tool.description().unwrap_or("Finds further tools."));
    out.extend_from_slice(br#","parameters":"#);
    append(out, tool.parameters());
    out.extend_from_slice(b"},");
}
