//! Requests with no agent around them.

use super::part_event::{PartEvent, PartEvents};
use super::{Model, ModelInput, RequestCache};
use crate::blocking::blocking;
use crate::error::Result;
use crate::message::ModelResponse;

/// Asks `model` once, with no agent around it. Calls of tools are in the response; nobody runs them.
///
/// ```
/// use toolwright::model::{self, ModelInput, TestModel};
/// use toolwright::message::ResponsePart;
///
/// # #[tokio::main]
/// # async fn main() -> toolwright::Result<()> {
/// let question = ModelInput::prompt("What is the capital of France?").instructions("Answer in one word.");
/// let response = model::request(&TestModel::new().custom_output_text("Paris"), &question).await?;
/// assert!(matches!(&response.parts[0], ResponsePart::Text(text) if text.content == "Paris"));
/// # Ok(())
/// # }
/// ```
///
/// What the request could not carry is noted in the cache of [`Model::request`], which is beneath this; and who asks
/// several times in one conversation gives one [`RequestCache`] to all of them there, so that nothing is encoded twice.
///
/// # Errors
///
/// Misuse, when the model cannot be asked so; else the provider's.
pub async fn request(model: &impl Model, input: &ModelInput) -> Result<ModelResponse> {
    model.request(input, &mut RequestCache::default()).await
}

/// The same for a response that streams: `listener` is told of its parts as they come.
///
/// ```
/// use toolwright::model::{self, ModelInput, TestModel};
///
/// # #[tokio::main]
/// # async fn main() -> toolwright::Result<()> {
/// let mut told = String::new();
/// let model = TestModel::new().custom_output_text("Paris, of course.");
/// let response = model::request_stream(&model, &ModelInput::prompt("Where?"), |event| {
///     told.extend(event.text());
/// })
/// .await?;
/// assert_eq!(told, "Paris, of course.");
/// # let _ = response;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of [`request`], and the provider's, when the response breaks off.
pub async fn request_stream(
    model: &impl Model,
    input: &ModelInput,
    mut listener: impl FnMut(PartEvent) + Send,
) -> Result<ModelResponse> {
    model.request_stream(input, &mut RequestCache::default(), &mut PartEvents::new(&mut listener)).await
}

/// The same as [`request`] where there is no asynchronous runtime.
///
/// # Errors
///
/// Those of [`request`], and misuse inside an asynchronous runtime.
pub fn request_blocking(model: &impl Model, input: &ModelInput) -> Result<ModelResponse> {
    blocking("model::request_blocking", request(model, input))?
}
