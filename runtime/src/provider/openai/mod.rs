//! OpenAI, and servers that speak its APIs.

mod chat;
mod choice;
mod effort;
mod format;
mod responses;
mod role;

use reqwest::header::AUTHORIZATION;

pub use chat::{OpenAiChatModel, OpenAiChatModelBuilder, OpenAiChatProfile};
pub use effort::{Effort, Reasoning};
pub use responses::{OpenAiResponsesModel, OpenAiResponsesModelBuilder, OpenAiResponsesProfile};
pub use role::SystemRole;

use super::connection::Access;

/// The provider's name in messages.
const SYSTEM: &str = "openai";

/// Where servers put thoughts in Chat Completions, which go back to where they came from.
const THOUGHT_FIELDS: [&str; 2] = ["reasoning", "reasoning_content"];

const ACCESS: Access = Access {
    system: SYSTEM,
    key_variables: &["OPENAI_API_KEY"],
    url_variable: "OPENAI_BASE_URL",
    default_url: "https://api.openai.com/v1",
    key_header: |key| Ok((AUTHORIZATION, key.bearer()?)),
};
