//! Byte strings that lie before or after whole groups of keys, for scans over ranges.
//!
//! Invariant: "start" and "end" are in key order, so for a descending component the end of a type
//! is where its least value lies. A start is at or before every key of the group, an end after all.

use super::class;
use crate::bson::BsonType;

/// Appends a component that is at or before every value that compares by value with `kind`.
pub fn append_class_start(kind: BsonType, descending: bool, key: &mut Vec<u8>) {
    let (first, last) = class::range(kind);
    key.push(if descending { !last } else { first });
}

/// Appends a component that is after every value that compares by value with `kind`.
pub fn append_class_end(kind: BsonType, descending: bool, key: &mut Vec<u8>) {
    let (first, last) = class::range(kind);
    key.push(if descending { !first + 1 } else { last + 1 });
}

/// Turns a key of whole components into one that is after every key that begins with them and
/// before every other key that was after it: an exclusive end, or the start beyond a value.
pub fn append_successor(key: &mut Vec<u8>) {
    key.push(0xFF);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::Text;
    use crate::bson::ValueRef;
    use crate::keycode::{TypeBits, encode};

    fn key(value: ValueRef<'_>, descending: bool) -> Vec<u8> {
        let mut key = Vec::new();
        encode(value, descending, &mut key, &mut TypeBits::new());
        key
    }

    #[test]
    fn brackets_hold_their_types_and_no_other() {
        let numbers = [
            ValueRef::Double(f64::NAN),
            ValueRef::Double(f64::NEG_INFINITY),
            ValueRef::Int32(0),
            ValueRef::Int64(i64::MAX),
            ValueRef::Double(f64::INFINITY),
        ];
        let others = [
            ValueRef::Null,
            ValueRef::String(Text(b"")),
            ValueRef::MinKey,
            ValueRef::MaxKey,
        ];
        for descending in [false, true] {
            let (mut start, mut end) = (Vec::new(), Vec::new());
            append_class_start(BsonType::Int32, descending, &mut start);
            append_class_end(BsonType::Int32, descending, &mut end);
            for number in numbers {
                let key = key(number, descending);
                assert!(start <= key && key < end);
            }
            for other in others {
                let key = key(other, descending);
                assert!(key < start || key >= end);
            }
        }
    }

    #[test]
    fn the_successor_is_between_a_value_and_the_next() {
        for descending in [false, true] {
            for (low, high) in [("a", "a\0"), ("a", "b"), ("", "\0"), ("a", "a\0b")] {
                let (low, high) = match descending {
                    false => (low, high),
                    true => (high, low),
                };
                let mut after = key(ValueRef::from(low), descending);
                let mut with_more = after.clone();
                with_more.extend_from_slice(&key(ValueRef::MaxKey, false));
                append_successor(&mut after);
                assert!(with_more < after);
                assert!(after < key(ValueRef::from(high), descending));
            }
        }
    }
}
