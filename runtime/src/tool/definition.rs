//! What a model is told about a tool, and how the agent treats its calls.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::json::Json;
use crate::message::Metadata;

/// What a model is told about a tool, and how the agent treats its calls.
///
/// A definition is a value with shared insides: cloning is cheap, and `with_*` copies only when someone else holds it
/// too, so an edit made in one step never shows in the next. Hooks edit the definition they were given, or leave it out;
/// what they do not touch (approval, timeout, metadata) stays. Each definition remembers which tool it was made for, and
/// one made elsewhere is refused (specification: behaviours 0, decision 9).
#[derive(Clone)]
pub struct ToolDefinition {
    shared: Arc<Shared>,
    slot: Slot,
}

#[derive(Clone)]
struct Shared {
    name: Arc<str>,
    description: Option<String>,
    parameters: Arc<Value>,
    return_schema: Option<Arc<Value>>,
    strict: Option<bool>,
    kind: CallKind,
    sequential: bool,
    timeout: Option<Duration>,
    metadata: Option<Arc<Metadata>>,
    defer_loading: bool,
    tool_kind: Option<String>,
    unless_tool_kind: Option<String>,
    unless_native: Option<String>,
    toolset_id: Option<String>,
    capability_id: Option<Arc<str>>,
    encoded: Encoded,
}

/// Where in which list a hook was given a definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The list; no two lists of a process share a number, and 0 is none.
    pub(crate) list: u64,
    pub(crate) index: u32,
}

/// What happens when a tool is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallKind {
    /// It runs at once.
    #[default]
    Function,
    /// Its arguments are the run's output.
    Output,
    /// It runs elsewhere; the run waits for its result.
    External,
    /// It runs once somebody has approved the call.
    Unapproved,
}

impl CallKind {
    /// The word under which the specification knows it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Output => "output",
            Self::External => "external",
            Self::Unapproved => "unapproved",
        }
    }
}

