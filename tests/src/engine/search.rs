//! How the hidden tools of a case are searched.

use serde::Deserialize;
use serde_json::Value;
use toolwright::ToolSearch;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SearchSpec {
    strategy: Option<String>,
    max_results: Option<usize>,
}

impl SearchSpec {
    pub(crate) fn search(&self) -> Result<ToolSearch<Value>, String> {
        match self.strategy.as_deref() {
            None | Some("keywords") => {
                let search = ToolSearch::keywords();
                Ok(self.max_results.into_iter().fold(search, ToolSearch::max_results))
            }
            Some(other) => Err(format!("needs the search strategy `{other}`")),
        }
    }
}
