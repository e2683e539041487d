//! Algorithms that know nothing of documents: sorting, bytes in pieces, base64, hexadecimal digits, digests.

pub mod arena;
pub mod base64;
pub mod hexadecimal;
pub mod md5;
pub mod sha256;
pub mod sorting;
pub mod xxh64;
