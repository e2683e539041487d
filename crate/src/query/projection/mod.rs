//! Projections: which fields of a document go out, and which values are computed.

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
