//! The APIs of model providers.

#[cfg(feature = "anthropic")]
pub mod anthropic;
mod availability;
mod body;
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
mod reveals;
mod stream;
mod tools;
mod transcript;
mod turn;

pub use crate::http::Transport;
