//! Order-preserving encoding of BSON values as byte strings.

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
