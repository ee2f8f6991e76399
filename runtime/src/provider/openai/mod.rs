//! OpenAI, and servers that speak its APIs.

mod chat;
mod responses;
mod service;

pub use chat::{OpenAiChatModel, OpenAiChatModelBuilder};
pub use responses::{OpenAiResponsesModel, OpenAiResponsesModelBuilder, OpenAiResponsesProfile};
pub use service::Service;

pub use super::chat::{ChatProfile, Effort, Reasoning, SystemRole};
