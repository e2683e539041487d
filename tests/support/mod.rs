//! What the tests of `tests/native` share.

pub mod frozen;
pub mod fuzzed;
pub mod naive;
pub mod random;
pub mod stored;