impl ToolDefinition {
    /// A definition with no parameters and no description.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        let shared = Shared {
            name: name.into(),
            description: None,
            parameters: Arc::new(json!({"type": "object", "properties": {}})),
            return_schema: None,
            strict: None,
            kind: CallKind::Function,
            sequential: false,
            timeout: None,
            metadata: None,
            defer_loading: false,
            tool_kind: None,
            unless_tool_kind: None,
            unless_native: None,
            toolset_id: None,
            capability_id: None,
            encoded: Encoded::default(),
        };
        Self { shared: Arc::new(shared), slot: Slot::default() }
    }

    fn edit(mut self, edit: impl FnOnce(&mut Shared)) -> Self {
        let shared = Arc::make_mut(&mut self.shared);
        shared.encoded = Encoded::default();
        edit(shared);
        self
    }

    /// The name by which a model calls the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    pub(crate) fn shared_parameters(&self) -> Arc<Value> {
        self.shared.parameters.clone()
    }

    pub(crate) fn shared_name(&self) -> Arc<str> {
        self.shared.name.clone()
    }

    /// Whether this is its name; the very same text is told by its address.
    pub(crate) fn has_name(&self, name: &Arc<str>) -> bool {
        Arc::ptr_eq(&self.shared.name, name) || self.shared.name == *name
    }

    /// Gives the tool another name. A tool's own `prepare` may do this, an agent-wide hook may not.
    #[must_use]
    pub fn with_name(self, name: impl Into<Arc<str>>) -> Self {
        self.edit(|shared| shared.name = name.into())
    }

    /// What the tool does, in the model's language.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.shared.description.as_deref()
    }

    /// Says what the tool does.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        self.edit(|shared| shared.description = Some(description.into()))
    }

    /// The JSON schema of the arguments: an object's.
    #[must_use]
    pub fn parameters(&self) -> &Value {
        &self.shared.parameters
    }

    /// Shows the model another schema. Arguments are still read by the tool's own types.
    #[must_use]
    pub fn with_parameters(self, parameters: impl Into<Arc<Value>>) -> Self {
        self.edit(|shared| shared.parameters = parameters.into())
    }

    /// Edits the schema that the model is shown.
    #[must_use]
    pub fn map_parameters(self, edit: impl FnOnce(&mut Value)) -> Self {
        self.edit(|shared| edit(Arc::make_mut(&mut shared.parameters)))
    }

    /// Describes one parameter. A parameter the schema does not have is left alone.
    #[must_use]
    pub fn with_parameter_description(self, parameter: &str, description: impl Into<String>) -> Self {
        self.map_parameters(|schema| {
            if let Some(Value::Object(property)) =
                schema.pointer_mut("/properties").and_then(|all| all.get_mut(parameter))
            {
                property.insert("description".to_owned(), description.into().into());
            }
        })
    }

    /// The JSON schema of what the tool gives back, where that is known, such as of an MCP server's tool. It is not sent.
    #[must_use]
    pub fn return_schema(&self) -> Option<&Value> {
        self.shared.return_schema.as_deref()
    }

    /// Says what the tool gives back.
    #[must_use]
    pub fn with_return_schema(self, schema: impl Into<Arc<Value>>) -> Self {
        self.edit(|shared| shared.return_schema = Some(schema.into()))
    }

    /// Whether the provider is asked to hold the model to the schema; `None` lets each provider decide.
    #[must_use]
    pub fn strict(&self) -> Option<bool> {
        self.shared.strict
    }

    /// Asks for strict mode wherever the provider has it (`true`), never (`false`), or as each provider does (`None`;
    /// specification: "Strict Mode").
    #[must_use]
    pub fn with_strict(self, strict: impl Into<Option<bool>>) -> Self {
        self.edit(|shared| shared.strict = strict.into())
    }

    /// What happens when the tool is called.
    #[must_use]
    pub fn kind(&self) -> CallKind {
        self.shared.kind
    }

    /// Sets what happens when the tool is called.
    #[must_use]
    pub fn with_kind(self, kind: CallKind) -> Self {
        self.edit(|shared| shared.kind = kind)
    }

    /// Whether the tool runs alone: calls before it end first, calls after it start once it has ended.
    #[must_use]
    pub fn sequential(&self) -> bool {
        self.shared.sequential
    }

    /// Sets whether the tool runs alone.
    #[must_use]
    pub fn with_sequential(self, sequential: bool) -> Self {
        self.edit(|shared| shared.sequential = sequential)
    }

    /// How long a call may take; `None` is as long as the toolset allows.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.shared.timeout
    }

    /// Sets how long a call may take, more than zero; `None` leaves it to the toolset (specification: "Tool Timeout").
    #[must_use]
    pub fn with_timeout(self, timeout: impl Into<Option<Duration>>) -> Self {
        self.edit(|shared| shared.timeout = timeout.into())
    }

    /// Application data; never sent.
    #[must_use]
    pub fn metadata(&self) -> Option<&Metadata> {
        self.shared.metadata.as_deref()
    }

    /// Replaces the application data.
    #[must_use]
    pub fn with_metadata(self, metadata: impl Into<Arc<Metadata>>) -> Self {
        self.edit(|shared| shared.metadata = Some(metadata.into()))
    }

    /// Adds to the application data; a key that is there already is overwritten.
    #[must_use]
    pub fn merge_metadata(self, more: &Metadata) -> Self {
        self.edit(|shared| {
            let mut merged: Map<_, _> = shared.metadata.as_deref().cloned().unwrap_or_default();
            merged.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
            shared.metadata = Some(Arc::new(merged));
        })
    }

    /// Whether the tool is hidden until the model finds it or another call reveals it.
    #[must_use]
    pub fn defer_loading(&self) -> bool {
        self.shared.defer_loading
    }

    /// Sets whether the tool is hidden at first (specification: "Tool Search").
    #[must_use]
    pub fn with_defer_loading(self, defer_loading: bool) -> Self {
        self.edit(|shared| shared.defer_loading = defer_loading)
    }

    /// The id of the tool's kind.
    #[must_use]
    pub fn tool_kind(&self) -> Option<&str> {
        self.shared.tool_kind.as_deref()
    }

    /// Says what kind of tool it is, whatever its name.
    #[must_use]
    pub fn with_tool_kind(self, kind: impl Into<String>) -> Self {
        self.edit(|shared| shared.tool_kind = Some(kind.into()))
    }

    /// The kind in whose favour the tool steps aside.
    #[must_use]
    pub fn unless_tool_kind(&self) -> Option<&str> {
        self.shared.unless_tool_kind.as_deref()
    }

    /// Makes the tool step aside wherever a tool of that kind is (specification: "Superseding a tool by kind").
    #[must_use]
    pub fn with_unless_tool_kind(self, kind: impl Into<String>) -> Self {
        self.edit(|shared| shared.unless_tool_kind = Some(kind.into()))
    }

    /// The kind of the providers' own tools in whose favour the tool steps aside.
    #[must_use]
    pub fn unless_native(&self) -> Option<&str> {
        self.shared.unless_native.as_deref()
    }

    /// Makes the tool step aside wherever the agent wants a tool of that kind of the provider
    /// ([`AgentBuilder::native_tool`](crate::AgentBuilder::native_tool)), and the model's provider has it
    /// (specification: "Superseding a tool by kind").
    #[must_use]
    pub fn with_unless_native(self, kind: impl Into<String>) -> Self {
        self.edit(|shared| shared.unless_native = Some(kind.into()))
    }

    /// The id of the toolset the tool came from.
    #[must_use]
    pub fn toolset_id(&self) -> Option<&str> {
        self.shared.toolset_id.as_deref()
    }

    pub(crate) fn with_toolset_id(self, id: &str) -> Self {
        self.edit(|shared| shared.toolset_id = Some(id.to_owned()))
    }

    /// The [capability](crate::capability::OnDemand) that the model has to load before it can call the tool.
    #[must_use]
    pub fn capability_id(&self) -> Option<&str> {
        self.shared.capability_id.as_deref()
    }

    pub(crate) fn with_capability_id(self, id: Arc<str>) -> Self {
        self.edit(|shared| shared.capability_id = Some(id))
    }

    pub(crate) fn slot(&self) -> Slot {
        self.slot
    }

    pub(crate) fn in_slot(mut self, slot: Slot) -> Self {
        self.slot = slot;
        self
    }

    /// Whether both are one definition, untouched: cheaper than comparing what is in them.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The definition in a provider's own form, made at most once per dialect.
    ///
    /// The dialect names everything that the form depends on besides the definition.
    #[cfg_attr(not(feature = "provider"), expect(dead_code, reason = "only providers have forms of their own"))]
    pub(crate) fn encoded(&self, dialect: &'static str, make: impl FnOnce(&Self) -> String) -> &str {
        self.shared.encoded.get_or_make(dialect, || make(self))
    }
}

