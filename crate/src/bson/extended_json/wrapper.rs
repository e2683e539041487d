//! The objects that stand for values JSON has no type for.
//!
//! Follows the driver specification "Extended JSON" and the older version 1 forms. Invariant: an
//! object whose first key names a type is that type, wrong, or (`$regex` alone or with a value that
//! is no string, `$type` alone, `$scope` alone) an ordinary document such as a query.

use crate::algorithms::{base64, hexadecimal, sorting};
use crate::bson::decimal128::Decimal;
use crate::bson::{Document, Value, ValueRef, date, float};

/// The subtype of binary values whose bytes begin with their length.
const OLD_BINARY: u8 = 2;

/// Keys that begin a wrapper, sorted.
const TYPE_KEYS: &[&str] = &[
    "$binary",
    "$code",
    "$date",
    "$dbPointer",
    "$maxKey",
    "$minKey",
    "$numberDecimal",
    "$numberDouble",
    "$numberInt",
    "$numberLong",
    "$oid",
    "$options",
    "$regex",
    "$regularExpression",
    "$scope",
    "$symbol",
    "$timestamp",
    "$type",
    "$undefined",
    "$uuid",
];

/// Whether an object with this first key may stand for a value.
pub fn is_type_key(key: &str) -> bool {
    key.starts_with('$') && TYPE_KEYS.binary_search(&key).is_ok()
}

/// The value an object stands for; `None` when it is an ordinary document.
pub(super) fn convert(fields: Document<'_>) -> Result<Option<Value<'static>>, &'static str> {
    let mut elements = fields.iter();
    let Some(first) = elements.next() else {
        return Ok(None);
    };
    let second = elements.next();
    let more = elements.next().is_some();
    let pair = |a: &str, b: &str| {
        let names = (first.name, second.as_ref().map(|element| element.name));
        !more && (names == (a, Some(b)) || names == (b, Some(a)))
    };
    let value = if pair("$regex", "$options") {
        return Ok(regex(fields));
    } else if pair("$code", "$scope") {
        code_with_scope(fields)
    } else if pair("$binary", "$type") {
        old_binary(fields)
    } else if matches!(first.name, "$regex" | "$options" | "$type" | "$scope") {
        return Ok(None);
    } else if second.is_some() {
        None
    } else {
        single(first.name, first.value)
    };
    match value {
        Some(value) => Ok(Some(value)),
        None => Err("a type wrapper is malformed"),
    }
}

fn regex(fields: Document<'_>) -> Option<Value<'static>> {
    let pattern = fields.get("$regex").as_str()?;
    let options = fields.get("$options").as_str()?;
    regex_value(pattern, options)
}

/// A regex keeps its options sorted; neither part may hold a NUL.
fn regex_value(pattern: &str, options: &str) -> Option<Value<'static>> {
    if pattern.contains('\0') || options.contains('\0') {
        return None;
    }
    let mut sorted: Vec<char> = options.chars().collect();
    sorting::sort(&mut sorted);
    let options: String = sorted.into_iter().collect();
    let (pattern, options) = (pattern.into(), options.as_str().into());
    Some(ValueRef::Regex { pattern, options }.to_value())
}

fn code_with_scope(fields: Document<'_>) -> Option<Value<'static>> {
    let code = fields.get("$code").as_text()?;
    let scope = fields.get("$scope").as_document()?;
    Some(ValueRef::JavaScriptWithScope { code, scope }.to_value())
}

fn subtype(text: &str) -> Option<u8> {
    match text.len() {
        1 | 2 => u8::from_str_radix(text, 16).ok(),
        _ => None,
    }
}

/// A binary value from its text. The old subtype has its length once more before its bytes, which the text leaves out.
fn binary(data: &str, subtype: u8) -> Option<Value<'static>> {
    let mut bytes = base64::parse(data)?;
    if subtype == OLD_BINARY {
        let length = u32::try_from(bytes.len()).ok()?;
        drop(bytes.splice(..0, length.to_le_bytes()));
    }
    let bytes = bytes.as_slice();
    Some(ValueRef::Binary { subtype, bytes }.to_value())
}

