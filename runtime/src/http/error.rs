//! What a server's refusal says.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde_json::Value;

use super::key::ApiKey;
use crate::error::Error;
use crate::json::Json;
use crate::wording::shortened;

/// The most characters of a server's message that an error repeats.
const LONGEST_MESSAGE: usize = 1000;

/// The most characters of a server's code that an error repeats.
const LONGEST_CODE: usize = 100;

/// A failed attempt.
pub(super) struct Failure {
    pub(super) error: Error,
    /// The pause that the server asks for.
    pub(super) asked_pause: Option<Duration>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, asked_pause: None }
    }
}

/// The error for a status other than success.
pub(super) fn refusal(provider: &str, response: &Response, body: &[u8], key: &ApiKey) -> Error {
    let status = response.status().as_u16();
    let message = match message_in(body) {
        _ if (300..400).contains(&status) => {
            "it redirects, which is not followed; set the base URL to where it leads".into()
        }
        Some(message) => quotable(&message, key),
        None => "it does not say why".to_owned(),
    };
    let code = code_in(body)
        .or_else(|| code_in_headers(response.headers()))
        .map(|code| shortened(&key.redact(&code), LONGEST_CODE).into_owned());
    Error::provider(format!("{provider} answered with status {status}: {message}")).with_status(status).with_code(code)
}

/// As much of what a server says as an error may repeat. The key is taken out first: half of one would not be found.
pub(super) fn quotable(text: &str, key: &ApiKey) -> String {
    shortened(&key.redact(text), LONGEST_MESSAGE).into_owned()
}

/// The message that a JSON error body carries, in any of the usual places; to be quoted with care.
pub(crate) fn message_in(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Body {
        error: Option<Json>,
        message: Option<Json>,
        detail: Option<Json>,
    }
    let body: Body = serde_json::from_slice(body).ok()?;
    let places = [body.error, body.message, body.detail];
    places.into_iter().flatten().find_map(|place| text_of(&place, 4))
}

/// The word for what is wrong that a JSON error body carries, the narrowest first.
fn code_in(body: &[u8]) -> Option<String> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Body {
        error: Option<Json>,
        /// Where AWS says it.
        __type: Option<Json>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Coded {
        code: Option<Json>,
        r#type: Option<Json>,
        status: Option<Json>,
    }
    let Body { error, __type } = serde_json::from_slice(body).ok()?;
    let Coded { code, r#type, status } = error.and_then(|error| error.read().ok()).unwrap_or_default();
    [code, r#type, status, __type].into_iter().flatten().find_map(|word| word.as_str().filter(|word| !word.is_empty()))
}

/// The same, where AWS says it in a header, at times with more behind it.
fn code_in_headers(headers: &HeaderMap) -> Option<String> {
    let code = headers.get("x-amzn-errortype")?.to_str().ok()?.split(':').next()?;
    (!code.is_empty()).then(|| code.to_owned())
}

fn text_of(json: &Json, depth: u8) -> Option<String> {
    #[derive(Deserialize)]
    struct Nested {
        message: Option<Json>,
    }
    if json.is_null() || depth == 0 {
        return None;
    }
    if json.is_object() {
        return match json.read::<Nested>().ok()?.message {
            Some(message) => text_of(&message, depth - 1),
            None => plain(json),
        };
    }
    json.as_str().or_else(|| plain(json)).filter(|text| !text.is_empty())
}

/// The JSON without needless escapes, which could hide a key.
fn plain(json: &Json) -> Option<String> {
    Some(json.read::<Value>().ok()?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_found_wherever_servers_put_them() {
        for (body, message) in [
            (r#"{"error":{"message":"bad key","type":"x"}}"#, Some("bad key")),
            (r#"{"error":"plain"}"#, Some("plain")),
            (r#"{"message":"top"}"#, Some("top")),
            (r#"{"detail":[{"loc":1}]}"#, Some(r#"[{"loc":1}]"#)),
            (r#"{"error":{"code":7}}"#, Some(r#"{"code":7}"#)),
            (r#"{"error":null,"message":null}"#, None),
            ("<html>", None),
            ("", None),
        ] {
            assert_eq!(message_in(body.as_bytes()).as_deref(), message, "{body}");
        }
    }

    #[test]
    fn the_narrowest_word_for_what_is_wrong_is_its_code() {
        for (body, code) in [
            (r#"{"error":{"code":"model_not_found","type":"invalid_request_error"}}"#, Some("model_not_found")),
            (r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#, Some("overloaded_error")),
            (r#"{"error":{"code":404,"status":"NOT_FOUND"}}"#, Some("NOT_FOUND")),
            (r#"{"error":{"code":null,"type":""}}"#, None),
            (r#"{"error":"plain"}"#, None),
            (r#"{"message":"no","__type":"ValidationException"}"#, Some("ValidationException")),
            ("<html>", None),
        ] {
            assert_eq!(code_in(body.as_bytes()).as_deref(), code, "{body}");
        }
        let refused = |name: &'static str, value: &'static str, body: &str| {
            let response = http::Response::builder().status(401).header(name, value).body("").expect("a response");
            let key = ApiKey::new("sk-a-very-secret-key");
            refusal("openai", &response.into(), body.as_bytes(), &key).code().map(str::to_owned)
        };
        assert_eq!(refused("x", "y", r#"{"error":{"code":"sk-a-very-secret-key"}}"#).as_deref(), Some("[key]"));
        let amazon = refused("x-amzn-errortype", "AccessDeniedException:http://internal.amazon.com/", "{}");
        assert_eq!(amazon.as_deref(), Some("AccessDeniedException"));
    }

    #[test]
    fn no_part_of_a_key_is_quoted() {
        let key = ApiKey::new("sk-a/\"quoted\"-secret");
        assert_eq!(quotable(&"ä".repeat(5000), &key).chars().count(), LONGEST_MESSAGE + 1);
        for before in LONGEST_MESSAGE - 30..LONGEST_MESSAGE + 5 {
            let quoted = quotable(&format!("{}sk-a/\"quoted\"-secret", "x".repeat(before)), &key);
            assert!(!quoted.contains("sk"), "{quoted}");
        }
        for body in [r#"{"error":{"code":"sk-a\/\"quoted\"-secret"}}"#, r#"{"error":["sk-a\u002f\"quoted\"-secret"]}"#]
        {
            let message = message_in(body.as_bytes()).expect("a message");
            assert!(quotable(&message, &key).contains(r#""[key]""#), "{message}");
        }
    }
}
