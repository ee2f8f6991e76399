//! What the fuzz targets do with their input.
#![allow(clippy::panic, reason = "that is how a fuzzer is told of a fault")]

#[path = "../../src/decoding.rs"]
pub mod decoding;
#[path = "../../src/frames.rs"]
pub mod frames;

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

/// A reply in frames: each line of the input is an event, its name before its payload.
pub fn framed(api: Api, data: &[u8]) {
    let event = |line: &[u8]| {
        let name = line.split(|byte| *byte == b' ').next().unwrap_or_default();
        let payload = line.get(name.len() + 1..).unwrap_or_default();
        frames::event(&String::from_utf8_lossy(&name[..name.len().min(80)]), payload)
    };
    let frames: Vec<u8> = data.split(|byte| *byte == b'\n').flat_map(event).collect();
    reply(api, Form::Streamed, &frames);
}

/// A history that somebody stored.
pub fn history(data: &[u8]) {
    check(|decoders| std::str::from_utf8(data).map_or(Ok(()), |stored| decoders.read_history(stored)));
}

/// A schema of a tool's parameters.
pub fn schema(data: &[u8]) {
    check(|decoders| serde_json::from_slice(data).map_or(Ok(()), |schema| decoders.read_schema(&schema)));
}
