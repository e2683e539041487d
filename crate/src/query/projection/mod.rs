//! Projections: which fields of a document go out, and what is computed in their place.

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
