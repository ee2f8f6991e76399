//! What an agent tells its model to do.

use crate::context::RunContext;
use crate::error::BoxError;
use crate::panics::catch;

type InstructionsFunction<D> = Box<dyn Fn(&RunContext<D>) -> Option<String> + Send + Sync>;

/// What the model is told to do: always the same, or said anew at each step.
pub(crate) enum Instructions<D> {
    Text(String),
    Function(InstructionsFunction<D>),
}

impl<D> Instructions<D> {
    pub(crate) fn function<R: IntoInstructions>(
        function: impl Fn(&RunContext<D>) -> R + Send + Sync + 'static,
    ) -> Self {
        Self::Function(Box::new(move |ctx| function(ctx).into_instructions()))
    }

    /// All of them, with an empty line between any two.
    pub(crate) fn joined(all: &[Self], ctx: &RunContext<D>) -> Result<Option<String>, BoxError> {
        let mut texts = Vec::with_capacity(all.len());
        for instructions in all {
            match instructions {
                Self::Text(text) => texts.push(text.clone()),
                Self::Function(function) => texts.extend(catch(|| function(ctx))?),
            }
        }
        Ok((!texts.is_empty()).then(|| texts.join("\n\n")))
    }
}

/// What a function that gives instructions may return: a text, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no instructions",
    label = "expected a text, or an `Option` of one",
    note = "return a `String`, a `&str`, or an `Option` of either; `None` says nothing in this step"
)]
pub trait IntoInstructions {
    /// The instructions, if there are any in this step.
    fn into_instructions(self) -> Option<String>;
}

impl IntoInstructions for String {
    fn into_instructions(self) -> Option<String> {
        Some(self)
    }
}

impl IntoInstructions for &str {
    fn into_instructions(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl IntoInstructions for Option<String> {
    fn into_instructions(self) -> Option<String> {
        self
    }
}
