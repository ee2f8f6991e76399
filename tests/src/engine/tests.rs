//! The runner itself: what it lets pass, and what it does not.

use serde_json::{Value, json};

use super::play;
use crate::case::Case;

fn played(json: Value) -> Result<(), String> {
    play(&Case::new("test/case", json.as_object().cloned().expect("a case")))
}

/// A tool that waits, is called, and of which everything is expected.
fn whole_case() -> Value {
    let shown = json!({"name": "t", "description": "T.", "parameters": {"type": "object"}});
    let mut tool = shown.clone();
    tool["does"] = json!([{"sleep_ms": 5000, "return": 1}]);
    let answer =
        json!({"tool_name": "t", "content": 1, "tool_call_id": "c", "outcome": "success", "part_kind": "tool-return"});
    let step = json!({"tools": [shown], "output_tools": [], "allow_text": true, "tool_choice": null});
    json!({
        "id": "test/case",
        "api": "function",
        "tools": [tool],
        "runs": [{"prompt": "Go.", "replies": [[{"call": "t", "args": {"x": 1}, "id": "c"}], [{"text": "done"}]]}],
        "expect": {"runs": [{
            "output": "done",
            "usage": {"requests": 2, "tool_calls": 1},
            "messages": [
                {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Go."}]},
                {"kind": "response", "parts": [
                    {"part_kind": "tool-call", "tool_name": "t", "args": {"x": 1}, "tool_call_id": "c"},
                ]},
                {"kind": "request", "parts": [answer]},
                {"kind": "response", "parts": [{"part_kind": "text", "content": "done"}]},
            ],
            "steps": [step, step],
            "executed": [{"tool": "t", "args": {"x": 1}, "at": "start"}, {"tool": "t", "at": "end"}],
            "events": [
                {"event": "function_tool_call", "tool": "t", "id": "c", "args_valid": true},
                {"event": "function_tool_result", "tool": "t", "id": "c", "outcome": "success"},
            ],
        }]},
    })
}

fn with(mut case: Value, pointer: &str, value: Value) -> Value {
    *case.pointer_mut(pointer).expect("the case has it") = value;
    case
}

#[test]
fn a_case_whose_expectations_are_met_passes() {
    assert_eq!(played(whole_case()), Ok(()));
}

#[test]
fn a_case_with_any_other_expectation_fails() {
    let others = [
        ("/output", json!("other")),
        ("/usage/tool_calls", json!(2)),
        ("/messages/0/parts/0/content", json!("Stop.")),
        ("/messages/2/parts/0/outcome", json!("failed")),
        ("/messages/3/parts", json!([])),
        ("/steps/1/tools", json!([])),
        ("/steps/0/allow_text", json!(false)),
        ("/steps/0/output_tools", json!(["o"])),
        ("/executed/0/args/x", json!(2)),
        ("/executed/1/tool", json!("u")),
        ("/executed", json!([])),
        ("/events/0/args_valid", json!(false)),
        ("/events/1/outcome", json!("failed")),
        ("/events", json!([])),
    ];
    for (place, value) in others {
        let result = played(with(whole_case(), &format!("/expect/runs/0{place}"), value));
        assert!(result.is_err(), "{place} does not count");
    }
}

#[test]
fn an_unexpected_error_fails_whatever_else_is_expected() {
    let unbuildable = with(whole_case(), "/runs/0/replies", json!([]));
    let result = played(with(unbuildable, "/expect/runs/0", json!({"executed": [], "events": []})));
    assert!(result.is_err_and(|difference| difference.contains("no error")));
}

#[test]
fn an_error_must_be_of_its_kind_and_mention_its_words() {
    let failing = |expected: Value| {
        let case = with(whole_case(), "/tools/0/does", json!([{"error": "disk on fire"}]));
        played(with(case, "/expect/runs/0", json!({"error": expected})))
    };
    assert_eq!(failing(json!({"kind": "ToolError", "message": "disk on fire"})), Ok(()));
    assert_eq!(failing(json!({"kind": "ToolError", "mentions": ["t"]})), Ok(()));
    assert!(failing(json!({"kind": "ToolError", "message": "disk"})).is_err());
    assert!(failing(json!({"kind": "ToolError", "mentions": ["zebra"]})).is_err());
    assert!(failing(json!({"kind": "UserError", "mentions": []})).is_err());
}

#[test]
fn what_is_not_known_fails_and_says_so() {
    for (pointer, value) in [
        ("/api", json!("an api of nobody")),
        ("/tools/0/does", json!([{"dance": true}])),
        ("/tools/0", json!({"name": "t", "colour": "red"})),
        ("/runs/0", json!({"prompt": "Go.", "mood": "good"})),
    ] {
        let result = played(with(whole_case(), pointer, value));
        assert!(result.as_ref().is_err_and(|difference| difference.starts_with("needs")), "{pointer}: {result:?}");
    }
    let unknown = json!({"weather": "fine"});
    assert!(played(with(whole_case(), "/expect/runs/0", unknown)).is_err());
}

#[test]
fn a_run_that_waits_too_long_fails_at_once() {
    let waiting = json!([{"sleep_ms": 100_000_000, "return": 1}]);
    let result = played(with(whole_case(), "/tools/0/does", waiting));
    assert!(result.is_err_and(|difference| difference.starts_with("does not end")));
}
