//! Compares what came of a case's runs with what must come of them.

use std::error::Error as _;

use serde_json::{Map, Value, json};
use toolwright::{Error, ErrorKind};

use super::observed::{Ending, Observed, step, tools};
use crate::compare::{Difference, mentions, messages, requests, same_but_empties, same_but_nulls, timeline};
use crate::schemas;
use crate::server::Asked;

/// The first difference between `expected` and what came of the runs.
pub(crate) fn check(api: &str, expected: &Value, observed: &[Observed]) -> Result<(), String> {
    let runs = expected["runs"].as_array().map(Vec::as_slice).unwrap_or_default();
    if runs.is_empty() {
        return Err("expects nothing".to_owned());
    }
    for (index, expected) in runs.iter().enumerate() {
        let Some(observed) = observed.get(index) else {
            return Err(format!("run {}: was not played", index + 1));
        };
        let keys = expected.as_object().cloned().unwrap_or_default();
        check_run(api, &keys, observed).map_err(|difference| format!("run {}: {difference}", index + 1))?;
    }
    Ok(())
}

fn check_run(api: &str, expected: &Map<String, Value>, observed: &Observed) -> Result<(), String> {
    check_ending(expected, &observed.ending)?;
    for (key, value) in expected {
        check_key(api, key, value, observed).map_err(|difference| difference.at(key).to_string())?;
    }
    for (index, asked) in observed.asked.iter().enumerate() {
        let body: Value = serde_json::from_slice(&asked.body).unwrap_or_default();
        schemas::check(api, &body).map_err(|problem| format!("requests[{index}].body {problem}"))?;
    }
    Ok(())
}

/// Compares how the run ended; what is wrong elsewhere most often follows from that.
fn check_ending(expected: &Map<String, Value>, ending: &Ending) -> Result<(), String> {
    let (name, shown) = match ending {
        Ending::Output(value) => ("output", value.to_string()),
        Ending::Deferred(value) => ("deferred", value.to_string()),
        Ending::Response(value) => ("response", value.to_string()),
        Ending::Failed(error) => ("error", format!("{}: {error}", kind_of(error))),
    };
    let wanted = ["error", "deferred", "response", "output"].into_iter().find(|key| expected.contains_key(*key));
    match wanted {
        Some(wanted) if wanted != name => {
            Err(Difference::new(&expected[wanted], format_args!("{name} {shown}")).at(wanted).to_string())
        }
        None if name == "error" => Err(Difference::new("no error", shown).at("error").to_string()),
        _ => Ok(()),
    }
}

fn check_key(api: &str, key: &str, expected: &Value, observed: &Observed) -> Result<(), Difference> {
    match (key, &observed.ending) {
        ("output", Ending::Output(output)) => same_but_nulls(expected, output),
        ("deferred", Ending::Deferred(requests)) => same_but_empties(expected, requests),
        ("response", Ending::Response(response)) => messages(&json!([expected]), &json!([response])),
        ("error", Ending::Failed(error)) => check_error(expected, error),
        ("messages", _) => messages(expected, &serde_json::to_value(&observed.history).unwrap_or_default()),
        ("requests", _) => requests(api, expected, &observed.asked.iter().map(shown_request).collect::<Vec<_>>()),
        ("steps", _) => same_but_nulls(expected, &observed.entries.inputs.iter().map(step).collect()),
        ("last_tools", _) => same_but_nulls(expected, &observed.entries.inputs.last().map(tools).unwrap_or_default()),
        ("executed", _) => timeline(expected, &observed.entries.executed),
        ("events", _) => timeline(expected, &observed.entries.events),
        ("usage", _) => check_usage(expected, &observed.usage),
        _ => Err(Difference::new(expected, "nothing that is known here")),
    }
}

fn check_error(expected: &Value, error: &Error) -> Result<(), Difference> {
    let kind = kind_of(error);
    if expected["kind"] != kind {
        return Err(Difference::new(&expected["kind"], format_args!("{kind}: {error}")).at("kind"));
    }
    let message = error.to_string();
    let words = expected["mentions"].as_array().map(Vec::as_slice).unwrap_or_default();
    if let Some(missing) = words.iter().filter_map(Value::as_str).find(|word| !mentions(&message, word)) {
        return Err(Difference::new(format_args!("a mention of `{missing}`"), message).at("mentions"));
    }
    match expected.get("message") {
        Some(own) => {
            let source = error.source().map(ToString::to_string).unwrap_or_default();
            same_but_nulls(own, &source.into()).map_err(|difference| difference.at("message"))
        }
        None => Ok(()),
    }
}

/// The kind of an error, as cases name it.
fn kind_of(error: &Error) -> &'static str {
    // A server may call what it does not know a bad request.
    if error.code() == Some("model_not_found") {
        return "ModelNotFoundError";
    }
    match (error.kind(), error.status()) {
        (ErrorKind::Misuse, _) => "UserError",
        (ErrorKind::ModelBehavior, _) => "UnexpectedModelBehavior",
        (ErrorKind::UsageLimit, _) => "UsageLimitExceeded",
        (ErrorKind::Cancelled, _) => "RunCancelled",
        (ErrorKind::Tool, _) => "ToolError",
        (ErrorKind::Provider, None) => "ModelAPIError",
        (ErrorKind::Provider, Some(400)) => "ModelRequestRejectedError",
        (ErrorKind::Provider, Some(401)) => "ModelAuthenticationError",
        (ErrorKind::Provider, Some(404)) => "ModelNotFoundError",
        (ErrorKind::Provider, Some(500..=599)) => "ModelServerError",
        (ErrorKind::Provider, Some(_)) => "ModelHTTPError",
        _ => "an error of an unknown kind",
    }
}

/// Only the counts that are given are compared.
fn check_usage(expected: &Value, usage: &Value) -> Result<(), Difference> {
    for (key, count) in expected.as_object().into_iter().flatten() {
        let zero = Value::from(0);
        same_but_nulls(count, usage.get(key).unwrap_or(&zero)).map_err(|difference| difference.at(key))?;
    }
    Ok(())
}

fn shown_request(asked: &Asked) -> Value {
    let body: Value =
        serde_json::from_slice(&asked.body).unwrap_or_else(|_| String::from_utf8_lossy(&asked.body).into());
    json!({"method": asked.method, "path": asked.path, "body": body, "anthropic-beta": betas(asked)})
}

/// The betas that were asked for, sorted.
fn betas(asked: &Asked) -> Option<Vec<&str>> {
    let sent = asked.headers.get("anthropic-beta")?;
    let mut betas: Vec<_> =
        sent.iter().flat_map(|value| value.split(',')).map(str::trim).filter(|beta| !beta.is_empty()).collect();
    betas.sort_unstable();
    Some(betas).filter(|betas| !betas.is_empty())
}
