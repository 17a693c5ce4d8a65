//! Texts as ranges.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| doublecrunch_fuzz::range(data));
