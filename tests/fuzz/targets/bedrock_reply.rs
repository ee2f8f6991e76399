#![no_main]

use toolwright_fuzz::decoding::{Api, Form};

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwright_fuzz::reply(Api::Bedrock, Form::Whole, data));
