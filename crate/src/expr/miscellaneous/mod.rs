//! Other expressions.

pub mod function;
pub mod rand;
pub mod to_hashed_index_key;
