//! Groq, in its dialect of the Chat Completions API.

mod profile;
#[cfg(all(test, feature = "openai"))]
mod tests;

use reqwest::header::AUTHORIZATION;

use super::chat::{ChatService, chat_model};
use super::connection::Access;

const SERVICE: ChatService = ChatService {
    access: Access {
        system: "groq",
        key_variables: &["GROQ_API_KEY"],
        url_variable: "GROQ_BASE_URL",
        default_url: "https://api.groq.com",
        key_header: |key| Ok((AUTHORIZATION, key.bearer()?)),
    },
    prefix: &["openai", "v1"],
    profile: profile::of,
};

chat_model!(
    /// A model at Groq. Cloning shares it, its connections included.
    ///
    /// Groq checks calls against their tools' schemas. A response it refuses for that is taken all the same, and the model
    /// told what is wrong with its call, as with any other provider.
    GroqModel, GroqModelBuilder, SERVICE, module: "groq", key: "GROQ_API_KEY", url: "GROQ_BASE_URL", place: "Groq",
    model: "openai/gpt-oss-120b", example: "http://localhost:8000"
);
