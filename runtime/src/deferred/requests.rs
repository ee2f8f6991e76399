//! Calls that wait, as they are shown to whoever answers them.

use std::collections::BTreeMap;

use super::results::{Approval, DeferredToolResults};
use crate::error::{Error, Result};
use crate::json::Json;
use crate::message::{Metadata, ToolCallPart, ToolContent};
use crate::wording::listed;

/// Calls that wait for somebody outside the run.
///
/// Can be stored and sent. Answer with [`DeferredToolResults`], made with [`approve`](Self::approve),
/// [`deny`](Self::deny) and [`result`](Self::result), and go on with
/// [`Agent::resume`](crate::Agent::resume) (specification: behaviours 11, decision 3).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeferredToolRequests {
    /// Calls whose results come from elsewhere.
    pub calls: Vec<ToolCallPart>,
    /// Calls that run once they are approved.
    pub approvals: Vec<ToolCallPart>,
    /// What tools gave with their requests, by call id.
    pub metadata: BTreeMap<String, Metadata>,
}

impl DeferredToolRequests {
    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.approvals.is_empty()
    }

    /// Approves the call `id` with the arguments shown here. Should the stored call have others when the run goes on,
    /// the approval is refused.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for approval.
    pub fn approve(&self, id: &str) -> Result<DeferredToolResults> {
        let call = find(&self.approvals, id, "approval")?;
        let approval = Approval::Approved { override_args: None, fingerprint: Some(fingerprint(call)) };
        Ok(DeferredToolResults::new().approval(id, approval))
    }

    /// Approves the call `id`, to be run with these arguments in place of those shown here; the history keeps the model's.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for approval.
    pub fn approve_with_args(&self, id: &str, args: impl Into<Json>) -> Result<DeferredToolResults> {
        let call = find(&self.approvals, id, "approval")?;
        let approval = Approval::Approved { override_args: Some(args.into()), fingerprint: Some(fingerprint(call)) };
        Ok(DeferredToolResults::new().approval(id, approval))
    }

    /// Denies the call `id`; the model is told `message`.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for approval.
    pub fn deny(&self, id: &str, message: impl Into<String>) -> Result<DeferredToolResults> {
        find(&self.approvals, id, "approval")?;
        Ok(DeferredToolResults::new().deny(id, Some(message.into())))
    }

    /// Gives the result of the call `id`.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for a result.
    pub fn result(&self, id: &str, value: impl Into<ToolContent>) -> Result<DeferredToolResults> {
        find(&self.calls, id, "a result")?;
        Ok(DeferredToolResults::new().result(id, value))
    }

    /// Asks the model to try the call `id` again.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for a result.
    pub fn retry(&self, id: &str, message: impl Into<String>) -> Result<DeferredToolResults> {
        find(&self.calls, id, "a result")?;
        Ok(DeferredToolResults::new().retry(id, message))
    }

    /// Reports the call `id` as failed.
    ///
    /// # Errors
    ///
    /// When no call of that id waits for a result.
    pub fn fail(&self, id: &str, message: impl Into<String>) -> Result<DeferredToolResults> {
        find(&self.calls, id, "a result")?;
        Ok(DeferredToolResults::new().fail(id, message))
    }

    /// Approves every call that waits for approval.
    #[must_use]
    pub fn approve_all(&self) -> DeferredToolResults {
        self.approvals.iter().fold(DeferredToolResults::new(), |results, call| {
            let approval = Approval::Approved { override_args: None, fingerprint: Some(fingerprint(call)) };
            results.approval(&call.tool_call_id, approval)
        })
    }

    /// What `results` leaves open.
    pub(crate) fn remaining(mut self, results: &DeferredToolResults) -> Self {
        self.calls.retain(|call| !results.names(&call.tool_call_id));
        self.approvals.retain(|call| !results.names(&call.tool_call_id));
        self.metadata.retain(|id, _| !results.names(id));
        self
    }
}

fn find<'a>(calls: &'a [ToolCallPart], id: &str, what: &str) -> Result<&'a ToolCallPart> {
    calls.iter().find(|call| call.tool_call_id == id).ok_or_else(|| {
        let known = listed(calls.iter().map(|call| call.tool_call_id.as_str()));
        Error::misuse(format!("no call with the id `{id}` waits for {what}; those that do: {known}"))
    })
}

/// What was shown to whoever approved: the tool's name and the arguments, whatever their order and white space.
pub(crate) fn fingerprint(call: &ToolCallPart) -> String {
    Json::from(serde_json::json!([call.tool_name, call.args.to_object()])).digest()
}
