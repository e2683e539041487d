//! Object expressions.

pub mod constant_name;
pub mod get_field;
pub mod merge_objects;
pub mod merging;
pub mod set_field;
