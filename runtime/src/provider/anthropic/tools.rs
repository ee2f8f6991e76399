//! Tool definitions as the Messages API wants them, and their order.

use serde::Serialize;
use serde_json::Value;

use super::native::append_definitions;
use super::search::definition;
use crate::error::{Error, Result};
use crate::message::CacheTtl;
use crate::native::NativeTool;
use crate::provider::availability::{Additions, Availability, Channels, Deferral, Search};
use crate::provider::cache::append_cache_control;
use crate::provider::claude::AnthropicProfile;
use crate::provider::name::wire_name;
use crate::provider::tools::{DEFERRED, JoinedTools, ToolForm};
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

/// What there is for tools that the model is not to see at once.
pub(super) fn channels(profile: &AnthropicProfile) -> Channels {
    let deferral = if profile.tool_search { Deferral::Always } else { Deferral::Never };
    let adds = profile.tool_search && profile.tool_additions;
    Channels {
        search: profile.tool_search,
        deferral,
        additions: if adds { Additions::References } else { Additions::Words },
    }
}

/// The tools of a request in their order: those that the model sees, those that are hidden, the application's search and the
/// output tools, the provider's search, and last what was hidden and came late, so that nothing before it moves.
#[derive(Default)]
pub(super) struct Arranged {
    pub(super) joined: JoinedTools,
    /// Up to where there are tools that can be cached: a hidden one cannot, and none is where all are hidden.
    pub(super) cacheable: usize,
    searches: bool,
}

impl Arranged {
    /// Those of the tools that are to be sent.
    pub(super) fn of(
        availability: &Availability<'_>,
        output_tools: &[ToolDefinition],
        profile: &AnthropicProfile,
        is_sent: impl Fn(&str) -> bool,
    ) -> Self {
        let mut joined = JoinedTools::default();
        let is_sent = |tool: &&ToolDefinition| is_sent(tool.name());
        availability.open.iter().copied().filter(is_sent).for_each(|tool| joined.push(tool, profile, ""));
        let mut cacheable = joined.text.len();
        availability.deferred.iter().copied().filter(is_sent).for_each(|tool| joined.push(tool, profile, DEFERRED));
        let strategy = match availability.search {
            Search::Provider(strategy) => Some(strategy),
            Search::Nobody | Search::Local | Search::Client => None,
        };
        let local_search = availability.search_tool.filter(|_| strategy.is_none());
        for tool in local_search.into_iter().chain(output_tools).filter(is_sent) {
            joined.push(tool, profile, "");
            cacheable = joined.text.len();
        }
        joined.text.extend_from_slice(strategy.map_or(b"", definition));
        availability.late.iter().copied().filter(is_sent).for_each(|tool| joined.push(tool, profile, DEFERRED));
        Self { joined, cacheable, searches: strategy.is_some() }
    }

    /// Refuses tools of which the model sees none, as the API does.
    ///
    /// # Errors
    ///
    /// Misuse.
    pub(super) fn check(&self) -> Result<()> {
        if self.joined.text.is_empty() || self.cacheable > 0 || self.searches {
            return Ok(());
        }
        Err(Error::misuse(
            "all tools of the request are hidden from the model, which Anthropic refuses; leave one that is not hidden, or let \
             hidden ones be found by a search",
        ))
    }

    /// Appends them as a JSON array, with the place up to which they are cached. Those that the provider runs, which are the
    /// same in all of a run, stand before all others.
    pub(super) fn append_to(&self, out: &mut Vec<u8>, native: &[NativeTool], place: Option<CacheTtl>) {
        let text = self.joined.text.strip_suffix(b",").unwrap_or(&self.joined.text);
        out.push(b'[');
        append_definitions(out, native);
        if text.is_empty() {
            out.pop_if(|last| *last == b',');
        }
        match place.filter(|_| self.cacheable > 0) {
            Some(ttl) => {
                let (cached, rest) = text.split_at(self.cacheable - "},".len());
                out.extend_from_slice(cached);
                append_cache_control(out, ttl);
                out.extend_from_slice(rest);
            }
            None => out.extend_from_slice(text),
        }
        out.push(b']');
    }
}
