//! Packing: one file a section, one case a line, so that the tree stays small.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use crate::case::Suite;

/// Replies of real providers are played where they lie, and not copied.
const NOT_PACKED: &str = "recorded";

/// Packs the cases of `suite` into `directory`, in place of what is packed there; gives the number of cases.
///
/// # Errors
///
/// When a case cannot be read, or a file not be written.
pub fn pack(suite: &Suite, directory: &Path) -> io::Result<usize> {
    let mut sections: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for case in suite.cases.iter().filter(|case| case.section() != NOT_PACKED) {
        let said = case
            .said()
            .map_err(|problem| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {problem}", case.id)))?;
        sections.entry(case.section()).or_default().push(Value::from(said.clone()).to_string());
    }
    for (section, lines) in &sections {
        let path = directory.join(format!("{section}.jsonl"));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, lines.join("\n") + "\n")?;
    }
    Ok(sections.values().map(Vec::len).sum())
}
