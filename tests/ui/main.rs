//! What the compiler says of wrong uses of the macros: one error each, at the user's own tokens.
//!
//! `TRYBUILD=overwrite` writes the expected messages anew; read them before they are kept.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Messages of the compiler change with its versions; these are of the one that the repository pins.
const PINNED: &str = "rustc 1.95.0 ";

#[test]
fn ui() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(rustc).arg("--version").output().expect("the compiler runs");
    let version = String::from_utf8_lossy(&version.stdout);
    if !version.starts_with(PINNED) {
        eprintln!("skipped: the expected messages are those of {PINNED}and this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/fail/*.rs");
    cases.pass("ui/*/pass/*.rs");
}

#[test]
fn every_mistake_has_one_error() {
    let mut cases = 0;
    for topic in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")) {
        for case in entries(&topic.join("fail")).filter(|path| path.extension().is_some_and(|ext| ext == "stderr")) {
            let messages = std::fs::read_to_string(&case).expect("the case can be read");
            let errors = messages.lines().filter(|line| line.starts_with("error")).count();
            assert_eq!(errors, 1, "{}", case.display());
            cases += 1;
        }
    }
    assert!(cases >= 40, "only {cases} cases were found");
}

/// What is in a folder; nothing if it is none.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path())
}
