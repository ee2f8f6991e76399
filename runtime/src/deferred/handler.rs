//! Functions that answer calls inside the run, where they would wait for somebody outside.

use super::{DeferredToolRequests, DeferredToolResults};
use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::prepare::{form, hook_forms};

/// What a deferred handler returns: the answers, or none.
#[diagnostic::on_unimplemented(
    message = "a deferred handler cannot return `{Self}`",
    label = "no results, nor an `Option` or a `Result` of them",
    note = "it returns `DeferredToolResults`, an `Option` of them, or a `Result` of either with an error that is \
            `Into<Box<dyn Error + Send + Sync>>`"
)]
pub trait DeferredAnswers {
    /// The answers, if there are any.
    ///
    /// # Errors
    ///
    /// What the handler returned; it ends the run.
    fn into_answers(self) -> Result<Option<DeferredToolResults>, BoxError>;
}

impl DeferredAnswers for DeferredToolResults {
    fn into_answers(self) -> Result<Option<DeferredToolResults>, BoxError> {
        Ok(Some(self))
    }
}

impl DeferredAnswers for Option<DeferredToolResults> {
    fn into_answers(self) -> Result<Option<DeferredToolResults>, BoxError> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> DeferredAnswers for Result<DeferredToolResults, E> {
    fn into_answers(self) -> Result<Option<DeferredToolResults>, BoxError> {
        self.map(Some).map_err(Into::into)
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> DeferredAnswers for Result<Option<DeferredToolResults>, E> {
    fn into_answers(self) -> Result<Option<DeferredToolResults>, BoxError> {
        self.map_err(Into::into)
    }
}

hook_forms! {
    /// Answers calls inside the run; see [`AgentBuilder::handle_deferred`](crate::AgentBuilder::handle_deferred) for the
    /// forms it can have.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is no deferred handler for an agent whose dependencies are `{D}`",
        label = "expected `fn(&RunContext<{D}>, DeferredToolRequests) -> Option<DeferredToolResults>`",
        note = "it takes `&RunContext<{D}>` (or, `async` or not, `RunContext<{D}>`) and `DeferredToolRequests`, and returns \
                `DeferredToolResults`, an `Option` of them, or a `Result` of either; a closure's parameters need their types"
    )]
    DeferredHandler, DeferredToolRequests => Option<DeferredToolResults>, DeferredAnswers, into_answers
}

/// A deferred handler, whatever its form.
pub(crate) type BoxedDeferredHandler<D> = Box<
    dyn Fn(&RunContext<D>, DeferredToolRequests) -> Later<Result<Option<DeferredToolResults>, BoxError>> + Send + Sync,
>;

pub(crate) fn boxed_deferred_handler<D: 'static, Form>(
    handler: impl DeferredHandler<D, Form>,
) -> BoxedDeferredHandler<D> {
    Box::new(move |ctx, requests| handler.run(ctx, requests))
}
