//! How runs behave, above all when something goes wrong.
#![allow(clippy::panic, reason = "a test that finds the wrong variant says so")]

mod deferred;
mod hooks;
mod stopping;
mod support;
mod tools;
