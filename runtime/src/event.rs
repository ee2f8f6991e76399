//! What happens in a run, as it happens.

use crate::deferred::{DeferredToolRequests, DeferredToolResults};
use crate::message::{ToolAvailabilityDeltaPart, ToolCallPart, ToolReturnPart};

/// Something that happened in a run, told as it happens (specification: behaviours 16).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The model called a function tool, or one that does not exist.
    #[non_exhaustive]
    FunctionToolCall {
        /// The call.
        call: ToolCallPart,
        /// Whether its arguments passed everything that looks at them; `None` where nothing did.
        args_valid: Option<bool>,
    },
    /// A call of a function tool was answered.
    #[non_exhaustive]
    FunctionToolResult {
        /// The answer.
        part: ToolReturnPart,
    },
    /// The model called an output tool.
    #[non_exhaustive]
    OutputToolCall {
        /// The call.
        call: ToolCallPart,
        /// Whether its arguments are an output; `None` where nobody looked, as there was one already.
        args_valid: Option<bool>,
    },
    /// A call of an output tool was answered.
    #[non_exhaustive]
    OutputToolResult {
        /// The answer.
        part: ToolReturnPart,
    },
    /// The model has tools it did not have before.
    #[non_exhaustive]
    ToolAvailabilityDelta {
        /// Which.
        part: ToolAvailabilityDeltaPart,
    },
    /// Calls wait for somebody outside the run.
    DeferredToolRequests(DeferredToolRequests),
    /// The run's own handler answered some of them.
    DeferredToolResults(DeferredToolResults),
}
