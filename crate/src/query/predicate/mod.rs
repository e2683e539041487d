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
pub mod json_schema;
pub mod logical;
pub mod membership;
pub mod modulo;
pub mod not;
pub mod regex;
pub mod sample_rate;
pub mod size;
pub mod table;
pub mod text;
pub mod where_function;

pub use table::{Parse, REFUSED, TABLE, find};
