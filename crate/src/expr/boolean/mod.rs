//! Boolean expressions.

pub mod and;
pub mod not;
pub mod or;