/// Something that a definition says, by name, and whether two definitions say the same of it.
type Field = (&'static str, fn(&Shared, &Shared) -> bool);

const FIELDS: [Field; 15] = [
    ("name", |a, b| a.name == b.name),
    ("description", |a, b| a.description == b.description),
    ("parameters", |a, b| a.parameters == b.parameters),
    ("return_schema", |a, b| a.return_schema == b.return_schema),
    ("strict", |a, b| a.strict == b.strict),
    ("kind", |a, b| a.kind == b.kind),
    ("sequential", |a, b| a.sequential == b.sequential),
    ("timeout", |a, b| a.timeout == b.timeout),
    ("metadata", |a, b| a.metadata == b.metadata),
    ("defer_loading", |a, b| a.defer_loading == b.defer_loading),
    ("tool_kind", |a, b| a.tool_kind == b.tool_kind),
    ("unless_tool_kind", |a, b| a.unless_tool_kind == b.unless_tool_kind),
    ("unless_native", |a, b| a.unless_native == b.unless_native),
    ("toolset_id", |a, b| a.toolset_id == b.toolset_id),
    ("capability_id", |a, b| a.capability_id == b.capability_id),
];

impl ToolDefinition {
    /// The names of what the definitions do not say alike.
    pub(crate) fn differing_fields(&self, other: &Self) -> impl Iterator<Item = &'static str> {
        let differs = move |same: &fn(&Shared, &Shared) -> bool| !same(&self.shared, &other.shared);
        FIELDS.iter().filter(move |(_, same)| !self.is_same(other) && differs(same)).map(|(name, _)| *name)
    }
}

