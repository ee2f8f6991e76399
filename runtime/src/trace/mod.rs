//! Spans of a run, after OpenTelemetry's conventions for generative AI: the run, its requests to the model, its calls.
//!
//! The loop opens spans and says how they ended. Without the feature `tracing` all of it is empty.

#[cfg(feature = "tracing")]
mod call;
#[cfg(feature = "tracing")]
mod chat;
#[cfg(feature = "tracing")]
mod content;
#[cfg(feature = "tracing")]
mod field;
#[cfg(not(feature = "tracing"))]
mod off;
#[cfg(feature = "tracing")]
mod open;
#[cfg(feature = "tracing")]
mod output;
#[cfg(feature = "tracing")]
mod retry;
#[cfg(feature = "tracing")]
mod run;
#[cfg(feature = "tracing")]
mod switch;
#[cfg(feature = "tracing")]
mod thread;
#[cfg(feature = "tracing")]
mod tokens;

#[cfg(not(feature = "tracing"))]
pub(crate) use off::{CallSpan, ContentSwitch, OutputSpan, Trace, on_thread};
#[cfg(feature = "tracing")]
pub(crate) use {call::CallSpan, output::OutputSpan, run::Trace, switch::ContentSwitch, thread::on_thread};
