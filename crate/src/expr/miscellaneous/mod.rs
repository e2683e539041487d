//! Other expressions.

pub mod rand;
