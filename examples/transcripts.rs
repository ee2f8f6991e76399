//! Runs every example offline and compares what it prints with the file beside it.

use std::path::PathBuf;
use std::process::Command;

use expect_test::expect_file;

/// Cargo builds a package's examples before its tests, into a folder beside the test's own.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("tests are built in <profile>/deps");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn check(name: &str) {
    let output = Command::new(example(name))
        .env_remove(toolwright_examples::MODEL_VARIABLE)
        .env_remove("OTEL_EXPORTER_OTLP_ENDPOINT")
        .output()
        .unwrap_or_else(|error| panic!("example {name} does not start: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "example {name} failed: {errors}");
    expect_file![format!("{name}.out")].assert_eq(&String::from_utf8_lossy(&output.stdout));
}

#[test]
fn first_tool() {
    check("01_first_tool");
}

#[test]
fn prepare_by_deps() {
    check("02_prepare_by_deps");
}

#[test]
fn agent_wide_prepare() {
    check("03_agent_wide_prepare");
}

#[test]
fn approval_and_resume() {
    check("04_approval_and_resume");
}

#[test]
fn cancel_and_deadline() {
    check("05_cancel_and_deadline");
}

#[test]
fn real_model() {
    check("06_real_model");
}

#[test]
fn tool_search() {
    check("07_tool_search");
}

#[test]
fn typed_parts() {
    check("08_typed_parts");
}

#[test]
fn capability() {
    check("09_capability");
}

#[test]
fn streaming_report() {
    check("10_streaming_report");
}

#[test]
fn traces_over_otlp() {
    check("11_traces_over_otlp");
}

#[test]
fn toolset() {
    check("12_toolset");
}

#[test]
fn registered() {
    check("13_registered");
}

#[test]
fn mcp_servers() {
    check("14_mcp_servers");
}
