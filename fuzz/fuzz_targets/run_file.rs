//! Bytes, and damaged run files, as run files.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| doublecrunch_fuzz::run_file(data));
