//! Other expressions.

pub mod function;
pub mod meta;
pub mod rand;
pub mod to_hashed_index_key;
