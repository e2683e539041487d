//! `$jsonSchema`: documents that follow a JSON Schema of draft 4, with BSON's types.

pub mod equality;
pub mod evaluate;
pub mod parse;
pub mod rules;

pub use rules::Schema;
