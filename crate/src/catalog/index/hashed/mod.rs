//! Hashed indexes: keys of the hash of one field.

pub mod element_hash;
mod keys;

pub(super) use keys::plain_value;
pub(super) use keys::{Hashed, ROW};
