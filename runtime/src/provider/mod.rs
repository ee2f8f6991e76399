//! The APIs of model providers.

#[cfg(feature = "anthropic")]
pub mod anthropic;
mod availability;
#[cfg(feature = "bedrock")]
pub mod bedrock;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod blocks;
mod body;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod cache;
#[cfg(feature = "chat")]
pub mod chat;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod choice;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod claude;
#[cfg(feature = "cohere")]
pub mod cohere;
mod connection;
#[cfg(test)]
mod conversation;
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
mod prefix;
mod result;
mod reveals;
mod stream;
mod tokens;
mod tools;
mod transcript;
mod turn;
#[cfg(feature = "xai")]
pub mod xai;

pub use crate::http::Transport;
