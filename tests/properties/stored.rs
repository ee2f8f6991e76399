//! Stored histories: what comes in goes out again, and nothing that comes in does harm.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolwright::message::History;

/// Loads and stores twice: the same text, and the same messages.
pub(crate) fn assert_round_trip(text: &str) {
    let history = History::from_json(text).expect("a history of ours");
    let stored = history.to_json();
    let again = History::from_json(&stored).expect("what was stored");
    assert_eq!(again.to_json(), stored);
    assert_eq!(again, history);
}

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,4}", inner), 0..4).prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    })
}

/// A part with the fields of known ones, of a kind that may be known.
fn any_part() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec![
        "text",
        "thinking",
        "tool-call",
        "tool-return",
        "user-prompt",
        "system-prompt",
        "retry-feedback",
        "retry-prompt",
        "tool-availability-delta",
        "capability-load-delta",
        "builtin-tool-call",
        "builtin-tool-return",
        "hologram",
    ]);
    let field = prop::sample::select(vec![
        "content",
        "args",
        "tool_name",
        "tool_call_id",
        "timestamp",
        "outcome",
        "retry",
        "metadata",
        "tools_added",
        "novel",
    ]);
    (kind, prop::collection::vec((field, any_json()), 0..6), any::<bool>()).prop_map(|(kind, fields, fitting)| {
        let mut part = Map::new();
        if fitting {
            part.insert("content".to_owned(), json!("words"));
            part.insert("tool_name".to_owned(), json!("t"));
            part.insert("tool_call_id".to_owned(), json!("1"));
        }
        for (key, value) in fields {
            if !fitting || key == "novel" || key == "metadata" {
                part.insert(key.to_owned(), value);
            }
        }
        part.insert("part_kind".to_owned(), json!(kind));
        Value::Object(part)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Invariants 2 and 6: whatever a stored history holds, it is loaded or refused; what is loaded comes back.
    #[test]
    fn any_history_is_kept_or_refused(
        kinds in prop::collection::vec((any::<bool>(), prop::collection::vec(any_part(), 0..4), any_json()), 0..4),
    ) {
        let messages: Vec<_> = kinds
            .into_iter()
            .map(|(request, parts, novel)| {
                json!({"kind": if request { "request" } else { "response" }, "parts": parts, "novel": novel})
            })
            .collect();
        let text = Value::from(messages).to_string();
        if let Ok(history) = History::from_json(&text) {
            assert_round_trip(&history.to_json());
            prop_assert!(history.to_json().matches("novel").count() >= history.iter().count());
        }
    }

    /// Invariant 6: no text does harm.
    #[test]
    fn no_text_panics(text in ".{0,64}", json in any_json()) {
        let _ = History::from_json(&text);
        let _ = History::from_json(&json.to_string());
        let _ = History::from_json(&"[".repeat(text.len() * 40));
    }
}

/// A part in which older programs stored retries may have keys that mean something in what it becomes.
#[test]
fn legacy_retries_with_keys_of_newer_parts_are_kept() {
    for name in [json!(null), json!("t")] {
        let part = json!({
            "part_kind": "retry-prompt", "content": "again", "tool_name": name, "tool_call_id": "1", "retry": "odd",
            "outcome": 5, "metadata": "odd", "tool_kind": [], "content_file_digests": {}, "novel": 1,
        });
        let text = json!([{"kind": "request", "parts": [part]}]).to_string();
        let history = History::from_json(&text).expect("a history");
        assert_round_trip(&history.to_json());
        assert!(history.to_json().contains("novel"));
    }
}
