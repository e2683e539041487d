//! Bitwise expressions.

pub mod bit_and;
pub mod bit_not;
pub mod bit_or;
pub mod bit_xor;
pub mod combining;
