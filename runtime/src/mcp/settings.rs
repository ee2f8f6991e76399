//! How a server is to be treated.

use std::fmt;
use std::time::Duration;

use super::elicitation::ElicitationHandler;
use super::limits::McpLimits;
use super::sampling::SamplingHandler;

/// What becomes of a call that its server answers with an error (specification: "Reporting a Failed Tool Result").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolErrorBehavior {
    /// The model is asked to try again, as long as the tool's retries last.
    #[default]
    Retry,
    /// The call has failed, and the model decides what to do about it.
    Fail,
}

/// How a server is to be treated.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) id: Option<String>,
    pub(super) once_per_run: bool,
    pub(super) connect_timeout: Duration,
    pub(super) call_timeout: Duration,
    pub(super) max_retries: Option<u32>,
    pub(super) error_behavior: ToolErrorBehavior,
    pub(super) limits: McpLimits,
    pub(super) elicitation: Option<ElicitationHandler>,
    pub(super) sampling: Option<SamplingHandler>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            id: None,
            once_per_run: false,
            connect_timeout: Duration::from_secs(30),
            call_timeout: Duration::from_secs(300),
            max_retries: None,
            error_behavior: ToolErrorBehavior::default(),
            limits: McpLimits::default(),
            elicitation: None,
            sampling: None,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("id", &self.id).finish_non_exhaustive()
    }
}
