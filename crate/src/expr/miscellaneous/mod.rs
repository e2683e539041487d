//! Other expressions.

pub mod create_object_id;
pub mod function;
pub mod meta;
pub mod rand;
pub mod to_hashed_index_key;
