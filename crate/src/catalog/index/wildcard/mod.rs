//! Wildcard indexes: keys of every path of a document, or of a part of it.

mod keys;
mod rules;
mod scope;

pub(super) use rules::ROW;
pub use scope::Wildcard;
