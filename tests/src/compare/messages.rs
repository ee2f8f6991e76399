//! Comparing histories: of each kind of message and part, only some keys count.

use serde_json::{Map, Value};

use super::values::{Difference, same, without_empties};

/// Compares two histories in their stored form.
pub(crate) fn messages(expected: &Value, actual: &Value) -> Result<(), Difference> {
    same(&counted(expected), &counted(actual))
}

/// What counts of a history: the keys that are compared, without empty ones and without requests that say nothing.
fn counted(history: &Value) -> Value {
    let messages = history.as_array().map(Vec::as_slice).unwrap_or_default();
    messages
        .iter()
        .map(|message| without_empties(&counted_message(message)))
        .filter(|message| !is_empty_request(message))
        .collect()
}

fn is_empty_request(message: &Value) -> bool {
    message["kind"] == "request" && message.get("parts").is_none()
}

fn counted_message(message: &Value) -> Value {
    let keys: &[&str] = match message["kind"].as_str() {
        Some("request") => &["kind", "instructions"],
        Some("response") => &["kind", "finish_reason", "provider_name"],
        _ => return message.clone(),
    };
    let mut counted = only(message, keys);
    let parts = message["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
    counted.insert("parts".to_owned(), parts.iter().map(counted_part).collect());
    counted.into()
}

fn counted_part(part: &Value) -> Value {
    let keys: &[&str] = match part["part_kind"].as_str() {
        Some("user-prompt" | "system-prompt") => &["part_kind", "content"],
        Some("text") => &["part_kind", "content", "id", "provider_name"],
        Some("thinking") => &["part_kind", "content", "id", "signature", "provider_name"],
        Some("tool-call" | "builtin-tool-call") => {
            &["part_kind", "tool_name", "args", "tool_call_id", "tool_kind", "id", "provider_name"]
        }
        Some("tool-return" | "builtin-tool-return") => {
            &["part_kind", "tool_name", "content", "tool_call_id", "tool_kind", "metadata", "outcome", "retry"]
        }
        Some("retry-feedback") => &["part_kind", "content", "retry"],
        Some("tool-availability-delta") => &["part_kind", "tools_added", "tool_call_id"],
        _ => return part.clone(),
    };
    let mut counted = only(part, keys);
    if let Some(retry) = counted.get_mut("retry") {
        *retry = only(retry, &["cause", "attempt", "max_retries"]).into();
    }
    counted.into()
}

fn only(value: &Value, keys: &[&str]) -> Map<String, Value> {
    keys.iter().filter_map(|key| value.get(key).map(|value| ((*key).to_owned(), value.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_keys_of_each_kind_count() {
        let expected = json!([{"kind": "response", "parts": [{"part_kind": "text", "content": "hi"}]}]);
        let stored = json!([{
            "kind": "response", "model_name": "m", "usage": {"input_tokens": 3},
            "parts": [{"part_kind": "text", "content": "hi", "id": null, "provider_details": {"x": 1}}],
        }]);
        assert_eq!(messages(&expected, &stored), Ok(()));
        let other = json!([{"kind": "response", "parts": [{"part_kind": "text", "content": "hi", "id": "t1"}]}]);
        assert!(messages(&expected, &other).is_err());
    }

    #[test]
    fn requests_that_say_nothing_do_not_count() {
        let expected = json!([{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Go."}]}]);
        let mut with_empty = expected.as_array().cloned().expect("a list");
        with_empty.push(json!({"kind": "request", "parts": []}));
        assert_eq!(messages(&expected, &with_empty.into()), Ok(()));
        let with_response = json!([expected[0], {"kind": "response", "parts": []}]);
        assert!(messages(&expected, &with_response).is_err());
    }

    #[test]
    fn of_a_retry_cause_and_numbers_count() {
        let part = |retry| json!({"part_kind": "retry-feedback", "content": "no", "retry": retry});
        let with = |retry| json!([{"kind": "request", "parts": [part(retry)]}]);
        let expected = with(json!({"cause": "no_output", "attempt": 1, "max_retries": 1}));
        assert!(
            messages(&expected, &with(json!({"cause": "no_output", "attempt": 1, "max_retries": 1, "note": "x"})))
                .is_ok()
        );
        assert!(messages(&expected, &with(json!({"cause": "no_output", "attempt": 2, "max_retries": 1}))).is_err());
    }
}
