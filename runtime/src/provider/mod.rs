//! The APIs of model providers.

#[cfg(feature = "anthropic")]
pub mod anthropic;
mod availability;
mod body;
#[cfg(feature = "chat")]
pub mod chat;
#[cfg(feature = "cohere")]
pub mod cohere;
mod connection;
mod dialogue;
mod exchange;
mod feedback;
mod file;
mod frame;
#[cfg(feature = "google")]
pub mod google;
#[cfg(feature = "groq")]
pub mod groq;
#[cfg(feature = "huggingface")]
pub mod huggingface;
mod incoming;
#[cfg(feature = "mistral")]
pub mod mistral;
mod name;
#[cfg(feature = "openai")]
pub mod openai;
mod result;
mod reveals;
mod stream;
mod tools;
mod transcript;
mod turn;
#[cfg(feature = "xai")]
pub mod xai;

pub use crate::http::Transport;
