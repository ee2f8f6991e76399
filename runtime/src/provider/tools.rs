//! Tool definitions as they are sent.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::name::wire_name;
use crate::model::{ModelInput, SearchStrategy};
use crate::tool::ToolDefinition;

/// What a definition says whose schema the model is not to see.
#[cfg(any(feature = "anthropic", feature = "openai"))]
pub(crate) const DEFERRED: &str = r#","defer_loading":true"#;

/// How a provider takes tool definitions.
pub(crate) trait ToolForm {
    /// Names everything that the form of a definition depends on besides the definition.
    fn dialect(&self) -> &'static str;

    /// The JSON text of a definition.
    fn encode(&self, tool: &ToolDefinition) -> String;

    /// Whether a definition is strict, by its text: that is kept, and looked at in place of the schema it was made from.
    fn is_strict(&self, encoded: &str) -> bool;
}

/// The JSON text of a definition as a function, with this description and this schema.
pub(crate) fn function_definition(tool: &ToolDefinition, description: Option<&str>, parameters: &Value) -> String {
    #[derive(Serialize)]
    struct Tool<'a> {
        r#type: &'static str,
        function: Function<'a>,
    }
    #[derive(Serialize)]
    struct Function<'a> {
        name: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<&'a str>,
        parameters: &'a Value,
    }
    let function = Function { name: &wire_name(tool.name()), description, parameters };
    // A tree of JSON values always has a text.
    serde_json::to_string(&Tool { r#type: "function", function }).unwrap_or_default()
}

/// All tools of the last request, joined: an agent hands on the same lists while nothing in them changes, and then no tool
/// need be looked at. At 1,000 tools that saves more than half of what a step takes.
#[derive(Default)]
pub(crate) struct SentTools {
    function_tools: Arc<[ToolDefinition]>,
    output_tools: Arc<[ToolDefinition]>,
    dialect: &'static str,
    joined: JoinedTools,
}

/// What was made of all tools of the last request, where they may stand in several places: the same as long as an agent
/// hands on the same lists, and the conversation reveals nothing more.
#[derive(Default)]
pub(crate) struct PlacedTools<T> {
    function_tools: Arc<[ToolDefinition]>,
    deferred_tools: Arc<[ToolDefinition]>,
    output_tools: Arc<[ToolDefinition]>,
    strategy: SearchStrategy,
    /// How many tools the conversation had revealed, and announced.
    revealed: (usize, usize, usize),
    dialect: &'static str,
    made: T,
}

/// Tools as they are sent.
#[derive(Default)]
pub(crate) struct JoinedTools {
    /// The tools, each followed by a comma.
    pub(crate) text: Vec<u8>,
    /// Whether one of them is never to be strict.
    pub(crate) has_opted_out: bool,
    /// Those that ask for strict, whose schemas cannot carry it.
    not_strict: Vec<Arc<str>>,
}

impl SentTools {
    /// All tools, joined.
    pub(crate) fn all(
        &mut self,
        function_tools: &Arc<[ToolDefinition]>,
        output_tools: &Arc<[ToolDefinition]>,
        form: &impl ToolForm,
    ) -> &JoinedTools {
        let unchanged = self.dialect == form.dialect()
            && Arc::ptr_eq(&self.function_tools, function_tools)
            && Arc::ptr_eq(&self.output_tools, output_tools);
        if !unchanged {
            *self = Self {
                joined: JoinedTools::of(function_tools.iter().chain(output_tools.iter()), form),
                function_tools: function_tools.clone(),
                output_tools: output_tools.clone(),
                dialect: form.dialect(),
            };
        }
        &self.joined
    }
}

impl<T> PlacedTools<T> {
    /// What `make` makes of the tools; `revealed` is how many of them the conversation has revealed, and announced.
    pub(crate) fn all(
        &mut self,
        input: &ModelInput,
        revealed: (usize, usize, usize),
        dialect: &'static str,
        make: impl FnOnce() -> T,
    ) -> &T {
        let unchanged = self.dialect == dialect
            && Arc::ptr_eq(&self.function_tools, &input.function_tools)
            && Arc::ptr_eq(&self.deferred_tools, &input.deferred_tools)
            && Arc::ptr_eq(&self.output_tools, &input.output_tools)
            && self.strategy == input.search_strategy
            && self.revealed == revealed;
        if !unchanged {
            *self = Self {
                function_tools: input.function_tools.clone(),
                deferred_tools: input.deferred_tools.clone(),
                output_tools: input.output_tools.clone(),
                strategy: input.search_strategy,
                revealed,
                dialect,
                made: make(),
            };
        }
        &self.made
    }
}

impl JoinedTools {
    /// These tools, in order.
    pub(crate) fn of<'a>(tools: impl Iterator<Item = &'a ToolDefinition>, form: &impl ToolForm) -> Self {
        let mut joined = Self::default();
        for tool in tools {
            joined.push(tool, form, "");
        }
        joined
    }

    /// Adds a definition; `more` is what this request says of it besides, each field after a comma.
    pub(crate) fn push(&mut self, tool: &ToolDefinition, form: &impl ToolForm, more: &str) {
        let encoded = tool.encoded(form.dialect(), |tool| form.encode(tool));
        if tool.strict() == Some(true) && !form.is_strict(encoded) {
            self.not_strict.push(tool.shared_name());
        }
        self.has_opted_out |= tool.strict() == Some(false);
        let fields = encoded.strip_suffix('}').unwrap_or(encoded);
        self.text.extend_from_slice(fields.as_bytes());
        self.text.extend_from_slice(more.as_bytes());
        self.text.extend_from_slice(b"},");
    }

    /// What the definitions could not carry as they were asked to, for the step's report.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.not_strict
            .iter()
            .map(|name| format!("tool `{name}` is not sent as strict: its schema, or the model, cannot carry it"))
    }
}
