//! Hugging Face's router to inference providers, in its dialect of the Chat Completions API.

#[cfg(all(test, feature = "openai"))]
mod tests;

use reqwest::header::AUTHORIZATION;

use super::chat::{ChatProfile, ChatService, SchemaForm, ThoughtForm, chat_model};
use super::connection::Access;

const SERVICE: ChatService = ChatService {
    access: Access {
        system: "huggingface",
        key_variables: &["HF_TOKEN"],
        url_variable: "HF_BASE_URL",
        default_url: "https://router.huggingface.co",
        key_header: |key| Ok((AUTHORIZATION, key.bearer()?)),
    },
    prefix: &["v1"],
    profile,
};

chat_model!(
    /// A model behind Hugging Face's router to inference providers, or behind an endpoint of one's own. Cloning shares it,
    /// its connections included.
    ///
    /// Which provider serves it can be said behind its name, as in `Qwen/Qwen3-32B:together`.
    HuggingFaceModel, HuggingFaceModelBuilder, SERVICE, module: "huggingface", key: "HF_TOKEN", url: "HF_BASE_URL",
    place: "the router", model: "Qwen/Qwen3-32B", example: "http://localhost:8080"
);

/// What is known of a model by its name.
fn profile(model: &str) -> ChatProfile {
    let profile = ChatProfile {
        empty_tools: true,
        schemas: SchemaForm::Plain,
        parallel_tool_calls: false,
        typed_tool_choice: false,
        json_object_output: false,
        thoughts: ThoughtForm::Tags,
        documents: false,
        text_files: false,
        ..ChatProfile::compatible()
    };
    // Whether a call can be forced is left to whoever serves the model.
    let profile = ChatProfile { forced_tool_choice: true, ..profile.with_family(model) };
    // The router knows no references in the schemas of these.
    let inlined = model.to_ascii_lowercase().starts_with("openai/gpt-oss");
    ChatProfile { schemas: if inlined { SchemaForm::Inlined } else { profile.schemas }, ..profile }
}
