//! xAI, in its dialect of the Chat Completions API.

mod profile;
#[cfg(all(test, feature = "openai"))]
mod tests;

use reqwest::header::AUTHORIZATION;

use super::chat::{ChatService, chat_model};
use super::connection::Access;

const SERVICE: ChatService = ChatService {
    access: Access {
        system: "xai",
        key_variables: &["XAI_API_KEY"],
        url_variable: "XAI_BASE_URL",
        default_url: "https://api.x.ai",
        key_header: |key| Ok((AUTHORIZATION, key.bearer()?)),
    },
    prefix: &["v1"],
    profile: profile::of,
};

chat_model!(
    /// A model at xAI. Cloning shares it, its connections included.
    ///
    /// Documents would have to be left with xAI before they are spoken of, which this does not do: it sends text files as
    /// text, and in place of others that a tool returns a note.
    XaiModel, XaiModelBuilder, SERVICE, module: "xai", key: "XAI_API_KEY", url: "XAI_BASE_URL", place: "xAI",
    model: "grok-4.3", example: "http://localhost:8000"
);
