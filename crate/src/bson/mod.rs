//! BSON: borrowed and owned values, documents, comparison, validation, Extended JSON.

pub mod base64;
pub mod builder;
pub mod compare;
pub mod date;
pub mod decimal128;
pub mod decimal_arithmetic;
pub mod document;
pub mod element_hash;
pub mod extended_json;
pub mod float;
pub mod md5;
pub mod number;
pub mod object_id;
pub mod order;
mod path_program;
pub mod path_reader;
pub mod position;
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
pub use decimal128::Decimal;
pub use document::{Array, Document, Element};
pub use element_hash::element_hash;
pub use number::Number;
pub use path_reader::{Keep, PathReader, ReadValue};
pub use position::{array_position, is_digits};
pub use types::BsonType;
pub use validate::{MAX_DOCUMENT_SIZE, MAX_MESSAGE_NESTING, MAX_NESTING, validate};
pub use value::{Value, ValueRef};
