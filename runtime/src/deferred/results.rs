//! Answers to calls that waited.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::json::Json;
use crate::message::{Arguments, ToolContent};
use crate::tool::ToolReturn;

/// Whether a call may run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Approval {
    /// It may.
    #[non_exhaustive]
    Approved {
        /// Arguments to run it with, in place of the model's.
        override_args: Option<Json>,
        /// Of the call that was shown; see [`DeferredToolRequests::approve`](crate::DeferredToolRequests::approve).
        fingerprint: Option<String>,
    },
    /// It may not; the model is told why.
    Denied(String),
}

/// The result of a call that ran elsewhere.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DeferredResult {
    /// It gave this.
    Return(ToolReturn),
    /// The model is to try again.
    Retry(String),
    /// It is complete, without success.
    Failed(String),
}

/// Answers to calls that waited.
///
/// Can be stored and sent. Answers written by hand are taken at their word; those made from the
/// [requests](crate::DeferredToolRequests) are bound to what was shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct DeferredToolResults {
    /// Results, by call id.
    pub calls: BTreeMap<String, DeferredResult>,
    /// Decisions, by call id.
    pub approvals: BTreeMap<String, Approval>,
    /// What tools are given with an approval, by call id; see
    /// [`RunContext::tool_call_metadata`](crate::RunContext::tool_call_metadata).
    pub metadata: BTreeMap<String, Json>,
}

impl DeferredToolResults {
    /// No answers yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Approves a call, whatever its arguments.
    #[must_use]
    pub fn approve(self, id: &str) -> Self {
        self.approval(id, Approval::Approved { override_args: None, fingerprint: None })
    }

    /// Approves a call, to be run with these arguments; the history keeps the model's.
    #[must_use]
    pub fn approve_with_args(self, id: &str, args: impl Into<Json>) -> Self {
        self.approval(id, Approval::Approved { override_args: Some(args.into()), fingerprint: None })
    }

    /// Denies a call; the model is told why, or that it was denied.
    #[must_use]
    pub fn deny(self, id: &str, message: Option<String>) -> Self {
        self.approval(id, Approval::Denied(message.unwrap_or_else(denied)))
    }

    /// Gives a call's result.
    #[must_use]
    pub fn result(self, id: &str, value: impl Into<ToolContent>) -> Self {
        self.tool_return(id, ToolReturn::new(value.into()))
    }

    /// Gives a call's result, with more than a value.
    #[must_use]
    pub fn tool_return(self, id: &str, result: ToolReturn) -> Self {
        self.call(id, DeferredResult::Return(result))
    }

    /// Asks the model to try the call again.
    #[must_use]
    pub fn retry(self, id: &str, message: impl Into<String>) -> Self {
        self.call(id, DeferredResult::Retry(message.into()))
    }

    /// Reports the call as failed.
    #[must_use]
    pub fn fail(self, id: &str, message: impl Into<String>) -> Self {
        self.call(id, DeferredResult::Failed(message.into()))
    }

    /// Gives the tool something with its approval.
    #[must_use]
    pub fn with_metadata(mut self, id: &str, metadata: impl Into<Json>) -> Self {
        self.metadata.insert(id.to_owned(), metadata.into());
        self
    }

    /// These answers and the others; of two for one call the other counts.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.calls.extend(others.calls);
        self.approvals.extend(others.approvals);
        self.metadata.extend(others.metadata);
        self
    }

    pub(super) fn approval(mut self, id: &str, approval: Approval) -> Self {
        self.approvals.insert(id.to_owned(), approval);
        self
    }

    fn call(mut self, id: &str, result: DeferredResult) -> Self {
        self.calls.insert(id.to_owned(), result);
        self
    }

    /// Whether there is an answer for the call `id`.
    pub(crate) fn names(&self, id: &str) -> bool {
        self.calls.contains_key(id) || self.approvals.contains_key(id)
    }

    /// The ids that are answered.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.calls.keys().chain(self.approvals.keys()).map(String::as_str)
    }
}

pub(super) fn denied() -> String {
    "The tool call was denied.".to_owned()
}

impl Approval {
    /// The arguments to run the call with, in place of the model's.
    pub(crate) fn override_args(&self) -> Option<Arguments> {
        match self {
            Self::Approved { override_args, .. } => override_args.clone().map(Arguments::from_json),
            Self::Denied(_) => None,
        }
    }
}
