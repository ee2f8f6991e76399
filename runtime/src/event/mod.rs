//! What happens in a run, as it happens.

mod sink;

pub(crate) use sink::{EventSink, Listener};

use crate::deferred::{DeferredToolRequests, DeferredToolResults};
use crate::json::Json;
use crate::message::{ToolAvailabilityDeltaPart, ToolCallPart, ToolReturnPart};
use crate::model::PartEvent;
use crate::report::StepReport;

/// Something that happened in a run, told as it happens (specification: behaviours 16).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The tools of a step are known: which the model is about to be offered, which not, and why. Told once a step;
    /// twice where calls that were resumed have brought it tools.
    StepReport(StepReport),
    /// Something of a response came in; only in runs that are [streamed](crate::Run::stream).
    Part(PartEvent),
    /// What comes in now may be the run's output: a text, or a call of an output tool. Told once a response, and only in
    /// runs that are [streamed](crate::Run::stream).
    #[non_exhaustive]
    FinalResult {
        /// The output tool that is called, where it is no text.
        tool_name: Option<String>,
        /// The call's id.
        tool_call_id: Option<String>,
    },
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
    /// Something happened in a run within this one; see [`Run::share_events`](crate::Run::share_events).
    #[non_exhaustive]
    SubAgent {
        /// The tool that runs the other agent.
        tool_name: Option<String>,
        /// The call it runs it in.
        tool_call_id: Option<String>,
        /// The other agent's name.
        agent: Option<String>,
        /// The other run's id.
        run_id: String,
        /// What happened there.
        event: Box<Event>,
    },
    /// A call has come this far, as the [MCP server](crate::docs::mcp) that runs it tells.
    #[non_exhaustive]
    ToolProgress {
        /// The tool, by its own name.
        tool_name: Option<String>,
        /// The call.
        tool_call_id: Option<String>,
        /// How far it has come.
        progress: f64,
        /// How far there is to go in all, where that is known.
        total: Option<f64>,
        /// What is being done, in the server's words.
        message: Option<String>,
    },
    /// A tool or hook had something to tell; see [`RunContext::emit`](crate::RunContext::emit).
    #[non_exhaustive]
    Custom {
        /// The tool that told it.
        tool_name: Option<String>,
        /// The call it told it in.
        tool_call_id: Option<String>,
        /// What it told.
        data: Json,
    },
}

impl Event {
    /// The words of the answer that this brings, in a run that is [streamed](crate::Run::stream): joined, they are the texts
    /// of its responses.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Part(part) => part.text(),
            _ => None,
        }
    }
}
