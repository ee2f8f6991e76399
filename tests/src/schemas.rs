//! Request schemas made from the providers' own SDKs: every body that is sent must fit.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::Value;

/// The APIs whose schema is packed, and its name.
const SCHEMAS: [(&str, &str); 5] = [
    ("anthropic", "anthropic"),
    ("groq", "groq"),
    ("mistral", "mistral"),
    ("openai-chat", "openai-chat"),
    ("openai-responses", "openai-responses"),
];

/// Says where `body` does not fit the requests of `api`. An API without a schema takes anything.
///
/// # Errors
///
/// Where, and why.
pub fn check(api: &str, body: &Value) -> Result<(), String> {
    static VALIDATORS: OnceLock<HashMap<&str, OnceLock<Result<Validator, String>>>> = OnceLock::new();
    let validators = VALIDATORS.get_or_init(|| SCHEMAS.map(|(api, _)| (api, OnceLock::new())).into());
    let (Some(slot), Some((_, name))) = (validators.get(api), SCHEMAS.iter().find(|(known, _)| *known == api)) else {
        return Ok(());
    };
    let validator = slot.get_or_init(|| load(name)).as_ref().map_err(Clone::clone)?;
    let unstreamed = as_unstreamed(body);
    let first = validator.iter_errors(&unstreamed).next();
    match first {
        Some(error) => Err(format!("does not fit the schema of {api} at `{}`: {error}", error.instance_path())),
        None => Ok(()),
    }
}

/// The schemas are those of requests that are answered at once; streamed ones differ in `stream` alone.
fn as_unstreamed(body: &Value) -> Cow<'_, Value> {
    if body["stream"] != true {
        return Cow::Borrowed(body);
    }
    let mut body = body.clone();
    body["stream"] = false.into();
    Cow::Owned(body)
}

fn load(name: &str) -> Result<Validator, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let schema: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    jsonschema::validator_for(&schema).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Suite;

    #[test]
    fn a_body_with_a_key_that_is_none_of_the_api_is_refused() {
        let body = serde_json::json!({"model": "m", "messages": [{"role": "user", "content": "Go."}]});
        assert_eq!(check("openai-chat", &body), Ok(()));
        let strange = serde_json::json!({"model": "m", "messages": [], "strange": 1});
        assert!(check("openai-chat", &strange).is_err());
        assert_eq!(check("an api without a schema", &strange), Ok(()));
    }

    /// What the cases expect to be sent fits, so that a body that does not is our own fault.
    #[test]
    fn every_body_that_a_case_expects_fits() {
        let suite = Suite::packed().expect("the packed cases are there");
        let mut checked = 0;
        let mut faults = Vec::new();
        for case in &suite.cases {
            let said = Value::from(case.said().cloned().expect("a case"));
            let api = said["api"].as_str().unwrap_or_default();
            let runs = said["expect"]["runs"].as_array().into_iter().flatten();
            for request in runs.filter_map(|run| run["requests"].as_array()).flatten() {
                checked += 1;
                faults
                    .extend(check(api, &example(&request["body"])).err().map(|fault| format!("{}: {fault}", case.id)));
            }
        }
        assert!(checked > 1000, "{checked}");
        assert_eq!(faults, Vec::<String>::new());
    }

    /// The body with something in place of what the case leaves open.
    fn example(value: &Value) -> Value {
        match value {
            Value::Object(map) if map.contains_key("$any") => {
                if map["$any"] == "text" {
                    "x".into()
                } else {
                    serde_json::json!({"type": "object"})
                }
            }
            Value::Object(map) => {
                map.iter().map(|(key, value)| (key.clone(), example(value))).collect::<serde_json::Map<_, _>>().into()
            }
            Value::Array(items) => items.iter().map(example).collect(),
            other => other.clone(),
        }
    }
}
