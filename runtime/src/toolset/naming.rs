//! From the names tools have in a toolset to those the model knows.

use std::collections::HashMap;
use std::sync::Arc;

/// One layer of renaming, and the layers around it.
pub(crate) struct Naming {
    rule: Arc<NamingRule>,
    outer: Option<Arc<Naming>>,
}

/// How one layer renames.
pub(crate) enum NamingRule {
    Prefix(String),
    /// From old to new.
    Rename(HashMap<String, String>),
}

impl NamingRule {
    pub(super) fn apply(&self, name: &str) -> Option<String> {
        match self {
            Self::Prefix(prefix) => Some(format!("{prefix}_{name}")),
            Self::Rename(names) => names.get(name).cloned(),
        }
    }
}

impl Naming {
    pub(crate) fn new(rule: Arc<NamingRule>, outer: Option<Arc<Self>>) -> Self {
        Self { rule, outer }
    }

    /// The name that the model knows for a tool that is called `name` here.
    pub(crate) fn exposed(&self, name: &str) -> String {
        let renamed = self.rule.apply(name).unwrap_or_else(|| name.to_owned());
        match &self.outer {
            Some(outer) => outer.exposed(&renamed),
            None => renamed,
        }
    }
}
