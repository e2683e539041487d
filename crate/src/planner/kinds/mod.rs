//! The kinds of index as the planner sees them, a file each (`rules`).

pub mod geo;
pub mod hashed;
pub mod rules;
pub mod text;
pub mod value;
pub mod wildcard;
