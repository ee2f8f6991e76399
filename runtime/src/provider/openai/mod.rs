//! OpenAI, and servers that speak its API.

mod chat;
mod effort;

use reqwest::header::AUTHORIZATION;

pub use chat::{OpenAiChatModel, OpenAiChatModelBuilder, OpenAiChatProfile, SystemRole};
pub use effort::{Effort, Reasoning};

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
