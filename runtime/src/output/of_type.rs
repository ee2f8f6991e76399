//! Types as outputs: what can be read, and what says itself how it comes about.

use std::any::Any;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::spec::OutputSpec;
use crate::message::BinaryContent;

/// What an output tool's arguments can be: anything that can be read and has a JSON schema.
#[diagnostic::on_unimplemented(
    message = "the model cannot give a `{Self}`",
    label = "this type has no JSON schema, or cannot be read from JSON",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it"
)]
pub trait OutputValue: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> OutputValue for T {}

/// A type that says how a run comes to it, for [`AgentBuilder::output_of`](crate::AgentBuilder::output_of).
///
/// What is `serde::Deserialize` and `schemars::JsonSchema` needs nothing else: its value is given by an output tool, as with
/// [`OutputSpec::of`]; but a `String` is the model's text, as with [`OutputSpec::text`]. [`BinaryContent`] is a file that the model
/// makes, as with [`OutputSpec::file`].
///
/// An enum of several outputs has it from `#[derive(AgentOutput)]`: then it is not `Deserialize` and `JsonSchema` at once.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use toolwright::model::TestModel;
/// use toolwright::Agent;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Fruit {
///     name: String,
/// }
///
/// # #[tokio::main]
/// # async fn main() -> toolwright::Result<()> {
/// let agent = Agent::<()>::builder(TestModel::new()).output_of::<Fruit>().build()?;
/// assert_eq!(agent.run("Name a fruit.").await?.output().name, "a");
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a run cannot come to a `{Self}`",
    label = "this type does not say how the model gives it",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it, or, for an enum of several outputs, `AgentOutput`"
)]
pub trait AgentOutput: Sized + Send + 'static {
    /// How a run comes to it.
    fn spec() -> OutputSpec<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: OutputValue> AgentOutput for T {
    fn spec() -> OutputSpec<Self> {
        same_type(OutputSpec::text()).unwrap_or_else(OutputSpec::of)
    }
}

impl AgentOutput for BinaryContent {
    fn spec() -> OutputSpec<Self> {
        OutputSpec::file()
    }
}

/// The value, if it is a `B`.
fn same_type<A: 'static, B: 'static>(value: A) -> Option<B> {
    let mut value = Some(value);
    (&mut value as &mut dyn Any).downcast_mut::<Option<B>>().and_then(Option::take)
}
