//! How runs behave, above all when something goes wrong.
#![allow(clippy::panic, reason = "a test that finds the wrong variant says so")]

mod deferred;
mod events;
mod hooks;
mod kinds;
mod report;
mod search;
mod stopping;
mod support;
mod tools;
mod toolsets;
mod traces;
mod within;
