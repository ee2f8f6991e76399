//! The APIs of model providers.

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "bedrock")]
pub mod bedrock;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod blocks;
mod body;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod cache;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod choice;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod claude;
mod connection;
mod dialogue;
mod exchange;
mod feedback;
mod file;
mod frame;
#[cfg(feature = "google")]
pub mod google;
mod incoming;
mod name;
#[cfg(feature = "openai")]
pub mod openai;
mod result;
mod stream;
mod tools;
mod transcript;
mod turn;

pub use crate::http::Transport;
