//! The 64-bit hash of a value: the key in a hashed index, and the answer of `$toHashedIndexKey`.
//!
//! Follows the manual's "Hashed Indexes" page. Invariant: the numbers are the server's own, so keys and shards worked
//! out there hold here. Numbers are cut to 64-bit integers first, so equal ones of all types hash alike (and 1.5 as
//! 1 does): a hash never decides a match by itself.

use crate::algorithms::md5::Md5;
use crate::bson::{BsonType, Document, DocumentBuilder, Element, ValueRef};

/// The seed that all hashed indexes use.
const SEED: [u8; 4] = [0; 4];

/// The hash of a value; an absent one hashes as null.
pub fn element_hash(value: ValueRef<'_>) -> i64 {
    let mut builder = DocumentBuilder::new();
    match value {
        ValueRef::Missing => builder.append("", ValueRef::Null),
        value => builder.append("", value),
    };
    let whole = builder.finish();
    let mut md5 = Md5::default();
    md5.update(&SEED);
    for element in whole.as_document().iter() {
        take_in(element, false, &mut md5);
    }
    md5.first_eight_bytes() as i64
}

/// The number by which the hash tells types apart: these are the server's, fixed for all time.
fn type_number(kind: BsonType) -> i32 {
    match kind {
        BsonType::MinKey => -1,
        BsonType::MaxKey => 127,
        other => i32::from(other.canonical_class()) - 5,
    }
}

fn take_in(element: Element<'_>, with_name: bool, md5: &mut Md5) {
    md5.update(&type_number(element.value.bson_type()).to_le_bytes());
    if with_name {
        md5.update(element.name.as_bytes());
        md5.update(&[0]);
    }
    match element.value {
        ValueRef::Document(document) => take_in_fields(document, md5),
        // An array's bytes are those of a document with positions for names.
        ValueRef::Array(array) => {
            take_in_fields(Document::from_valid_bytes(array.as_bytes()), md5);
        }
        ValueRef::JavaScriptWithScope { code, scope } => {
            md5.update(code.as_bytes());
            md5.update(&[0]);
            take_in_fields(scope, md5);
        }
        value => match value.as_number() {
            Some(number) => md5.update(&number.to_i64_saturating().to_le_bytes()),
            None => md5.update(
                element
                    .raw
                    .get(element.name.len() + 2..)
                    .unwrap_or_default(),
            ),
        },
    }
}

fn take_in_fields(document: Document<'_>, md5: &mut Md5) {
    for element in document.iter() {
        take_in(element, true, md5);
    }
    // The end of a document counts as an element of type 0.
    md5.update(&[0; 4]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::extended_json::parse_document;

    #[test]
    fn gives_the_numbers_the_server_gives() {
        for (value, expected) in [
            (r#"{"$numberInt": "42"}"#, -944302157085130861),
            (r#"{"$numberDouble": "42.123"}"#, -944302157085130861),
            (r#"{"$numberLong": "42"}"#, -944302157085130861),
            (r#"{"$numberDecimal": "42"}"#, -944302157085130861),
            (r#"{"$numberInt": "0"}"#, 4854801880128277513),
            (r#"{"$numberDouble": "NaN"}"#, 4854801880128277513),
            (r#"{"$numberDouble": "-0.456"}"#, 4854801880128277513),
            (r#"{"$numberDouble": "-1.789"}"#, 1140205862565771219),
            (r#"{"$numberDouble": "1e300"}"#, 921523596458303250),
            (r#"{"$numberDouble": "-1e300"}"#, 4532067210535695462),
            (r#"{"$minKey": 1}"#, 7961148599568647290),
            (r#"{"$maxKey": 1}"#, 5504842513779440750),
            (r#"{"$undefined": true}"#, 40158834000849533),
            (r#""abc""#, 8478485326885698097),
            (r#"{"$symbol": "abc"}"#, 8478485326885698097),
            (r#""""#, 2049396243249673340),
            (
                r#"{"a": "abc", "b": {"$numberLong": "123"}}"#,
                4771603801758380216,
            ),
            ("{}", 7980500913326740417),
            (r#"["bar", "baz", "qux"]"#, -2938911267422831539),
            ("[]", 8849948234993459283),
            (
                r#"{"$oid": "010203040506070809101112"}"#,
                -5588663249627035708,
            ),
            ("true", 6405873908747105701),
            ("false", 6289544573401934092),
            (r#"{"$date": {"$numberLong": "0"}}"#, -1178696894582842035),
            (
                r#"{"$regularExpression": {"pattern": ".*", "options": "i"}}"#,
                7095855029187981886,
            ),
            (
                r#"{"$code": "func f() { return 1; }"}"#,
                6861638109178014270,
            ),
            (
                r#"{"$code": "func f() { return 1; }", "$scope": {"c": true}}"#,
                501342939894575968,
            ),
        ] {
            let document = parse_document(&format!("{{\"v\": {value}}}")).expect("a value");
            assert_eq!(element_hash(document.get("v")), expected, "{value}");
        }
        let bytes = [0, 1, 2, 3, 4, 6];
        let binary = ValueRef::Binary {
            subtype: 0,
            bytes: &bytes,
        };
        assert_eq!(element_hash(binary), 7252465090394235301);
        assert_eq!(element_hash(ValueRef::Null), 2338878944348059895);
        assert_eq!(element_hash(ValueRef::Missing), 2338878944348059895);
    }
}
