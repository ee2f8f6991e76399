//! The output of an agent type: how a run comes to a value of it.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::output::OutputSpec;

/// An output. Method lookup finds out which: the inherent method of `String` comes before the trait's for all the rest.
pub struct OutputOf<O>(PhantomData<fn() -> O>);

impl<O> OutputOf<O> {
    /// The output `O`.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only macros call this")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl OutputOf<String> {
    /// The model's text.
    pub fn spec(self) -> OutputSpec<String> {
        OutputSpec::text()
    }
}

/// A type that an output tool can make.
#[diagnostic::on_unimplemented(
    message = "the output of an agent cannot be `{Self}`",
    label = "this type has no JSON schema, or cannot be read from JSON",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it"
)]
pub trait ReadOutput: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<O: DeserializeOwned + JsonSchema + Send + 'static> ReadOutput for O {}

/// Everything that is no text.
pub trait OtherOutput<O> {
    /// The arguments of an output tool.
    fn spec(self) -> OutputSpec<O>
    where
        O: ReadOutput;
}

impl<O> OtherOutput<O> for OutputOf<O> {
    fn spec(self) -> OutputSpec<O>
    where
        O: ReadOutput,
    {
        OutputSpec::of()
    }
}
