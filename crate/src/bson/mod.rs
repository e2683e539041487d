//! BSON: borrowed and owned values, documents, comparison, validation, Extended JSON.
//!
//! - `ValueRef<'a>`: a `Copy` borrowed value over validated bytes. `Value<'a>`: borrowed or computed;
//!   `value.as_ref()` gives the `ValueRef`. `Missing` is a value of both: absent, as MongoDB's EOO.
//! - `Text<'a>`: the bytes of a string, symbol, pattern or piece of code; a `&str` only where they were checked.
//! - `Document<'a>` / `Array<'a>`: `Copy` views over the bytes of a whole document or array (length and terminator
//!   included); iteration is infallible because bytes are validated at the engine's door (`bson::validate`).
//! - `DocumentBuilder`, `ArrayBuilder`: append-only writers; `DocumentBuf`/`ArrayBuf` own bytes.
//! - `compare(a, b)`: the total order across all types. `keycode` encodes that order as bytes.
//! - `PathReader`: several dotted paths read in one walk, along the steps learnt from a document of the same shape
//!   (`bson/path_program.rs`), or by names where they do not fit. The memory is a guess that the bytes confirm name
//!   by name, so answers never depend on it. Matchers, sort patterns, `$group`, `$unwind`, and the keys of bulk
//!   inserts and index builds (`KeySet::foresee`) each keep one.
//!
//! Two circles of files are meant. A value may be a document and a document holds values, a builder writes both, and a
//! number is a value of five types of which one is a decimal: `value`, `document`, `builder`, `number`, `decimal128`. A
//! path program holds the steps that a reader has learnt, and only the reader runs it: `path_reader`, `path_program`.

pub mod builder;
pub mod column;
pub mod compare;
pub mod date;
pub mod decimal128;
pub mod decimal_arithmetic;
pub mod document;
pub mod extended_json;
pub mod float;
pub mod number;
pub mod object_id;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod oracle_tests;
mod path_program;
pub mod path_reader;
pub mod position;
pub mod stored_text;
#[cfg(test)]
pub mod testing;
pub mod text;
pub mod timestamp;
pub mod types;
pub mod validate;
pub mod value;
pub mod wording;

pub use builder::{ArrayBuf, ArrayBuilder, DocumentBuf, DocumentBuilder, extend, write_length};
pub use compare::{compare, compare_documents, values_equal};
pub use decimal_arithmetic::DecimalRounding;
pub use decimal128::{Decimal, Decimal128, Unreadable};
pub use document::{Array, Document, Element};
pub use number::Number;
pub use path_reader::{Keep, PathReader, ReadValue};
pub use position::{array_position, is_digits};
pub use stored_text::Text;
pub use timestamp::Timestamp;
pub use types::BsonType;
pub use validate::{MAX_DOCUMENT_SIZE, MAX_MESSAGE_NESTING, MAX_NESTING, validate};
pub use value::{Value, ValueRef};
