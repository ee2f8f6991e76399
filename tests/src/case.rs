//! Cases as they lie on disk: one a file, or packed, one a line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::{Map, Value};

/// One case: its id, and all it says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Section and name, such as `retries/tool-budget-0`.
    pub id: String,
    said: Result<Map<String, Value>, String>,
}

impl Case {
    pub(crate) fn new(id: impl Into<String>, said: Map<String, Value>) -> Self {
        Self { id: id.into(), said: Ok(said) }
    }

    /// Reads a case. JSON that is none is `None`; what is no JSON may have been one, and is a case that fails, under
    /// the name of its `place`.
    fn read(text: &str, place: impl FnOnce() -> String) -> Option<Self> {
        match serde_json::from_str(text) {
            Ok(Value::Object(said)) if said.contains_key("runs") => {
                let id = said.get("id").and_then(Value::as_str).map_or_else(place, str::to_owned);
                Some(Self::new(id, said))
            }
            Ok(_) => None,
            Err(error) => Some(Self { id: place(), said: Err(format!("cannot be read: {error}")) }),
        }
    }

    /// What the case says, or why it cannot be read.
    pub(crate) fn said(&self) -> Result<&Map<String, Value>, String> {
        self.said.as_ref().map_err(Clone::clone)
    }

    /// What the case is counted under: the first part of its id, and for `wire` the second too.
    #[must_use]
    pub fn section(&self) -> &str {
        let mut slashes = self.id.match_indices('/').map(|(at, _)| at);
        let first = slashes.next();
        let end = if self.id.starts_with("wire/") { slashes.next() } else { first };
        &self.id[..end.unwrap_or(self.id.len())]
    }
}

/// Cases in the order of their ids.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suite {
    /// The cases.
    pub cases: Vec<Case>,
}

impl Suite {
    /// Loads every case below a directory: `.json` files hold one, `.jsonl` files one a line.
    ///
    /// # Errors
    ///
    /// When a file or directory cannot be opened.
    pub fn load(directory: &Path) -> io::Result<Self> {
        let mut cases = Vec::new();
        for path in files_below(directory)? {
            let place = || path.strip_prefix(directory).unwrap_or(&path).with_extension("").display().to_string();
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("json") => cases.extend(Case::read(&fs::read_to_string(&path)?, place)),
                Some("jsonl") => {
                    let text = fs::read_to_string(&path)?;
                    let lines = text.lines().zip(1..);
                    cases.extend(
                        lines.filter_map(|(line, number)| Case::read(line, || format!("{}/{number}", place()))),
                    );
                }
                _ => {}
            }
        }
        cases.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(Self { cases })
    }

    /// The packed cases of this workspace.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub fn packed() -> io::Result<Self> {
        Self::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance"))
    }

    /// Keeps the cases whose id one of the expressions matches.
    #[must_use]
    pub fn only(mut self, expressions: &[Regex]) -> Self {
        self.cases.retain(|case| expressions.iter().any(|expression| expression.is_match(&case.id)));
        self
    }

    /// Drops the cases whose id one of the expressions matches.
    #[must_use]
    pub fn without(mut self, expressions: &[Regex]) -> Self {
        self.cases.retain(|case| !expressions.iter().any(|expression| expression.is_match(&case.id)));
        self
    }
}

fn files_below(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                directories.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(id: &str) -> Case {
        Case::new(id, Map::new())
    }

    #[test]
    fn wire_is_counted_by_topic_and_the_rest_by_section() {
        assert_eq!(case("retries/tool-budget-0").section(), "retries");
        assert_eq!(case("wire/strict/map-true/openai-chat--gpt-5.2").section(), "wire/strict");
        assert_eq!(case("recorded/openai-chat/json-002").section(), "recorded");
        assert_eq!(case("lonely").section(), "lonely");
    }

    #[test]
    fn what_cannot_be_read_is_a_case_that_fails_and_other_json_is_none() {
        let place = || "section/name".to_owned();
        let read = Case::read(r#"{"id": "s/n", "runs": []}"#, place).expect("a case");
        assert_eq!((read.id.as_str(), read.said().is_ok()), ("s/n", true));
        let broken = Case::read("{", place).expect("a case");
        assert_eq!((broken.id.as_str(), broken.said().is_err()), ("section/name", true));
        assert!(Case::read("[1]", place).is_none());
    }
}