/// The bytes of a binary value that its text shows.
pub(super) fn shown_bytes(subtype: u8, bytes: &[u8]) -> &[u8] {
    match bytes.split_first_chunk::<4>() {
        Some((length, rest))
            if subtype == OLD_BINARY && u32::from_le_bytes(*length) as usize == rest.len() =>
        {
            rest
        }
        _ => bytes,
    }
}

fn old_binary(fields: Document<'_>) -> Option<Value<'static>> {
    let kind = match fields.get("$type") {
        ValueRef::String(text) => subtype(text.to_str()?)?,
        other => u8::try_from(other.as_exact_i64()?).ok()?,
    };
    binary(fields.get("$binary").as_str()?, kind)
}

fn uuid(text: &str) -> Option<Value<'static>> {
    let bytes = hexadecimal::parse_uuid(text)?;
    let bytes = bytes.as_slice();
    Some(ValueRef::Binary { subtype: 4, bytes }.to_value())
}

fn integer(text: &str) -> Option<i64> {
    let numeral = float::parse_numeral(text)?;
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'-'));
    let magnitude = i128::try_from(numeral.coefficient).ok()?;
    let number = i64::try_from(if numeral.negative {
        -magnitude
    } else {
        magnitude
    })
    .ok()?;
    (plain && numeral.exponent == 0).then_some(number)
}

