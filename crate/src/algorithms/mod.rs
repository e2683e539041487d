//! Algorithms that know nothing of documents: sorting, bytes in pieces, base64, hexadecimal digits, MD5.

pub mod arena;
pub mod base64;
pub mod hexadecimal;
pub mod md5;
pub mod sorting;
