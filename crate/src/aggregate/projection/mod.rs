//! The field trees of `$project`, `$addFields` and `$unset`.

pub mod apply;
pub mod parse;
pub mod tree;

pub use tree::{Branch, Mode, Tree};