/// The value that an object of this one field stands for; the values in the field were converted before. `None` for an
/// object that stands for none.
pub fn single(name: &str, value: ValueRef<'_>) -> Option<Value<'static>> {
    let document = value.as_document();
    let part = |key: &str| document.map_or(ValueRef::Missing, |parts| parts.get(key));
    let parts_are = |count: usize| document.is_some_and(|parts| parts.len() == count);
    let one = |value: ValueRef<'_>| (value.as_exact_i64() == Some(1)).then_some(());
    Some(match (name, value) {
        ("$oid", ValueRef::String(text)) => {
            ValueRef::ObjectId(hexadecimal::parse_exact(text.to_str()?)?).into()
        }
        ("$numberInt", ValueRef::String(text)) => {
            ValueRef::Int32(i32::try_from(integer(text.to_str()?)?).ok()?).into()
        }
        ("$numberLong", ValueRef::String(text)) => ValueRef::Int64(integer(text.to_str()?)?).into(),
        ("$numberDouble", ValueRef::String(text)) => {
            ValueRef::Double(float::parse_double(text.to_str()?)?).into()
        }
        ("$numberDecimal", ValueRef::String(text)) => {
            ValueRef::Decimal128(Decimal::parse(text.to_str()?)?.to_bits()).into()
        }
        ("$date", ValueRef::String(text)) => {
            ValueRef::DateTime(date::parse_iso(text.to_str()?)?).into()
        }
        ("$date", ValueRef::Int64(millis)) => ValueRef::DateTime(millis).into(),
        ("$date", ValueRef::Int32(millis)) => ValueRef::DateTime(i64::from(millis)).into(),
        ("$uuid", ValueRef::String(text)) => uuid(text.to_str()?)?,
        ("$symbol", ValueRef::String(text)) => ValueRef::Symbol(text).to_value(),
        ("$code", ValueRef::String(text)) => ValueRef::JavaScript(text).to_value(),
        ("$undefined", ValueRef::Boolean(true)) => ValueRef::Undefined.into(),
        ("$minKey", one_value) => {
            one(one_value)?;
            ValueRef::MinKey.into()
        }
        ("$maxKey", one_value) => {
            one(one_value)?;
            ValueRef::MaxKey.into()
        }
        ("$binary", _) if parts_are(2) => binary(
            part("base64").as_str()?,
            subtype(part("subType").as_str()?)?,
        )?,
        ("$regularExpression", _) if parts_are(2) => {
            regex_value(part("pattern").as_str()?, part("options").as_str()?)?
        }
        ("$timestamp", _) if parts_are(2) => ValueRef::Timestamp {
            time: u32::try_from(part("t").as_exact_i64()?).ok()?,
            increment: u32::try_from(part("i").as_exact_i64()?).ok()?,
        }
        .into(),
        ("$dbPointer", _) if parts_are(2) => match part("$id") {
            ValueRef::ObjectId(id) => {
                let namespace = part("$ref").as_text()?;
                ValueRef::DbPointer { namespace, id }.to_value()
            }
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Format, parse_document, parse_value, to_string, write_document};
    use super::*;
    use crate::bson::testing::{Random, random_document};

    fn canonical(text: &str) -> String {
        let document = parse_document(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut out = String::new();
        write_document(&mut out, document.as_document(), Format::Canonical);
        out
    }

    #[test]
    fn type_keys_are_sorted() {
        assert!(TYPE_KEYS.is_sorted());
    }

    #[test]
    fn canonical_text_is_its_own_canonical_text() {
        for text in [
            r#"{"a":{"$numberInt":"-5"},"b":{"$numberLong":"5"},"c":{"$numberDouble":"-0.0"}}"#,
            r#"{"a":{"$numberDouble":"NaN"},"b":{"$numberDouble":"1e+21"}}"#,
            r#"{"a":{"$numberDecimal":"1.05E+3"},"b":[{"$minKey":1},{"$maxKey":1},null,true]}"#,
            r#"{"a":{"$binary":{"base64":"//8=","subType":"80"}}}"#,
            r#"{"a":{"$binary":{"base64":"//8=","subType":"02"}},"b":{"$binary":{"base64":"","subType":"02"}}}"#,
            r#"{"a":{"$date":{"$numberLong":"-284643869501"}}}"#,
            r#"{"a":{"$regularExpression":{"pattern":"a\"b","options":"im"}}}"#,
            r#"{"a":{"$timestamp":{"t":4294967295,"i":1}},"b":{"$undefined":true}}"#,
            r#"{"a":{"$code":"f","$scope":{"x":{"$numberInt":"1"}}},"b":{"$code":"g"}}"#,
            r#"{"a":{"$dbPointer":{"$ref":"b","$id":{"$oid":"56e1fc72e0c917e9c4714161"}}}}"#,
            r#"{"a":{"$ref":"b","$id":{"$oid":"56e1fc72e0c917e9c4714161"}},"b":{"$symbol":"s"}}"#,
            r#"{"a":{"$regex":{"$regularExpression":{"pattern":"x","options":""}},"$options":"i"}}"#,
            r#"{"a":{"$regex":"x"},"b":{"$type":"string"},"c":"\u0001\\é"}"#,
        ] {
            assert_eq!(canonical(text), text);
        }
    }

    #[test]
    fn the_old_binary_subtype_has_its_length_twice() {
        // The example of the specification's tests.
        let text = r#"{"x":{"$binary":{"base64":"//8=","subType":"02"}}}"#;
        let bytes = b"\x13\0\0\0\x05x\0\x06\0\0\0\x02\x02\0\0\0\xff\xff\0";
        let parsed = parse_document(text).expect("it is Extended JSON");
        assert_eq!(parsed.as_bytes(), bytes);
        // A value stored with another length, or without one, is shown as it is.
        let bytes = &[5, 0, 0, 0, 9][..];
        let value = ValueRef::Binary { subtype: 2, bytes };
        assert_eq!(
            to_string(value, Format::Canonical),
            r#"{"$binary":{"base64":"BQAAAAk=","subType":"02"}}"#
        );
    }

    #[test]
    fn other_forms_become_canonical() {
        for (text, expected) in [
            (
                r#"{"a": 1, "b": 3000000000, "c": 1.0, "d": -0}"#,
                r#"{"a":{"$numberInt":"1"},"b":{"$numberLong":"3000000000"},"c":{"$numberDouble":"1.0"},"d":{"$numberDouble":"-0.0"}}"#,
            ),
            (
                r#"{"a":{"$date":"2012-12-24T12:15:30.501Z"}}"#,
                r#"{"a":{"$date":{"$numberLong":"1356351330501"}}}"#,
            ),
            (
                r#"{"a":{"$date":1356351330501}}"#,
                r#"{"a":{"$date":{"$numberLong":"1356351330501"}}}"#,
            ),
            (
                r#"{"a":{"$binary":"//8=","$type":"0"}}"#,
                r#"{"a":{"$binary":{"base64":"//8=","subType":"00"}}}"#,
            ),
            (
                r#"{"a":{"$uuid":"73ffd264-44b3-4c69-90e8-e7d1dfc035d4"}}"#,
                r#"{"a":{"$binary":{"base64":"c//SZESzTGmQ6OfR38A11A==","subType":"04"}}}"#,
            ),
            (
                r#"{"a":{"$regex":"x","$options":"mi"}}"#,
                r#"{"a":{"$regularExpression":{"pattern":"x","options":"im"}}}"#,
            ),
            (r#"{"a":"\ud83d\ude00\u00e9"}"#, r#"{"a":"😀é"}"#),
            (
                r#"{"a":9223372036854775808}"#,
                r#"{"a":{"$numberDouble":"9223372036854776000.0"}}"#,
            ),
        ] {
            assert_eq!(canonical(text), expected);
        }
    }

    #[test]
    fn relaxed_text_is_plain_where_it_can_be() {
        let text = r#"{"a":1,"b":3000000000,"c":1.0,"d":{"$numberDouble":"Infinity"},"e":{"$date":"1970-01-01T00:00:01Z"},"f":{"$date":{"$numberLong":"-1"}}}"#;
        let document = parse_document(text).expect("the text is valid");
        assert_eq!(to_string((&document).into(), Format::Relaxed), text);
    }

    #[test]
    fn malformed_text_is_refused_with_its_place() {
        for (text, offset) in [
            ("", 0),
            ("[1]", 0),
            ("{\"a\":1,}", 7),
            ("{\"a\":01}", 5),
            ("{\"a\":1.}", 5),
            ("{\"a\":.5}", 5),
            ("{\"a\":+1}", 5),
            ("{\"a\":nul}", 5),
            ("{\"a\":1} x", 8),
            ("{\"a\":\"x", 7),
            ("{\"a\\u0000\":1}", 10),
            ("{a:1}", 1),
            ("{\"a\":{\"$oid\":\"12\"}}", 5),
            ("{\"a\":{\"$numberInt\":\"3000000000\"}}", 5),
            ("{\"a\":{\"$numberInt\":5}}", 5),
            ("{\"a\":{\"$oid\":\"56e1fc72e0c917e9c4714161\",\"x\":1}}", 5),
            ("{\"$oid\":\"56e1fc72e0c917e9c4714161\"}", 0),
        ] {
            assert_eq!(
                parse_document(text).map_err(|error| error.offset),
                Err(offset),
                "{text}"
            );
        }
        let deep = format!("{}1{}", "[".repeat(400), "]".repeat(400));
        assert!(parse_value(&deep).is_err());
        assert!(matches!(
            parse_value(" 5 ").map(|value| value.as_ref().as_exact_i64()),
            Ok(Some(5))
        ));
    }

    #[test]
    fn canonical_text_of_any_document_gives_its_bytes_back() {
        let mut random = Random::of_utf8(11);
        for _ in 0..5_000 {
            let document = random_document(&mut random, 3);
            let mut text = String::new();
            write_document(&mut text, document.as_document(), Format::Canonical);
            let back = parse_document(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let mut again = String::new();
            write_document(&mut again, back.as_document(), Format::Canonical);
            assert_eq!(again, text);
            assert!(crate::bson::validate(back.as_bytes()).is_ok());
            assert!(text.contains("NaN") || back == document, "{text}");
        }
    }
}
