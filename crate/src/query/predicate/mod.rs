//! The query operators, one file each (operators that differ in a word share a file), and their table.

pub mod all;
pub mod always;
pub mod bits;
pub mod bson_type;
pub mod comment;
pub mod comparison;
pub mod elem_match;
pub mod exists;
pub mod expr;
mod geo_intersects;
pub mod geo_shape;
mod geo_within;
pub mod json_schema;
pub mod logical;
pub mod membership;
pub mod modulo;
pub mod near;
pub mod not;
pub mod regex;
pub mod sample_rate;
pub mod size;
pub mod table;
pub mod text;
pub mod where_function;

pub use table::{Parse, TABLE, find};
