//! Comparing HTTP requests: some keys may be there or not.

use serde_json::{Map, Value, json};

use super::values::{Difference, same_but_nulls};

/// Compares the requests of a run.
pub(crate) fn requests(api: &str, expected: &Value, actual: &[Value]) -> Result<(), Difference> {
    let expected: Value = expected.as_array().into_iter().flatten().map(|request| normal(api, request)).collect();
    let actual: Value = actual.iter().map(|request| normal(api, request)).collect();
    same_but_nulls(&expected, &actual)
}

/// The request without what does not count.
fn normal(api: &str, request: &Value) -> Value {
    let mut request = request.clone();
    if let Some(path) = request.get_mut("path") {
        *path = decoded_path(path.as_str().unwrap_or_default()).into();
    }
    if let Some(Value::Object(body)) = request.get_mut("body") {
        drop_optional(api, body);
    }
    request
}

fn drop_optional(api: &str, body: &mut Map<String, Value>) {
    drop_if(body, "stream", &json!(false));
    drop_if(body, "n", &json!(1));
    for message in objects(body.get_mut("messages")) {
        drop_if(message, "prefix", &json!(false));
    }
    match api {
        "mistral" => drop_if(body, "top_p", &json!(1.0)),
        "google" => {
            if let Some(Value::Object(config)) = body.get_mut("generationConfig") {
                drop_if(config, "responseModalities", &json!(["TEXT"]));
            }
            if let Some(Value::Object(instruction)) = body.get_mut("systemInstruction") {
                instruction.remove("role");
            }
        }
        "openai-chat" => {
            for tool in objects(body.get_mut("tools")) {
                if let Some(Value::Object(function)) = tool.get_mut("function") {
                    drop_if(function, "strict", &json!(false));
                }
            }
        }
        _ => {}
    }
}

fn objects(list: Option<&mut Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    list.and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

fn drop_if(map: &mut Map<String, Value>, key: &str, value: &Value) {
    if map.get(key) == Some(value) {
        map.remove(key);
    }
}

/// The path without its query, each `%XX` as the byte it stands for.
fn decoded_path(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| path.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(api: &str, expected: &Value, actual: &Value) -> bool {
        requests(api, &json!([{"body": expected}]), &[json!({"body": actual})]).is_ok()
    }

    #[test]
    fn optional_keys_may_be_there_or_not() {
        assert!(compare("groq", &json!({"stream": false, "n": 1}), &json!({})));
        assert!(compare("groq", &json!({}), &json!({"stream": false, "n": 1})));
        assert!(!compare("groq", &json!({"stream": true}), &json!({})));
        assert!(!compare("groq", &json!({"n": 2}), &json!({})));
        assert!(compare(
            "mistral",
            &json!({"messages": [{"role": "user", "prefix": false}]}),
            &json!({"messages": [{"role": "user"}]})
        ));
    }

    #[test]
    fn optional_keys_of_one_api_count_in_another() {
        assert!(compare("mistral", &json!({"top_p": 1.0}), &json!({})));
        assert!(!compare("groq", &json!({"top_p": 1.0}), &json!({})));
        let strict = |strict: Value| json!({"tools": [{"function": {"name": "t", "strict": strict}}]});
        assert!(compare("openai-chat", &strict(json!(false)), &strict(Value::Null)));
        assert!(!compare("openai-chat", &strict(json!(true)), &strict(Value::Null)));
        let flat = |strict: Value| json!({"tools": [{"name": "t", "strict": strict}]});
        assert!(!compare("openai-responses", &flat(json!(false)), &flat(Value::Null)));
    }

    #[test]
    fn googles_modalities_and_role_are_optional() {
        let full = json!({
            "generationConfig": {"a": 1, "responseModalities": ["TEXT"]},
            "systemInstruction": {"role": "user", "parts": []},
        });
        let short = json!({"generationConfig": {"a": 1}, "systemInstruction": {"parts": []}});
        assert!(compare("google", &full, &short));
    }

    #[test]
    fn paths_compare_decoded_and_without_a_query() {
        assert_eq!(decoded_path("/model/a%3A0/converse?x=1"), "/model/a:0/converse");
        assert_eq!(decoded_path("/100%"), "/100%");
        assert_eq!(decoded_path("/%zz"), "/%zz");
    }
}
