//! How runs behave, above all when something goes wrong.
#![allow(clippy::panic, reason = "a test that finds the wrong variant says so")]

mod capabilities;
mod deferred;
mod events;
mod fallback;
mod hooks;
mod kinds;
mod limited;
mod mcp;
mod native;
mod on_demand;
mod output_validators;
mod registered;
mod report;
mod search;
mod stopping;
mod structured;
mod support;
mod tools;
mod toolset_blocks;
mod toolset_modules;
mod toolsets;
mod traces;
mod within;
