//! What an agent tells its model to do.

use crate::context::RunContext;
use crate::error::BoxError;
use crate::later::Later;
use crate::panics::{catch, catch_later};
use crate::prepare::form;

/// What a function says at each step.
type Said = Result<Option<String>, BoxError>;

/// A function that says it, whatever its form.
type BoxedInstructions<D> = Box<dyn Fn(&RunContext<D>) -> Later<Said> + Send + Sync>;

/// What the model is told to do: always the same, or said anew at each step.
pub(crate) enum Instructions<D> {
    Text(String),
    Function(BoxedInstructions<D>),
}

impl<D: 'static> Instructions<D> {
    pub(crate) fn function<Form>(function: impl InstructionsFunction<D, Form>) -> Self {
        Self::Function(Box::new(move |ctx| function.run(ctx)))
    }

    /// All of them, with an empty line between any two.
    pub(crate) async fn joined(all: &[Self], ctx: &RunContext<D>) -> Said {
        let mut texts = Vec::with_capacity(all.len());
        for instructions in all {
            match instructions {
                Self::Text(text) => texts.push(text.clone()),
                Self::Function(function) => texts.extend(catch_later(catch(|| function(ctx))).await?),
            }
        }
        Ok((!texts.is_empty()).then(|| texts.join("\n\n")))
    }
}

/// What a function that gives instructions returns: a text, an `Option` of one, or a `Result` of either.
#[diagnostic::on_unimplemented(
    message = "a function that gives instructions cannot return `{Self}`",
    label = "no text, nor an `Option` or a `Result` of one",
    note = "return a `String`, a `&'static str`, an `Option` of one, or a `Result` of either with an error that is \
            `Into<Box<dyn Error + Send + Sync>>`"
)]
pub trait IntoInstructions {
    /// The instructions, if there are any in this step.
    ///
    /// # Errors
    ///
    /// What the function returned; it ends the run.
    fn into_instructions(self) -> Result<Option<String>, BoxError>;
}

impl IntoInstructions for String {
    fn into_instructions(self) -> Said {
        Ok(Some(self))
    }
}

impl IntoInstructions for &str {
    fn into_instructions(self) -> Said {
        Ok(Some(self.to_owned()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Into<String>> IntoInstructions for Option<T> {
    fn into_instructions(self) -> Said {
        Ok(self.map(Into::into))
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoInstructions, E: Into<BoxError>> IntoInstructions for Result<T, E> {
    fn into_instructions(self) -> Said {
        self.map_err(Into::into)?.into_instructions()
    }
}

/// A function that tells the model at each step what it is to do, or nothing.
///
/// It takes the context, by reference or by value, or nothing; an `async` one takes the context by value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no instructions to an agent whose dependencies are `{D}`",
    label = "expected `fn(&RunContext<{D}>) -> String`",
    note = "it takes `&RunContext<{D}>` (or, `async` or not, `RunContext<{D}>`) or nothing, and returns a `String`, a \
            `&'static str`, an `Option` of one, or a `Result` of either; a closure's parameter needs its type"
)]
pub trait InstructionsFunction<D, Form>: Send + Sync + 'static {
    /// Runs the function.
    fn run(&self, ctx: &RunContext<D>) -> Later<Result<Option<String>, BoxError>>;
}

impl<D, F, R> InstructionsFunction<D, form::ByReference<R>> for F
where
    F: Fn(&RunContext<D>) -> R + Send + Sync + 'static,
    R: IntoInstructions,
{
    fn run(&self, ctx: &RunContext<D>) -> Later<Said> {
        Later::Now(self(ctx).into_instructions())
    }
}

impl<D, F, R> InstructionsFunction<D, form::ByValue<R>> for F
where
    F: Fn(RunContext<D>) -> R + Send + Sync + 'static,
    R: IntoInstructions,
{
    fn run(&self, ctx: &RunContext<D>) -> Later<Said> {
        Later::Now(self(ctx.clone()).into_instructions())
    }
}

impl<D, F, Fut> InstructionsFunction<D, form::Async<Fut>> for F
where
    F: Fn(RunContext<D>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: IntoInstructions> + Send + 'static,
{
    fn run(&self, ctx: &RunContext<D>) -> Later<Said> {
        let future = self(ctx.clone());
        Later::Then(Box::pin(async move { future.await.into_instructions() }))
    }
}

impl<D, F, R> InstructionsFunction<D, form::WithoutContext<R>> for F
where
    F: Fn() -> R + Send + Sync + 'static,
    R: IntoInstructions,
{
    fn run(&self, _: &RunContext<D>) -> Later<Said> {
        Later::Now(self().into_instructions())
    }
}

impl<D, F, Fut> InstructionsFunction<D, form::AsyncWithoutContext<Fut>> for F
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output: IntoInstructions> + Send + 'static,
{
    fn run(&self, _: &RunContext<D>) -> Later<Said> {
        let future = self();
        Later::Then(Box::pin(async move { future.await.into_instructions() }))
    }
}
