//! What an annotated function says of itself.

use std::panic::Location;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::ToolDefinition;
use super::kind::{KindDefinition, ToolKind, note};
use super::schema::parameters_schema;
use crate::args::ReadOptions;
use crate::message::Metadata;
use crate::prepare::{BoxedToolPrepare, ToolPrepare, boxed_tool_prepare};

/// What an annotated function says of itself, piece by piece. `#[tool]` writes this.
#[must_use]
pub struct ToolSpec<D> {
    pub(super) name: &'static str,
    pub(super) description: Option<&'static str>,
    pub(super) parameters: Vec<ParamSpec>,
    pub(super) retries: Option<u32>,
    pub(super) prepare: Option<BoxedToolPrepare<D>>,
    pub(super) defined_at: &'static Location<'static>,
    timeout: Option<Duration>,
    strict: Option<bool>,
    sequential: bool,
    requires_approval: bool,
    defer_loading: bool,
    metadata: Option<Metadata>,
    strictly_typed: bool,
    tool_kind: Option<&'static str>,
    unless_tool_kind: Option<&'static str>,
    unless_native: Option<&'static str>,
    define_kind: Option<fn() -> KindDefinition>,
}

impl<D: 'static> ToolSpec<D> {
    /// A tool of this name, defined where this is called.
    #[track_caller]
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            description: None,
            parameters: Vec::new(),
            retries: None,
            prepare: None,
            defined_at: Location::caller(),
            timeout: None,
            strict: None,
            sequential: false,
            requires_approval: false,
            defer_loading: false,
            metadata: None,
            strictly_typed: false,
            tool_kind: None,
            unless_tool_kind: None,
            unless_native: None,
            define_kind: None,
        }
    }

    /// What it does.
    pub fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// Its next parameter.
    pub fn param(mut self, param: ParamSpec) -> Self {
        self.parameters.push(param);
        self
    }

    /// How often the model may be asked to try again.
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = Some(retries);
        self
    }

    /// Decides at each step what of it the model sees.
    pub fn prepare<Form>(mut self, prepare: impl ToolPrepare<D, Form>) -> Self {
        self.prepare = Some(boxed_tool_prepare(prepare));
        self
    }

    /// How long a call may take.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Whether the provider is asked to hold the model to the schema.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = Some(strict);
        self
    }

    /// Runs alone.
    pub fn sequential(mut self) -> Self {
        self.sequential = true;
        self
    }

    /// Runs only once the call is approved.
    pub fn requires_approval(mut self) -> Self {
        self.requires_approval = true;
        self
    }

    /// Hidden until found or revealed.
    pub fn defer_loading(mut self) -> Self {
        self.defer_loading = true;
        self
    }

    /// Application data. A value that is no object is put under the key `value`, as that of a `ToolReturn` is.
    pub fn metadata(mut self, metadata: impl Into<Value>) -> Self {
        self.metadata = Some(match metadata.into() {
            Value::Object(map) => map,
            other => Metadata::from_iter([("value".to_owned(), other)]),
        });
        self
    }

    /// Takes no `"1"` for 1.
    pub fn strictly_typed(mut self) -> Self {
        self.strictly_typed = true;
        self
    }

    /// What kind of tool it is.
    pub fn tool_kind<K: ToolKind>(mut self) -> Self {
        self.define_kind = Some(KindDefinition::of::<K>);
        self.tool_kind_id(K::ID)
    }

    /// What kind of tool it is, by the kind's id.
    pub fn tool_kind_id(mut self, id: &'static str) -> Self {
        self.tool_kind = Some(id);
        self
    }

    /// Steps aside where a tool of this kind is.
    pub fn unless_tool_kind<K: ToolKind>(self) -> Self {
        self.unless_tool_kind_id(K::ID)
    }

    /// Steps aside where a tool of this kind is, by the kind's id.
    pub fn unless_tool_kind_id(mut self, id: &'static str) -> Self {
        self.unless_tool_kind = Some(id);
        self
    }

    /// Steps aside where the provider has a tool of this kind itself.
    pub fn unless_native(mut self, kind: &'static str) -> Self {
        self.unless_native = Some(kind);
        self
    }

    pub(crate) fn describe(&self) -> (ToolDefinition, ReadOptions) {
        let mut schema = parameters_schema(&self.parameters);
        let description = match self.description {
            Some(own) => {
                schema.keep_description();
                Some(own.to_owned())
            }
            None => schema.description,
        };
        let mut definition = ToolDefinition::new(self.name)
            .with_parameters(schema.parameters)
            .with_strict(self.strict)
            .with_sequential(self.sequential)
            .with_timeout(self.timeout)
            .with_defer_loading(self.defer_loading);
        if let Some(description) = description {
            definition = definition.with_description(description);
        }
        if self.requires_approval {
            definition = definition.with_kind(super::CallKind::Unapproved);
        }
        if let Some(metadata) = &self.metadata {
            definition = definition.with_metadata(metadata.clone());
        }
        if let Some(kind) = self.tool_kind {
            definition = definition.with_tool_kind(kind);
        }
        if let Some(kind) = self.unless_tool_kind {
            definition = definition.with_unless_tool_kind(kind);
        }
        if let Some(kind) = self.unless_native {
            definition = definition.with_unless_native(kind);
        }
        if let Some(kind) = self.define_kind {
            note(kind());
        }
        (definition, ReadOptions { lenient: !self.strictly_typed, whole: schema.whole })
    }
}

/// What is known of one parameter.
#[must_use]
pub struct ParamSpec {
    pub(super) name: &'static str,
    pub(super) description: Option<&'static str>,
    pub(super) optional: bool,
    pub(super) default: Option<Value>,
    pub(super) nested: bool,
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
}

impl ParamSpec {
    /// A parameter of type `T`. It is optional when a `T` can be made of nothing, as an `Option` can.
    pub fn new<T: ToolParameter>(name: &'static str) -> Self {
        let optional = is_optional::<T>();
        Self {
            name,
            description: None,
            optional,
            default: optional.then_some(Value::Null),
            nested: false,
            schema: |generator| generator.subschema_for::<T>(),
        }
    }

    /// What it is for.
    pub fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// What it is when it is left out, for the model to see. A value that is no JSON is not shown.
    pub fn default<T: serde::Serialize>(mut self, default: &T) -> Self {
        self.optional = true;
        self.default = serde_json::to_value(default).ok();
        self
    }

    /// May be left out; what it is then is not shown.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self.default = None;
        self
    }

    /// Stays a property of the argument object, even if it is the only parameter and an object itself.
    pub fn nested(mut self) -> Self {
        self.nested = true;
        self
    }

    /// Another schema than that of its type.
    pub fn schema(mut self, schema: fn(&mut SchemaGenerator) -> Schema) -> Self {
        self.schema = schema;
        self
    }
}

/// What a tool's parameter may be: anything that can be read and has a JSON schema.
#[diagnostic::on_unimplemented(
    message = "a tool's parameter cannot be `{Self}`",
    label = "this type has no JSON schema, or cannot be read from JSON",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it, or mark a parameter that is the run's context \
            with `#[ctx]`"
)]
pub trait ToolParameter: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolParameter for T {}

/// Whether a `T` can be made of nothing.
fn is_optional<T: DeserializeOwned>() -> bool {
    crate::args::from_nothing::<T>().is_some()
}
