//! Answers to calls that wait for a person or for somebody else.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolwright::error::BoxError;
use toolwright::message::ToolCallPart;
use toolwright::tool::ToolOutput;
use toolwright::{DeferredToolRequests, DeferredToolResults};

use super::files::Given;
use super::outcomes::ReturnSpec;

/// Answers by the ids of their calls.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Answers {
    approvals: Map<String, Value>,
    calls: Map<String, Value>,
}

impl Answers {
    pub(crate) fn results(&self) -> Result<DeferredToolResults, BoxError> {
        let approved = self.approvals.iter().try_fold(DeferredToolResults::new(), approve)?;
        self.calls.iter().try_fold(approved, answer)
    }

    /// The answers to what is asked, and no others.
    pub(crate) fn to(&self, requests: &DeferredToolRequests) -> Self {
        let among = |calls: &[ToolCallPart], id: &str| calls.iter().any(|call| call.tool_call_id == id);
        let mut answers = self.clone();
        answers.approvals.retain(|id, _| among(&requests.approvals, id));
        answers.calls.retain(|id, _| among(&requests.calls, id));
        answers
    }
}

fn approve(results: DeferredToolResults, (id, verdict): (&String, &Value)) -> Result<DeferredToolResults, BoxError> {
    Ok(match (verdict, only_entry(verdict)) {
        (Value::Bool(true), _) => results.approve(id),
        (Value::Bool(false), _) => results.deny(id, None),
        (_, Some(("denied", Value::String(message)))) => results.deny(id, Some(message.clone())),
        (_, Some(("override_args", args))) => results.approve_with_args(id, args.clone()),
        _ => return Err(format!("needs the approval {verdict}").into()),
    })
}

fn answer(results: DeferredToolResults, (id, answer): (&String, &Value)) -> Result<DeferredToolResults, BoxError> {
    Ok(match only_entry(answer) {
        Some(("retry", Value::String(message))) => results.retry(id, message),
        Some(("failed", Value::String(message))) => results.fail(id, message),
        Some(("tool_return", spec)) => {
            let spec: ReturnSpec = serde_json::from_value(spec.clone())?;
            results.tool_return(id, spec.to_return()?)
        }
        _ => results.result(id, Given::new(answer)?.to_content()?),
    })
}

fn only_entry(value: &Value) -> Option<(&str, &Value)> {
    let map = value.as_object().filter(|map| map.len() == 1)?;
    map.iter().next().map(|(key, value)| (key.as_str(), value))
}

/// The requests as cases write them.
pub(crate) fn shown_requests(requests: &DeferredToolRequests) -> Value {
    let calls = |calls: &[ToolCallPart]| -> Value { calls.iter().map(shown_call).collect() };
    json!({"calls": calls(&requests.calls), "approvals": calls(&requests.approvals), "metadata": requests.metadata})
}

/// Cases write the arguments as an object, in whatever form the model gave them.
fn shown_call(call: &ToolCallPart) -> Value {
    json!({"tool_name": call.tool_name, "args": call.args.to_object(), "tool_call_id": call.tool_call_id})
}
