//! OpenAI, and servers that speak its APIs.

mod chat;
mod responses;

use reqwest::header::AUTHORIZATION;

pub use chat::{OpenAiChatModel, OpenAiChatModelBuilder};
pub use responses::{OpenAiResponsesModel, OpenAiResponsesModelBuilder, OpenAiResponsesProfile};

pub use super::chat::{ChatProfile, Effort, Reasoning, SystemRole};
use super::connection::Access;

/// The provider's name in messages.
const SYSTEM: &str = "openai";

const ACCESS: Access = Access {
    system: SYSTEM,
    key_variables: &["OPENAI_API_KEY"],
    url_variable: "OPENAI_BASE_URL",
    default_url: "https://api.openai.com/v1",
    key_header: |key| Ok((AUTHORIZATION, key.bearer()?)),
};
