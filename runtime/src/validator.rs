//! Argument validators: functions that look at a call's arguments after they were read and before the tool runs.

use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::prepare::form;

/// What an argument validator returns: nothing, or a `Result` of nothing.
#[diagnostic::on_unimplemented(
    message = "an argument validator cannot return `{Self}`",
    note = "it returns `()`, or a `Result<(), E>` with an `E` such as `ModelRetry`, `ToolFailed`, `ApprovalRequired` or \
            `CallDeferred`"
)]
pub trait Verdict {
    /// The verdict.
    ///
    /// # Errors
    ///
    /// What the validator returned.
    fn into_verdict(self) -> Result<(), BoxError>;
}

impl Verdict for () {
    fn into_verdict(self) -> Result<(), BoxError> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<E: Into<BoxError>> Verdict for Result<(), E> {
    fn into_verdict(self) -> Result<(), BoxError> {
        self.map_err(Into::into)
    }
}

/// `fn(&RunContext<D>, &A, &B, …)`: the arguments by reference; only ever inferred.
#[doc(hidden)]
pub struct Borrowing<R>(std::marker::PhantomData<R>);

/// An argument validator of a tool with the arguments `Args`, a tuple.
///
/// It takes the context and then the tool's parameters: by reference (`fn(&RunContext<D>, &i64, &i64)`), or by value
/// where they are `Clone` (`fn(&RunContext<D>, i64, i64)`, or `async fn(RunContext<D>, i64, i64)`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no argument validator for a tool with the parameters `{Args}` and the dependencies `{D}`",
    label = "it takes other parameters than the tool, or another context",
    note = "it takes `&RunContext<{D}>` and the tool's parameters, all by reference or all by value (then they are \
            cloned); an `async` one takes everything by value",
    note = "if only the validator reads the dependencies, name their type: `#[tool(deps = …, args_validator = …)]`"
)]
pub trait ArgsValidator<D, Args, Form> {
    /// Looks at the arguments.
    fn validate(&self, ctx: &RunContext<D>, args: &Args) -> Later<Result<(), BoxError>>;
}

macro_rules! validator_forms {
    ($($argument:ident)*) => {
        #[allow(non_snake_case, unused_variables, clippy::allow_attributes, reason = "one name serves as type and value")]
        const _: () = {
            impl<D, F, R, $($argument,)*> ArgsValidator<D, ($($argument,)*), Borrowing<R>> for F
            where
                F: Fn(&RunContext<D>, $(&$argument),*) -> R,
                R: Verdict,
            {
                fn validate(&self, ctx: &RunContext<D>, args: &($($argument,)*)) -> Later<Result<(), BoxError>> {
                    let ($($argument,)*) = args;
                    Later::Now(self(ctx, $($argument),*).into_verdict())
                }
            }

            impl<D, F, R, $($argument: Clone,)*> ArgsValidator<D, ($($argument,)*), form::ByReference<R>> for F
            where
                F: Fn(&RunContext<D>, $($argument),*) -> R,
                R: Verdict,
            {
                fn validate(&self, ctx: &RunContext<D>, args: &($($argument,)*)) -> Later<Result<(), BoxError>> {
                    let ($($argument,)*) = args;
                    Later::Now(self(ctx, $($argument.clone()),*).into_verdict())
                }
            }

            impl<D, F, Fut, $($argument: Clone,)*> ArgsValidator<D, ($($argument,)*), form::Async<Fut>> for F
            where
                F: Fn(RunContext<D>, $($argument),*) -> Fut,
                Fut: Future<Output: Verdict> + Send + 'static,
            {
                fn validate(&self, ctx: &RunContext<D>, args: &($($argument,)*)) -> Later<Result<(), BoxError>> {
                    let ($($argument,)*) = args;
                    let future = self(ctx.clone(), $($argument.clone()),*);
                    Later::Then(Box::pin(async move { future.await.into_verdict() }))
                }
            }
        };
    };
}

validator_forms!();
validator_forms!(A1);
validator_forms!(A1 A2);
validator_forms!(A1 A2 A3);
validator_forms!(A1 A2 A3 A4);
validator_forms!(A1 A2 A3 A4 A5);
validator_forms!(A1 A2 A3 A4 A5 A6);
validator_forms!(A1 A2 A3 A4 A5 A6 A7);
validator_forms!(A1 A2 A3 A4 A5 A6 A7 A8);
validator_forms!(A1 A2 A3 A4 A5 A6 A7 A8 A9);
validator_forms!(A1 A2 A3 A4 A5 A6 A7 A8 A9 A10);
validator_forms!(A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11);
validator_forms!(A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12);
