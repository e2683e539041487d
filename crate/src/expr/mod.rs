//! Aggregation expressions: compiled once, evaluated per document over raw bytes.

pub mod context;

pub use context::{CompileContext, Frame, Scope};
