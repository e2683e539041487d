//! Extended JSON version 2: canonical and relaxed, out and in.

mod reader;
mod wrapper;
mod writer;

pub use reader::{JsonError, parse_document, parse_plain, parse_value};
pub use wrapper::{is_type_key, single as wrapped};
pub use writer::{Format, to_string, write_document, write_string, write_value};
