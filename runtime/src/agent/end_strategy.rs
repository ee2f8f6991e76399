//! What becomes of a response's other calls once the run has its output.

/// What becomes of a response's other calls once the run has its output (specification: "Output Tool Calls";
/// behaviours 10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndStrategy {
    /// Output tools come first; once one gives an output, nothing else runs.
    Early,
    /// All function tools run; output tools after the first that gives an output do not.
    #[default]
    Graceful,
    /// Everything runs; the first output in the model's order counts.
    Exhaustive,
}
