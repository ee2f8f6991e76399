//! Kinds as data.

use std::borrow::Cow;

use serde_json::Value;

use super::{KindShape as _, ToolKind, registry};
use crate::error::{Error, Result};

/// A kind as data: its id, and the schemas of what it says of arguments and content.
///
/// ```
/// use serde_json::json;
/// use toolwright::tool::kind::KindDefinition;
///
/// let lookup = KindDefinition::new("inventory.find").with_args(json!({
///     "type": "object",
///     "properties": {"sku": {"type": "string"}},
///     "required": ["sku"],
/// }));
/// lookup.clone().define()?;
/// lookup.define()?;
/// assert!(KindDefinition::new("inventory.find").define().is_err(), "the same id says something else");
/// # Ok::<(), toolwright::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a kind is known once it is defined"]
pub struct KindDefinition {
    id: Cow<'static, str>,
    args: Option<Value>,
    content: Option<Value>,
}

impl KindDefinition {
    /// A kind that says nothing of arguments and content.
    pub fn new(id: impl Into<Cow<'static, str>>) -> Self {
        Self { id: id.into(), args: None, content: None }
    }

    /// What the type `K` says.
    pub fn of<K: ToolKind>() -> Self {
        Self { id: Cow::Borrowed(K::ID), args: K::Args::schema(), content: K::Content::schema() }
    }

    /// Says what arguments a tool of the kind takes: the JSON schema of an object.
    pub fn with_args(mut self, schema: Value) -> Self {
        self.args = Some(schema);
        self
    }

    /// Says what a tool of the kind gives back, as a JSON schema.
    pub fn with_content(mut self, schema: Value) -> Self {
        self.content = Some(schema);
        self
    }

    /// The id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The schema of the arguments, where the kind says something of them.
    #[must_use]
    pub fn args(&self) -> Option<&Value> {
        self.args.as_ref()
    }

    /// The schema of the content, where the kind says something of it.
    #[must_use]
    pub fn content(&self) -> Option<&Value> {
        self.content.as_ref()
    }

    /// Makes the kind known to all agents of the process. One that is known already may be defined again.
    ///
    /// # Errors
    ///
    /// Misuse: an id that is not `namespace.name`, or one that is known with other arguments or content.
    pub fn define(self) -> Result<()> {
        registry::define(self)
    }

    /// That the id is `namespace.name`, where the namespace may have dots of its own.
    pub(super) fn check_id(&self) -> Result<()> {
        if self.id.contains('.') && self.id.split('.').all(|part| !part.trim().is_empty()) {
            return Ok(());
        }
        Err(Error::misuse(format!(
            "`{}` is no id of a kind of tools; it has a namespace and a name, with a dot between: `inventory.lookup`",
            self.id
        )))
    }
}
