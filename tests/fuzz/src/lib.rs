//! What the fuzz targets do with their input.
#![allow(clippy::panic, reason = "that is how a fuzzer is told of a fault")]

#[path = "../../src/decoding.rs"]
pub mod decoding;

use decoding::{Api, Decoders, Form};

thread_local! {
    static DECODERS: Decoders = Decoders::new().unwrap_or_else(|why| panic!("{why}"));
}

fn check(verdict: impl FnOnce(&Decoders) -> Result<(), String>) {
    if let Err(fault) = DECODERS.with(verdict) {
        panic!("{fault}");
    }
}

/// A reply of a server.
pub fn reply(api: Api, form: Form, data: &[u8]) {
    check(|decoders| decoders.read(api, form, data).map(drop));
}

/// A history that somebody stored.
pub fn history(data: &[u8]) {
    check(|decoders| std::str::from_utf8(data).map_or(Ok(()), |stored| decoders.read_history(stored)));
}

/// A schema of a tool's parameters.
pub fn schema(data: &[u8]) {
    check(|decoders| serde_json::from_slice(data).map_or(Ok(()), |schema| decoders.read_schema(&schema)));
}
