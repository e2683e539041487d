//! Projections: which fields of a document go out, and which values are computed.
//!
//! One circle of files is meant: the tree has slices at its leaves, and a slice is applied at the position that the
//! walk over the tree has reached: `tree`, `slice`, `apply`.

pub mod apply;
pub mod canonical;
pub mod parse;
pub mod positional;
pub mod slice;
pub mod specification;
#[cfg(test)]
mod tests;
pub mod tree;

pub use specification::{Projection, ProjectionKind};
