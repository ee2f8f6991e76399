//! Where each tool of a request stands (specification: "Tool availability history portability", "Tools that appear
//! mid-run").
//!
//! Providers cache a request from its beginning, where the tools are. So tools that are found, revealed or added while a
//! run goes on should not be put there, as far as the API has another place for them.

use super::reveals::Reveals;
use crate::choice::Choices;
use crate::model::{ModelInput, SearchStrategy};
use crate::search::SEARCH_KIND;
use crate::tool::ToolDefinition;

/// What an API has for tools that the model is not to see at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Channels {
    /// Whether the provider searches tools, or carries the application's search in a form of its own.
    pub(crate) search: bool,
    pub(crate) deferral: Deferral,
    pub(crate) additions: Additions,
}

/// When a definition may be sent whose schema the model does not see until something reveals it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deferral {
    Never,
    /// Beside a search of the provider's.
    WithSearch,
    Always,
}

/// How messages say that a tool has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Additions {
    /// In words.
    Words,
    /// By the name of a definition that is there, but deferred.
    References,
    /// With the definition itself.
    Definitions,
}

/// Where a tool stands in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nowhere.
    Absent,
    /// Among the tools.
    Open,
    /// Among the tools, where the model does not see its schema until something reveals it.
    Deferred,
    /// In the message that reveals it, and not among the tools.
    InMessages,
}

/// Who searches hidden tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// Nobody, as there are none.
    Nobody,
    /// The application, by a function tool.
    Local,
    /// The application, by way of the provider's form.
    Client,
    /// The provider.
    Provider(SearchStrategy),
}

/// The tools of a request by where they stand, each in order.
pub(crate) struct Availability<'a> {
    pub(crate) search: Search,
    /// The function tool that searches, which stands last among the request's.
    pub(crate) search_tool: Option<&'a ToolDefinition>,
    pub(crate) open: Vec<&'a ToolDefinition>,
    /// Deferred from the start.
    pub(crate) deferred: Vec<&'a ToolDefinition>,
    /// Deferred since they were revealed, which is their order.
    pub(crate) late: Vec<&'a ToolDefinition>,
    pub(crate) in_messages: Vec<&'a ToolDefinition>,
    pub(crate) absent: Vec<&'a ToolDefinition>,
}

impl<'a> Availability<'a> {
    /// Places the function tools of a request.
    pub(crate) fn of(input: &'a ModelInput, channels: Channels, reveals: &Reveals) -> Self {
        let mut placed = Self {
            search: searcher(input, channels),
            search_tool: input.function_tools.iter().find(|tool| tool.tool_kind() == Some(SEARCH_KIND)),
            open: Vec::new(),
            deferred: Vec::new(),
            late: Vec::new(),
            in_messages: Vec::new(),
            absent: Vec::new(),
        };
        let has_search = matches!(placed.search, Search::Client | Search::Provider(_));
        let can_defer = match channels.deferral {
            Deferral::Never => false,
            Deferral::WithSearch => has_search,
            Deferral::Always => true,
        };
        let plain = input.function_tools.iter().filter(|tool| !is_deferred(tool));
        for tool in plain.filter(|tool| tool.tool_kind() != Some(SEARCH_KIND)) {
            match channels.additions {
                _ if !reveals.has_announced(tool.name()) => placed.open.push(tool),
                Additions::Definitions => placed.in_messages.push(tool),
                Additions::Words | Additions::References if can_defer => placed.late.push(tool),
                Additions::Words | Additions::References => placed.open.push(tool),
            }
        }
        placed.keep_one_open(input, has_search);
        for tool in input.deferred_tools.iter() {
            let can_be_found = tool.capability_id().is_none();
            let is_revealed = input.function_tools.iter().any(|open| open.name() == tool.name());
            match channels.additions {
                _ if can_be_found && can_defer => placed.deferred.push(tool),
                Additions::Definitions if is_revealed => placed.in_messages.push(tool),
                // What cannot be found must not stand where the provider searches.
                _ if is_revealed && can_defer && has_search => placed.late.push(tool),
                _ if is_revealed && can_defer => placed.deferred.push(tool),
                _ if is_revealed => placed.open.push(tool),
                Additions::Words | Additions::References if !can_be_found && !has_search && can_defer => {
                    placed.deferred.push(tool);
                }
                _ => placed.absent.push(tool),
            }
        }
        placed.late.sort_by_key(|tool| reveals.place(tool.name()));
        placed
    }

    /// Newcomers stay out of the list of tools so that it stays as it was. Where nothing else is in it, there is nothing to
    /// keep, and an API may refuse a list of which the model sees nothing.
    fn keep_one_open(&mut self, input: &ModelInput, has_search: bool) {
        if self.open.is_empty() && input.output_tools.is_empty() && !has_search {
            self.open.append(&mut self.late);
            self.open.append(&mut self.in_messages);
        }
    }

    /// The same where a choice leaves only these tools in the request.
    pub(crate) fn keep_one_open_among(&mut self, only: &[&str]) {
        let is_hidden = |name: &&str| self.standing(name) == Standing::Deferred;
        if matches!(self.search, Search::Provider(_)) || !only.iter().all(is_hidden) {
            return;
        }
        let is_newcomer = |tool: &mut &ToolDefinition| !is_deferred(tool) && only.contains(&tool.name());
        self.open.extend(self.late.extract_if(.., is_newcomer));
    }

    /// Puts those tools that only messages define among the request's instead; whether there are such.
    pub(crate) fn declare(&mut self, is_declared: impl Fn(&str) -> bool) -> bool {
        let before = self.open.len();
        self.open.extend(self.in_messages.extract_if(.., |tool| is_declared(tool.name())));
        self.open.len() > before
    }

    /// The tools as far as a choice can name them.
    pub(crate) fn choices(&self, input: &'a ModelInput) -> Choices<'a> {
        let functions = &*input.function_tools;
        let searches_itself = matches!(self.search, Search::Provider(_)) && self.search_tool.is_some();
        // The tool that searches comes last, and is not sent where the provider does.
        let function_tools = &functions[..functions.len() - usize::from(searches_itself)];
        let is_new = |tool: &&ToolDefinition| !functions.iter().any(|known| known.name() == tool.name());
        Choices {
            function_tools,
            deferred: self.deferred.iter().copied().filter(is_new).collect(),
            hidden: self.absent.clone(),
            ..Choices::of(input)
        }
    }

    /// Where the tool stands.
    pub(crate) fn standing(&self, name: &str) -> Standing {
        let among = |tools: &[&ToolDefinition]| tools.iter().any(|tool| tool.name() == name);
        match name {
            _ if among(&self.open) || among(self.search_tool.as_slice()) => Standing::Open,
            _ if among(&self.deferred) || among(&self.late) => Standing::Deferred,
            _ if among(&self.in_messages) => Standing::InMessages,
            _ => Standing::Absent,
        }
    }

    /// Whether the model is kept from seeing a schema that is there.
    pub(crate) fn hides_schemas(&self) -> bool {
        !(self.deferred.is_empty() && self.late.is_empty())
    }
}

/// Whether a tool was hidden when the run began.
fn is_deferred(tool: &ToolDefinition) -> bool {
    tool.defer_loading() || tool.capability_id().is_some()
}

fn searcher(input: &ModelInput, channels: Channels) -> Search {
    if input.deferred_tools.iter().all(|tool| tool.capability_id().is_some()) {
        return Search::Nobody;
    }
    match input.search_strategy {
        _ if !channels.search => Search::Local,
        SearchStrategy::Keywords | SearchStrategy::Custom => Search::Client,
        strategy => Search::Provider(strategy),
    }
}
