//! Fuzz target `pattern`: see `tests/support/fuzzed.rs`, which tests replay found inputs with.
#![no_main]

#[path = "../../tests/support/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzzed::pattern(input));
