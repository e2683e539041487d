//! Order-preserving encoding of BSON values as byte strings.
//!
//! `keycode::encode(value, descending, &mut key, &mut type_bits)`. An index key is the encoded components followed
//! by the RecordId (8 bytes, big-endian), in every index; a unique check looks for the prefix.
//!
//! One circle of files is meant: numbers have a file of their own for both directions, which reads and writes bytes as
//! all other types do: `encode`, `decode`, `number`.

mod bounds;
mod class;
mod decode;
mod encode;
mod number;
#[cfg(test)]
mod property;
mod type_bits;

pub use bounds::{append_class_end, append_class_start, append_successor};
pub use decode::{Decoder, component_length};
pub use encode::{encode, encode_text};
pub use type_bits::TypeBits;
