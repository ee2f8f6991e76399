//! OpenAI's models at Amazon Bedrock, which are asked at two places of one origin.

use reqwest::Url;

use super::place::{Addressee, Spoken, no_version};
use crate::error::{Error, Result};
use crate::provider::connection::Connection;

/// The origin of a region.
pub(super) fn url(region: &str) -> Option<String> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    region.bytes().all(is_name).then(|| format!("https://bedrock-mantle.{region}.api.aws"))
}

/// The name of a model without who made it, and without where it is to run.
pub(super) fn bare_name(model: &str) -> &str {
    model.split_once("openai.").map_or(model, |(_, name)| name)
}

/// Whether a model speaks Chat Completions, and not Responses.
pub(super) fn speaks_chat(model: &str) -> bool {
    bare_name(model).starts_with("gpt-oss-safeguard")
}

/// Where a model is asked: open models below `v1`, others below `openai/v1`.
///
/// # Errors
///
/// Misuse, when the model does not speak this API.
pub(super) fn endpoint(connection: &Connection, addressee: &Addressee<'_>) -> Result<Url> {
    no_version(addressee)?;
    let name = bare_name(addressee.model);
    let (spoken, model) = match speaks_chat(addressee.model) {
        true => (Spoken::Chat, "OpenAiChatModel"),
        false => (Spoken::Responses, "OpenAiResponsesModel"),
    };
    if addressee.api != spoken {
        return Err(Error::misuse(format!(
            "at Bedrock Mantle, `{}` does not speak this API; make it an `{model}`",
            addressee.model
        )));
    }
    let path = addressee.api.path().iter().copied();
    // A URL may be that of either place.
    let base: &[&str] = match (connection.ends_with("v1"), name.starts_with("gpt-oss")) {
        (true, _) => &[],
        (false, true) => &["v1"],
        (false, false) => &["openai", "v1"],
    };
    connection.endpoint(base.iter().copied().chain(path))
}
