//! The APIs of model providers.

mod file;
mod frame;
mod incoming;
mod name;
pub mod openai;
mod result;

pub use crate::http::Transport;
