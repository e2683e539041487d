//! Property tests: byte order is value order, both directions, and decoding gives values back.

use super::{Decoder, TypeBits, component_length, encode};
use crate::bson::testing::{Random, append_random, random_number};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Text, ValueRef, compare};

fn encoded(value: ValueRef<'_>, descending: bool) -> (Vec<u8>, TypeBits) {
    let (mut key, mut type_bits) = (Vec::new(), TypeBits::new());
    encode(value, descending, &mut key, &mut type_bits);
    (key, type_bits)
}

fn one(random: &mut Random) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    append_random(&mut builder, "v", random, 3);
    builder.finish()
}

fn check_pair(left: ValueRef<'_>, right: ValueRef<'_>) {
    let order = compare(left, right);
    let keys = |descending| (encoded(left, descending).0, encoded(right, descending).0);
    let (a, b) = keys(false);
    assert_eq!(a.cmp(&b), order, "{left:?} {right:?}\n{a:x?}\n{b:x?}");
    assert!(
        a == b || (!a.starts_with(&b) && !b.starts_with(&a)),
        "{left:?} {right:?}"
    );
    let (a, b) = keys(true);
    assert_eq!(b.cmp(&a), order, "{left:?} {right:?}");
}

fn check_decode(values: &[ValueRef<'_>], directions: u64) {
    let (mut key, mut type_bits) = (Vec::new(), TypeBits::new());
    let mut expected = DocumentBuilder::new();
    for (position, value) in values.iter().enumerate() {
        let start = key.len();
        let descending = directions >> position & 1 == 1;
        encode(*value, descending, &mut key, &mut type_bits);
        assert_eq!(
            component_length(&key[start..], descending),
            Ok(key.len() - start)
        );
        expected.append("v", *value);
    }
    let mut decoder = Decoder::new(&key, type_bits.as_bytes());
    let mut decoded = DocumentBuilder::new();
    for position in 0..values.len() {
        let descending = directions >> position & 1 == 1;
        let result = decoder.next_into(descending, "v", &mut decoded);
        assert_eq!(result, Ok(()), "{values:?}");
    }
    assert_eq!(decoder.position(), key.len());
    let (decoded, expected) = (decoded.finish(), expected.finish());
    assert!(
        same(decoded.as_document(), expected.as_document()),
        "{values:?}\n{:?}",
        decoded
            .as_document()
            .iter()
            .map(|element| element.value)
            .collect::<Vec<_>>()
    );
}

/// Equal bytes, except that a NaN keeps no payload.
fn same(left: Document<'_>, right: Document<'_>) -> bool {
    left.as_bytes() == right.as_bytes()
        || left.iter().zip(right.iter()).all(|(a, b)| {
            a.raw == b.raw || (a.value.bson_type() == b.value.bson_type() && holds_nan(b.value))
        })
}

fn holds_nan(value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::Document(document) => document.iter().any(|element| holds_nan(element.value)),
        ValueRef::JavaScriptWithScope { scope, .. } => {
            scope.iter().any(|element| holds_nan(element.value))
        }
        ValueRef::Array(array) => array.iter().any(holds_nan),
        other => other.as_number().is_some_and(|number| number.is_nan()),
    }
}

#[test]
fn byte_order_is_value_order_for_numbers() {
    let mut random = Random::new(1);
    for _ in 0..60_000 {
        check_pair(random_number(&mut random), random_number(&mut random));
    }
}

#[test]
fn byte_order_is_value_order_for_all_values() {
    let mut random = Random::new(2);
    for _ in 0..60_000 {
        let (left, right) = (one(&mut random), one(&mut random));
        check_pair(left.get("v"), right.get("v"));
    }
    let (missing, undefined) = (ValueRef::Missing, ValueRef::Undefined);
    check_pair(missing, undefined);
    check_pair(missing, ValueRef::Null);
}

#[test]
fn decoding_gives_values_back() {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        check_decode(
            &[random_number(&mut random), random_number(&mut random)],
            random.next_u64(),
        );
        let (a, b, c) = (one(&mut random), one(&mut random), one(&mut random));
        check_decode(&[a.get("v"), b.get("v"), c.get("v")], random.next_u64());
    }
}

#[test]
fn common_values_stay_short_and_need_no_type_bits() {
    for (value, length) in [
        (ValueRef::Int32(0), 1),
        (ValueRef::Int32(100), 2),
        (ValueRef::Int32(-100), 2),
        (ValueRef::Int32(30_000), 3),
        (ValueRef::Int64(1 << 40), 7),
        (ValueRef::Double(2.5), 3),
        (ValueRef::Double(19.99), 9),
        (ValueRef::String(Text(b"abc")), 5),
        (ValueRef::ObjectId([7; 12]), 13),
    ] {
        let (key, type_bits) = encoded(value, false);
        assert!(key.len() <= length, "{value:?} takes {}", key.len());
        assert!(type_bits.as_bytes().is_empty(), "{value:?}");
    }
}

#[test]
fn malformed_keys_are_errors() {
    let mut random = Random::new(4);
    for _ in 0..20_000 {
        let value = one(&mut random);
        let (mut key, type_bits) = encoded(value.get("v"), false);
        let at = random.below(key.len());
        key[at] = random.next_u64() as u8;
        key.truncate(random.below(key.len() + 1));
        let mut out = DocumentBuilder::new();
        // Any answer will do, but no panic.
        let decoded = Decoder::new(&key, type_bits.as_bytes()).next_into(false, "v", &mut out);
        let skipped = component_length(&key, false);
        assert!(decoded.is_err() || skipped.is_ok());
    }
}
