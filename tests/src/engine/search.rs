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
        let search = match self.strategy.as_deref() {
            None => ToolSearch::automatic(),
            Some("keywords") => ToolSearch::keywords(),
            Some("bm25") => ToolSearch::bm25(),
            Some("regex") => ToolSearch::regex(),
            Some(other) => return Err(format!("needs the search strategy `{other}`")),
        };
        Ok(self.max_results.into_iter().fold(search, ToolSearch::max_results))
    }
}
