//! OpenAI, and servers that speak its API.

mod chat;
mod effort;

pub use chat::{OpenAiChatModel, OpenAiChatModelBuilder, OpenAiChatProfile, SystemRole};
pub use effort::{Effort, Reasoning};

/// The provider's name in messages.
const SYSTEM: &str = "openai";
