//! Cases as they lie on disk: one a file, or packed, one a line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value;

/// One case: its id, and all it says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Section and name, such as `retries/tool-budget-0`.
    pub id: String,
    pub(crate) json: Value,
}

impl Case {
    fn parse(text: &str, path: &Path) -> io::Result<Self> {
        let invalid =
            |problem: String| io::Error::new(io::ErrorKind::InvalidData, format!("{}: {problem}", path.display()));
        let json: Value = serde_json::from_str(text).map_err(|error| invalid(error.to_string()))?;
        let id = json.get("id").and_then(Value::as_str).ok_or_else(|| invalid("a case without an `id`".to_owned()))?;
        Ok(Self { id: id.to_owned(), json })
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
    /// When a file cannot be read, or holds no case.
    pub fn load(directory: &Path) -> io::Result<Self> {
        let mut cases = Vec::new();
        for path in files_below(directory)? {
            let ending = path.extension().and_then(|ending| ending.to_str());
            match ending {
                Some("json") => cases.push(Case::parse(&fs::read_to_string(&path)?, &path)?),
                Some("jsonl") => {
                    for line in fs::read_to_string(&path)?.lines() {
                        cases.push(Case::parse(line, &path)?);
                    }
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
        Case { id: id.to_owned(), json: Value::Null }
    }

    #[test]
    fn wire_is_counted_by_topic_and_the_rest_by_section() {
        assert_eq!(case("retries/tool-budget-0").section(), "retries");
        assert_eq!(case("wire/strict/map-true/openai-chat--gpt-5.2").section(), "wire/strict");
        assert_eq!(case("recorded/openai-chat/json-002").section(), "recorded");
        assert_eq!(case("lonely").section(), "lonely");
    }
}
