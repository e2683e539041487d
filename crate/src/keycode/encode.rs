//! Values to key bytes.
//!
//! ```text
//! 5       2d 0a            class of small positive numbers, digits      descending: d2 f5
//! 2.5     2d 05 80
//! "ab"    40 61 62 00      class of strings, text, end                  descending: bf 9e 9d ff
//! true    69
//! ```
//!
//! Invariant: `memcmp` of two encodings is `bson::compare` of their values (reversed when
//! descending), and no encoding is a prefix of another, so components concatenate.

use super::class;
use super::number;
use super::type_bits::{Mark, TypeBits};
use crate::bson::{Array, Document, ValueRef};

/// Appends a value's encoding; descending ones sort the other way round.
///
/// Facts that the key loses, such as that 5 was a double, go to `type_bits`. Nothing is allocated beyond the growth of
/// the two buffers.
pub fn encode(value: ValueRef<'_>, descending: bool, key: &mut Vec<u8>, type_bits: &mut TypeBits) {
    let start = key.len();
    append(value, key, type_bits);
    if descending {
        invert(&mut key[start..]);
    }
}

pub(super) fn invert(bytes: &mut [u8]) {
    for byte in bytes {
        *byte = !*byte;
    }
}

/// Encodes a string's text without type bits.
#[inline]
pub fn encode_text(text: &[u8], descending: bool, key: &mut Vec<u8>) {
    let start = key.len();
    key.push(class::STRING);
    append_text(text, key);
    if descending {
        invert(&mut key[start..]);
    }
}

fn append(value: ValueRef<'_>, key: &mut Vec<u8>, type_bits: &mut TypeBits) {
    match value {
        ValueRef::MinKey => key.push(class::MIN_KEY),
        ValueRef::MaxKey => key.push(class::MAX_KEY),
        ValueRef::Missing => {
            key.push(class::MISSING);
            type_bits.plain();
        }
        ValueRef::Undefined => {
            key.push(class::MISSING);
            type_bits.mark(Mark::Undefined);
        }
        ValueRef::Null => key.push(class::NULL),
        ValueRef::Int32(number) => number::append_int(i64::from(number), false, key, type_bits),
        ValueRef::Int64(number) => number::append_int(number, true, key, type_bits),
        ValueRef::Double(number) => number::append_double(number, key, type_bits),
        ValueRef::Decimal128(number) => number::append_decimal(number, key, type_bits),
        ValueRef::String(text) => {
            key.push(class::STRING);
            type_bits.plain();
            append_text(text.as_bytes(), key);
        }
        ValueRef::Symbol(text) => {
            key.push(class::STRING);
            type_bits.mark(Mark::Symbol);
            append_text(text.as_bytes(), key);
        }
        ValueRef::Document(document) => {
            key.push(class::DOCUMENT);
            append_fields(document, key, type_bits);
        }
        ValueRef::Array(array) => {
            key.push(class::ARRAY);
            append_items(array, key, type_bits);
        }
        ValueRef::Binary { subtype, bytes } => {
            key.push(class::BINARY);
            append_length(bytes.len(), key);
            key.push(subtype);
            key.extend_from_slice(bytes);
        }
        ValueRef::ObjectId(id) => {
            key.push(class::OBJECT_ID);
            key.extend_from_slice(&id);
        }
        ValueRef::Boolean(false) => key.push(class::FALSE),
        ValueRef::Boolean(true) => key.push(class::TRUE),
        ValueRef::DateTime(millis) => {
            key.push(class::DATE_TIME);
            key.extend_from_slice(&((millis as u64) ^ (1 << 63)).to_be_bytes());
        }
        ValueRef::Timestamp { time, increment } => {
            key.push(class::TIMESTAMP);
            key.extend_from_slice(&time.to_be_bytes());
            key.extend_from_slice(&increment.to_be_bytes());
        }
        ValueRef::Regex { pattern, options } => {
            key.push(class::REGEX);
            append_text(pattern.as_bytes(), key);
            append_text(options.as_bytes(), key);
        }
        ValueRef::DbPointer { namespace, id } => {
            key.push(class::DB_POINTER);
            append_length(namespace.len(), key);
            key.extend_from_slice(namespace.as_bytes());
            key.extend_from_slice(&id);
        }
        ValueRef::JavaScript(code) => {
            key.push(class::JAVASCRIPT);
            append_text(code.as_bytes(), key);
        }
        ValueRef::JavaScriptWithScope { code, scope } => {
            key.push(class::JAVASCRIPT_WITH_SCOPE);
            append_text(code.as_bytes(), key);
            append_fields(scope, key, type_bits);
        }
    }
}

/// Text ends with 0x00; inside, 0x00 and 0x01 become 0x01 0x01 and 0x01 0x02.
fn append_text(text: &[u8], key: &mut Vec<u8>) {
    let start = key.len();
    key.extend_from_slice(text);
    if has_low_byte(text) {
        key.truncate(start);
        for byte in text {
            if *byte < 2 {
                key.push(0x01);
            }
            key.push(*byte + u8::from(*byte < 2));
        }
    }
    key.push(0x00);
}

/// Whether a byte is below 2, eight at a time.
fn has_low_byte(text: &[u8]) -> bool {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut rest = text;
    let mut found = 0;
    while let Some((eight, after)) = rest.split_first_chunk::<8>() {
        // Without its lowest bit such a byte is zero.
        let word = u64::from_le_bytes(*eight) & !LOW;
        found |= word.wrapping_sub(LOW) & !word & HIGH;
        rest = after;
    }
    found != 0 || rest.iter().any(|byte| *byte < 2)
}

/// Lengths sort as numbers: one byte below 255, else 0xFF and four bytes.
fn append_length(length: usize, key: &mut Vec<u8>) {
    if length < 0xFF {
        key.push(length as u8);
    } else {
        key.push(0xFF);
        key.extend_from_slice(&(length as u32).to_be_bytes());
    }
}

/// Fields compare by class of type, then name, then value, so the class goes before the name.
fn append_fields(document: Document<'_>, key: &mut Vec<u8>, type_bits: &mut TypeBits) {
    for element in document.raw_elements() {
        let (shared_class, _) = class::range(element.kind);
        key.push(shared_class);
        append_text(element.name, key);
        append(element.value(), key, type_bits);
    }
    key.push(class::END);
}

fn append_items(array: Array<'_>, key: &mut Vec<u8>, type_bits: &mut TypeBits) {
    for item in array.iter() {
        append(item, key, type_bits);
    }
    key.push(class::END);
}
