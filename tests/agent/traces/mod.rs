//! What spans a run leaves behind.

mod collector;
mod content;
mod failures;
mod hooks;
mod tree;
