//! The kinds of tools that a case defines.

use serde::Deserialize;
use toolwright::tool::kind::KindDefinition;

/// A kind; it says nothing of arguments and content.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KindSpec {
    namespace: String,
    name: String,
}

impl KindSpec {
    /// Makes it known. Cases share their process: others may have defined it before.
    pub(crate) fn define(&self) -> Result<(), String> {
        let kind = KindDefinition::new(format!("{}.{}", self.namespace, self.name));
        kind.define().map_err(|error| error.to_string())
    }
}
