//! The shared modules of the tests of `tests/native`.

pub mod frozen;
pub mod fuzzed;
pub mod naive;
pub mod random;
pub mod stored;

pub use fuzzed::bytes;
