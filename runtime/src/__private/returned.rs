//! What an annotated function returned, on its way to a finished call.

use super::kind::{AcceptsContent, KindFit};
use crate::error::BoxError;
use crate::message::ToolContent;
use crate::tool::{Finished, ToolOutput, ToolReturn};

/// What an annotated function returned.
///
/// Two steps of method lookup sort it out by its type, through any alias: inherent methods on the types we know come
/// before the trait's method for all the rest. [`Returned::split`] takes a `Result` apart, [`Value::finish`] a
/// `ToolReturn`.
#[expect(clippy::exhaustive_structs, reason = "the macros make it")]
pub struct Returned<T>(pub T);

impl<T, E> Returned<Result<T, E>> {
    /// A `Result` keeps its error.
    #[allow(clippy::missing_errors_doc, clippy::allow_attributes, reason = "only macros call this")]
    pub fn split(self) -> Result<Value<T>, BoxError>
    where
        E: ToolError,
    {
        self.0.map(Value).map_err(E::into_box)
    }
}

/// Everything that is no `Result`.
pub trait SplitPlain<T> {
    /// There is no error to keep.
    #[allow(clippy::missing_errors_doc, clippy::allow_attributes, reason = "only macros call this")]
    fn split(self) -> Result<Value<T>, BoxError>;
}

impl<T> SplitPlain<T> for Returned<T> {
    fn split(self) -> Result<Value<T>, BoxError> {
        Ok(Value(self.0))
    }
}

/// What an annotated function returned, without its error.
pub struct Value<T>(T);

impl<T> Value<ToolReturn<T>> {
    /// A `ToolReturn` is one already, but for its value.
    #[allow(clippy::missing_errors_doc, clippy::allow_attributes, reason = "only macros call this")]
    pub fn finish(self) -> Finished
    where
        T: ToolOutput,
    {
        self.0.try_map(|value| content(&value))
    }
}

impl<T> Value<ToolReturn<T>> {
    /// Checks that the value is the content of the tool's kind.
    #[must_use]
    pub fn of_kind<Args, Content: AcceptsContent<T>>(self, _: KindFit<Args, Content>) -> Self {
        self
    }
}

/// Everything that is no `ToolReturn`.
pub trait OfKindPlain<T> {
    /// Checks that the value is the content of the tool's kind.
    #[must_use]
    fn of_kind<Args, Content: AcceptsContent<T>>(self, kind: KindFit<Args, Content>) -> Self;
}

impl<T> OfKindPlain<T> for Value<T> {
    fn of_kind<Args, Content: AcceptsContent<T>>(self, _: KindFit<Args, Content>) -> Self {
        self
    }
}

/// Everything that is no `ToolReturn`.
pub trait FinishPlain<T> {
    /// The value is the result.
    #[allow(clippy::missing_errors_doc, clippy::allow_attributes, reason = "only macros call this")]
    fn finish(self) -> Finished
    where
        T: ToolOutput;
}

impl<T> FinishPlain<T> for Value<T> {
    fn finish(self) -> Finished
    where
        T: ToolOutput,
    {
        content(&self.0).map(ToolReturn::new)
    }
}

fn content<T: ToolOutput>(value: &T) -> Result<ToolContent, BoxError> {
    value.to_content().map_err(|error| format!("its result cannot be written as JSON: {error}").into())
}

/// What a tool's error may be.
#[diagnostic::on_unimplemented(
    message = "a tool's error cannot be `{Self}`",
    label = "not `Into<Box<dyn Error + Send + Sync>>`",
    note = "use an error type, a `String`, or `ModelRetry`, `ToolFailed`, `ApprovalRequired` or `CallDeferred`"
)]
pub trait ToolError {
    /// Hides the type.
    fn into_box(self) -> BoxError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> ToolError for E {
    fn into_box(self) -> BoxError {
        self.into()
    }
}