impl PartialEq for ToolDefinition {
    /// Compares what the definitions say, not which tool they are for.
    fn eq(&self, other: &Self) -> bool {
        self.differing_fields(other).next().is_none()
    }
}

impl fmt::Debug for ToolDefinition {
    /// Shows what is set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = &*self.shared;
        let mut debug = f.debug_struct("ToolDefinition");
        debug.field("name", &shared.name);
        if let Some(description) = &shared.description {
            debug.field("description", description);
        }
        debug.field("parameters", &Json::from((*shared.parameters).clone()));
        if let Some(schema) = &shared.return_schema {
            debug.field("return_schema", &Json::from((**schema).clone()));
        }
        let options: [(&str, bool, &dyn fmt::Debug); 10] = [
            ("strict", shared.strict.is_some(), &shared.strict),
            ("kind", shared.kind != CallKind::Function, &shared.kind),
            ("sequential", shared.sequential, &shared.sequential),
            ("timeout", shared.timeout.is_some(), &shared.timeout),
            ("metadata", shared.metadata.is_some(), &shared.metadata),
            ("defer_loading", shared.defer_loading, &shared.defer_loading),
            ("tool_kind", shared.tool_kind.is_some(), &shared.tool_kind),
            ("unless_tool_kind", shared.unless_tool_kind.is_some(), &shared.unless_tool_kind),
            ("unless_native", shared.unless_native.is_some(), &shared.unless_native),
            ("toolset_id", shared.toolset_id.is_some(), &shared.toolset_id),
        ];
        for (name, _, value) in options.iter().filter(|(_, set, _)| *set) {
            debug.field(name, value);
        }
        debug.finish()
    }
}

/// The forms a definition has been given, one per dialect: a list that only grows, so that a form is borrowed freely.
#[derive(Default)]
struct Encoded(OnceLock<Box<EncodedForm>>);

struct EncodedForm {
    dialect: &'static str,
    text: Box<str>,
    next: Encoded,
}

impl Encoded {
    fn get_or_make(&self, dialect: &'static str, make: impl FnOnce() -> String) -> &str {
        let mut make = Some(make);
        let mut list = self;
        loop {
            let form = list.0.get_or_init(|| {
                let text = make.take().map(|make| make()).unwrap_or_default();
                Box::new(EncodedForm { dialect, text: text.into(), next: Self::default() })
            });
            if form.dialect == dialect {
                return &form.text;
            }
            list = &form.next;
        }
    }
}

impl Clone for Encoded {
    /// A copy is about to be edited: what was encoded no longer fits.
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_never_shows_in_what_was_cloned_before() {
        let original = ToolDefinition::new("t").with_description("one");
        let edited = original.clone().with_description("two").with_parameter_description("x", "y");
        assert_eq!(original.description(), Some("one"));
        assert_eq!(edited.description(), Some("two"));
        assert!(!original.is_same(&edited));
    }

    #[test]
    fn a_form_is_made_once_per_dialect_and_anew_after_an_edit() {
        let definition = ToolDefinition::new("t");
        assert_eq!(definition.encoded("a", |_| "1".to_owned()), "1");
        assert_eq!(definition.encoded("b", |_| "2".to_owned()), "2");
        assert_eq!(definition.encoded("a", |_| unreachable!("made already")), "1");
        assert_eq!(definition.with_strict(true).encoded("a", |_| "3".to_owned()), "3");
    }
}
