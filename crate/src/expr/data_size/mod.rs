//! Data size expressions.

pub mod binary_size;
pub mod bson_size;
