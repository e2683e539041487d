//! Timestamp expressions.

pub mod ts_increment;
pub mod ts_second;
