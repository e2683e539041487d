//! The first byte of every encoded value: it orders values of different types.
//!
//! Invariant: the bytes ascend in `bson::compare`'s order of types; 0x00 and 0xFF are never class
//! bytes, in neither direction, so that they can end documents and bounds.

use crate::bson::BsonType;

pub(super) const MIN_KEY: u8 = 0x08;
pub(super) const MISSING: u8 = 0x10;
pub(super) const NULL: u8 = 0x14;

/// Numbers: the class tells sign and size, so that small integers stay short.
pub(super) const NAN: u8 = 0x20;
/// Magnitude of at least 2^63, below zero.
pub(super) const NEGATIVE_LARGE: u8 = 0x21;
/// `NEGATIVE_INTEGER - n`: `n` bytes (1 to 8) of integer part, below zero.
pub(super) const NEGATIVE_INTEGER: u8 = 0x2A;
/// Magnitude below 1, below zero.
pub(super) const NEGATIVE_SMALL: u8 = 0x2A;
pub(super) const ZERO: u8 = 0x2B;
pub(super) const POSITIVE_SMALL: u8 = 0x2C;
/// `POSITIVE_INTEGER + n`: `n` bytes (1 to 8) of integer part.
pub(super) const POSITIVE_INTEGER: u8 = 0x2C;
pub(super) const POSITIVE_LARGE: u8 = 0x35;

pub(super) const STRING: u8 = 0x40;
pub(super) const DOCUMENT: u8 = 0x48;
pub(super) const ARRAY: u8 = 0x50;
pub(super) const BINARY: u8 = 0x58;
pub(super) const OBJECT_ID: u8 = 0x60;
pub(super) const FALSE: u8 = 0x68;
pub(super) const TRUE: u8 = 0x69;
pub(super) const DATE_TIME: u8 = 0x70;
pub(super) const TIMESTAMP: u8 = 0x78;
pub(super) const REGEX: u8 = 0x80;
pub(super) const DB_POINTER: u8 = 0x88;
pub(super) const JAVASCRIPT: u8 = 0x90;
pub(super) const JAVASCRIPT_WITH_SCOPE: u8 = 0x98;
pub(super) const MAX_KEY: u8 = 0xF0;

/// Ends a document's fields and an array's items; less than any class.
pub(super) const END: u8 = 0x00;

/// The first and last class byte of the values that share a type's canonical class.
pub(super) fn range(kind: BsonType) -> (u8, u8) {
    let only = |class| (class, class);
    match kind {
        BsonType::MinKey => only(MIN_KEY),
        BsonType::Missing | BsonType::Undefined => only(MISSING),
        BsonType::Null => only(NULL),
        BsonType::Int32 | BsonType::Int64 | BsonType::Double | BsonType::Decimal128 => {
            (NAN, POSITIVE_LARGE)
        }
        BsonType::String | BsonType::Symbol => only(STRING),
        BsonType::Document => only(DOCUMENT),
        BsonType::Array => only(ARRAY),
        BsonType::Binary => only(BINARY),
        BsonType::ObjectId => only(OBJECT_ID),
        BsonType::Boolean => (FALSE, TRUE),
        BsonType::DateTime => only(DATE_TIME),
        BsonType::Timestamp => only(TIMESTAMP),
        BsonType::Regex => only(REGEX),
        BsonType::DbPointer => only(DB_POINTER),
        BsonType::JavaScript => only(JAVASCRIPT),
        BsonType::JavaScriptWithScope => only(JAVASCRIPT_WITH_SCOPE),
        BsonType::MaxKey => only(MAX_KEY),
    }
}
