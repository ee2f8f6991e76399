#![no_main]

use toolwright_fuzz::decoding::Api;

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwright_fuzz::framed(Api::Bedrock, data));
