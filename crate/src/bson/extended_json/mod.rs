//! Extended JSON version 2: canonical and relaxed, out and in.

mod reader;
mod wrapper;
mod writer;

pub use reader::{JsonError, parse_document, parse_value};
pub use writer::{Format, to_string, write_document, write_string, write_value};
