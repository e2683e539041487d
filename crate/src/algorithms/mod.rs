//! Algorithms that know nothing of documents: sorting, base64, hexadecimal digits, MD5.

pub mod base64;
pub mod hexadecimal;
pub mod md5;
pub mod sorting;
