//! The engine's BSON against that of the `bson` crate, which others wrote: the same documents, the same bytes, the same
//! Extended JSON, the same decimals, and the same bytes refused.
//!
//! Values that the crate's own types cannot hold are left out, and each place says so.

use super::extended_json::{Format, parse_document, write_document};
use super::testing::{Random, random_document};
use super::{Decimal, Decimal128, Document, DocumentBuf, DocumentBuilder, ValueRef, validate};
use bson::raw::{CString, RawDocument};
use bson::spec::BinarySubtype;
use bson::{Bson, doc};
use serde_json::Value as Json;

const SEED: u64 = 0x0b50_0a11;
const ROUNDS: usize = 3000;

/// The first moment of the year 10000: the crate writes it, and every later one, as the last of 9999.
const FAR: i64 = 253_402_300_800_000;

/// Whether a value is as it should be, and every value inside it.
fn is_all(value: ValueRef<'_>, is_good: &dyn Fn(ValueRef<'_>) -> bool) -> bool {
    is_good(value)
        && match value {
            ValueRef::Document(inner) | ValueRef::JavaScriptWithScope { scope: inner, .. } => {
                inner.iter().all(|field| is_all(field.value, is_good))
            }
            ValueRef::Array(items) => items.iter().all(|item| is_all(item, is_good)),
            _ => true,
        }
}

/// Whether the crate holds a value wholly: a name that occurs twice it takes once.
fn is_plain(value: ValueRef<'_>) -> bool {
    is_all(value, &|value| match value {
        ValueRef::Document(inner) | ValueRef::JavaScriptWithScope { scope: inner, .. } => {
            let names: Vec<&str> = inner.iter().map(|field| field.name).collect();
            (1..names.len()).all(|at| !names[..at].contains(&names[at]))
        }
        _ => true,
    })
}

/// Documents of the engine's own making that the crate can hold.
fn our_documents() -> impl Iterator<Item = DocumentBuf> {
    let mut random = Random::of_utf8(SEED);
    let documents = (0..ROUNDS).map(move |_| random_document(&mut random, 3));
    documents.filter(|document| is_plain(document.as_document().into()))
}

/// A document with a value of every type, as the crate makes them.
fn of_every_type() -> bson::Document {
    let binary = |subtype, bytes: &[u8]| bson::Binary {
        subtype,
        bytes: bytes.to_vec(),
    };
    doc! {
        "double": 1.5, "negative zero": -0.0, "string": "é \u{1F600} \"\\\n\u{1}", "document": { "a": { "b": [] } },
        "array": [1, "two", [3.0], null], "int": i32::MIN, "long": i64::MAX, "yes": true, "no": false, "null": null,
        "binary": binary(BinarySubtype::Generic, &[0, 1, 255]),
        "old binary": binary(BinarySubtype::BinaryOld, &[1, 2, 3]),
        "no old binary": binary(BinarySubtype::BinaryOld, &[]),
        "uuid": binary(BinarySubtype::Uuid, &[9; 16]),
        "of a user": binary(BinarySubtype::UserDefined(0x80), &[7]),
        "id": bson::oid::ObjectId::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        "date": bson::DateTime::from_millis(1_356_351_330_501), "early": bson::DateTime::from_millis(-1),
        "far": bson::DateTime::from_millis(FAR),
        "decimal": "1.050E+3".parse::<bson::Decimal128>().expect("a decimal"),
        "timestamp": bson::Timestamp { time: u32::MAX, increment: 1 },
        "regex": regex("a\"b", "im"),
        "code": Bson::JavaScriptCode("function () { return 1 }".to_owned()),
        "scoped": bson::JavaScriptCodeWithScope { code: "x".to_owned(), scope: doc! { "x": 1 } },
        "symbol": Bson::Symbol("s".to_owned()), "undefined": Bson::Undefined, "least": Bson::MinKey, "most": Bson::MaxKey,
    }
}

fn regex(pattern: &str, options: &str) -> Bson {
    let text = |text: &str| CString::try_from(text).expect("it has no NUL");
    Bson::RegularExpression(bson::Regex {
        pattern: text(pattern),
        options: text(options),
    })
}

/// A value of the crate's making; the types come one as often as another.
fn random_theirs(random: &mut Random, depth: usize) -> Bson {
    let number = random.next_u64() >> random.below(64);
    let text: String = (0..random.below(6))
        .map(|_| {
            *random.pick(&[
                'a',
                'Z',
                '"',
                '\\',
                '\0',
                '\u{7f}',
                'ß',
                '\u{ffff}',
                '\u{10ffff}',
            ])
        })
        .collect();
    let plain = text.replace('\0', "");
    let options = *random.pick(&["", "i", "imsx"]);
    match random.below(if depth == 0 { 17 } else { 20 }) {
        0 => Bson::Double(f64::from_bits(number.rotate_right(12))),
        1 => Bson::String(text),
        2 => Bson::Boolean(number.is_multiple_of(2)),
        3 => Bson::Null,
        4 => regex(&plain, options),
        5 => Bson::JavaScriptCode(text),
        6 => Bson::Int32(number as i32),
        7 => Bson::Int64(number as i64),
        8 => Bson::Timestamp(bson::Timestamp {
            time: number as u32,
            increment: random.next_u64() as u32,
        }),
        9 => Bson::Binary(bson::Binary {
            subtype: (*random.pick(&[0_u8, 1, 2, 5, 6, 128, 255])).into(),
            bytes: text.into_bytes(),
        }),
        10 => Bson::ObjectId(bson::oid::ObjectId::new()),
        11 => Bson::DateTime(bson::DateTime::from_millis(number as i64)),
        12 => Bson::Symbol(text),
        13 => Bson::Decimal128(random_decimal(random)),
        14 => Bson::Undefined,
        15 => Bson::MinKey,
        16 => Bson::MaxKey,
        17 => Bson::JavaScriptCodeWithScope(bson::JavaScriptCodeWithScope {
            code: text,
            scope: random_document_of_theirs(random, depth - 1),
        }),
        18 => (0..random.below(12))
            .map(|_| random_theirs(random, depth - 1))
            .collect::<Vec<Bson>>()
            .into(),
        _ => Bson::Document(random_document_of_theirs(random, depth - 1)),
    }
}

fn random_document_of_theirs(random: &mut Random, depth: usize) -> bson::Document {
    (0..random.below(6))
        .map(|at| {
            let name = format!("{}{at}", random.pick(&["", "a", "é", "$", "a.b"]));
            (name, random_theirs(random, depth))
        })
        .collect()
}

/// A decimal of any digits and any exponent that they fit.
fn random_decimal(random: &mut Random) -> bson::Decimal128 {
    let digits = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
    let digits = (digits >> random.below(128)) % 10_u128.pow(34);
    let exponent = match random.below(2) {
        0 => random.below(80) as i32 - 40,
        _ => random.below(6111 + 6176) as i32 - 6176,
    };
    let sign = *random.pick(&["", "-"]);
    let text = format!("{sign}{digits}E{exponent}");
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether a value that was read equals the one that the crate wrote.
fn is_same(ours: ValueRef<'_>, theirs: &Bson) -> bool {
    match (ours, theirs) {
        (ValueRef::Double(ours), Bson::Double(theirs)) => ours.to_bits() == theirs.to_bits(),
        (ValueRef::String(ours), Bson::String(theirs))
        | (ValueRef::Symbol(ours), Bson::Symbol(theirs))
        | (ValueRef::JavaScript(ours), Bson::JavaScriptCode(theirs)) => ours == **theirs,
        (ValueRef::Boolean(ours), Bson::Boolean(theirs)) => ours == *theirs,
        (ValueRef::Int32(ours), Bson::Int32(theirs)) => ours == *theirs,
        (ValueRef::Int64(ours), Bson::Int64(theirs)) => ours == *theirs,
        (ValueRef::Decimal128(ours), Bson::Decimal128(theirs)) => ours.bytes() == theirs.bytes(),
        (ValueRef::ObjectId(ours), Bson::ObjectId(theirs)) => ours == theirs.bytes(),
        (ValueRef::DateTime(ours), Bson::DateTime(theirs)) => ours == theirs.timestamp_millis(),
        (ValueRef::Timestamp { time, increment }, Bson::Timestamp(theirs)) => {
            (time, increment) == (theirs.time, theirs.increment)
        }
        (ValueRef::Regex { pattern, options }, Bson::RegularExpression(theirs)) => {
            pattern == *theirs.pattern.as_str() && options == *theirs.options.as_str()
        }
        (ValueRef::Binary { subtype, bytes }, Bson::Binary(theirs)) => {
            // The old subtype repeats the length inside, which the crate takes off.
            let inner = bytes.get(if subtype == 2 { 4 } else { 0 }..);
            subtype == u8::from(theirs.subtype) && inner == Some(theirs.bytes.as_slice())
        }
        (ValueRef::JavaScriptWithScope { code, scope }, Bson::JavaScriptCodeWithScope(theirs)) => {
            code == *theirs.code && is_same_document(scope, &theirs.scope)
        }
        (ValueRef::Array(ours), Bson::Array(theirs)) => {
            ours.iter().count() == theirs.len()
                && ours
                    .iter()
                    .zip(theirs)
                    .all(|(ours, theirs)| is_same(ours, theirs))
        }
        (ValueRef::Document(ours), Bson::Document(theirs)) => is_same_document(ours, theirs),
        (ValueRef::Null, Bson::Null)
        | (ValueRef::Undefined, Bson::Undefined)
        | (ValueRef::MinKey, Bson::MinKey)
        | (ValueRef::MaxKey, Bson::MaxKey) => true,
        _ => false,
    }
}

/// Whether both have the same names with the same values in the same order.
fn is_same_document(ours: Document<'_>, theirs: &bson::Document) -> bool {
    ours.len() == theirs.len()
        && ours
            .iter()
            .zip(theirs)
            .all(|(field, (name, value))| field.name == name && is_same(field.value, value))
}

/// A document put together anew from its values, those inside too.
fn rebuilt(document: Document<'_>, builder: &mut DocumentBuilder) {
    for field in document.iter() {
        match field.value {
            ValueRef::Document(inner) => {
                builder.begin_document(field.name);
                rebuilt(inner, builder);
                builder.end();
            }
            value => {
                builder.append(field.name, value);
            }
        }
    }
}

#[test]
fn what_the_crate_makes_is_read_as_it_was_meant_and_made_alike() {
    let mut random = Random::of_utf8(SEED);
    let documents = (0..ROUNDS).map(|_| random_document_of_theirs(&mut random, 3));
    for theirs in documents.chain([of_every_type()]) {
        let bytes = theirs.to_vec().expect("it has bytes");
        assert_eq!(
            validate(&bytes).map(drop).map_err(|error| error.reason),
            Ok(())
        );
        let ours = Document::from_valid_bytes(&bytes);
        assert!(is_same_document(ours, &theirs), "{theirs:?}\n{ours:?}");
        let mut builder = DocumentBuilder::new();
        rebuilt(ours, &mut builder);
        assert_eq!(builder.finish().as_bytes(), bytes, "{theirs:?}");
    }
}

#[test]
fn what_we_make_is_read_by_the_crate_and_made_alike() {
    let mut compared = 0;
    for ours in our_documents() {
        let theirs = bson::Document::from_reader(ours.as_bytes());
        let theirs = theirs.unwrap_or_else(|error| panic!("{error}: {ours:?}"));
        assert_eq!(
            theirs.to_vec().ok().as_deref(),
            Some(ours.as_bytes()),
            "{theirs}"
        );
        compared += 1;
    }
    assert!(compared > ROUNDS / 2, "{compared} documents were compared");
}

/// JSON in which numbers and dates are their values: with how many digits they are written is not laid down. (The crate
/// leaves out zeros at the end of a second's fraction.)
fn with_digits_read(json: Json) -> Json {
    match json {
        Json::Object(map) if map.len() == 1 && map.contains_key("$numberDouble") => {
            let text = map["$numberDouble"].as_str().expect("a text");
            let number: f64 = text.parse().expect("a number");
            Json::String(format!("double {:?}", Some(number)))
        }
        Json::Object(map) if map.len() == 1 && map.get("$date").is_some_and(Json::is_string) => {
            let text = map["$date"].as_str().expect("a text");
            let date = bson::DateTime::parse_rfc3339_str(text).expect("a date");
            Json::String(format!("date {}", date.timestamp_millis()))
        }
        Json::Number(number) => Json::String(format!("double {:?}", number.as_f64())),
        Json::Object(map) => map
            .into_iter()
            .map(|(name, value)| (name, with_digits_read(value)))
            .collect(),
        Json::Array(items) => items.into_iter().map(with_digits_read).collect(),
        json => json,
    }
}

fn written(document: Document<'_>, format: Format) -> Json {
    let mut text = String::new();
    write_document(&mut text, document, format);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn extended_json_is_written_and_read_alike() {
    let mut random = Random::of_utf8(SEED);
    let mut compared = 0;
    let theirs = (0..ROUNDS).map(|_| random_document_of_theirs(&mut random, 2));
    let theirs = theirs.chain([of_every_type()]);
    let theirs = theirs.map(|document| document.to_vec().expect("it has bytes"));
    for bytes in theirs.chain(our_documents().map(DocumentBuf::into_bytes)) {
        let ours = Document::from_valid_bytes(&bytes);
        // Extended JSON has a word for one NaN of many.
        let is_told = |value: ValueRef<'_>| match value {
            ValueRef::Double(number) => !number.is_nan() || number.to_bits() == f64::NAN.to_bits(),
            _ => true,
        };
        if !is_all(ours.into(), &is_told) {
            continue;
        }
        compared += 1;
        let theirs = bson::Document::from_reader(bytes.as_slice()).expect("it is BSON");
        let canonical = Bson::Document(theirs.clone()).into_canonical_extjson();
        let relaxed = Bson::Document(theirs.clone()).into_relaxed_extjson();
        assert_eq!(
            with_digits_read(written(ours, Format::Canonical)),
            with_digits_read(canonical.clone())
        );
        let is_near = |value: ValueRef<'_>| !matches!(value, ValueRef::DateTime(FAR..));
        if is_all(ours.into(), &is_near) {
            assert_eq!(
                with_digits_read(written(ours, Format::Relaxed)),
                with_digits_read(relaxed)
            );
        }
        let read = parse_document(&canonical.to_string()).expect("it is Extended JSON");
        assert_eq!(read.as_bytes(), bytes, "{canonical}");
        let read = Bson::try_from(written(ours, Format::Canonical)).expect("it is Extended JSON");
        let read = read.as_document().and_then(|read| read.to_vec().ok());
        assert_eq!(read.as_ref(), Some(&bytes), "{canonical}");
    }
    assert!(compared > ROUNDS, "{compared} documents were compared");
}

#[test]
fn decimals_have_the_same_texts() {
    let mut random = Random::of_utf8(SEED);
    for round in 0..ROUNDS {
        let theirs = match round % 2 {
            0 => random_decimal(&mut random),
            // Any bits at all, of which many are not canonical.
            _ => {
                let mut bytes = [0; 16];
                for half in bytes.chunks_mut(8) {
                    half.copy_from_slice(&random.next_u64().to_le_bytes());
                }
                bson::Decimal128::from_bytes(bytes)
            }
        };
        let ours = Decimal::from_bits(Decimal128::from_bytes(theirs.bytes()));
        assert_eq!(ours.to_string(), theirs.to_string());
        let read = Decimal::parse(&theirs.to_string()).expect("a decimal");
        let again: bson::Decimal128 = ours.to_string().parse().expect("a decimal");
        assert_eq!(read.to_bits().bytes(), again.bytes(), "{theirs}");
    }
}

#[test]
fn damaged_bytes_are_refused_alike() {
    let mut random = Random::of_utf8(SEED);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..ROUNDS * 4 {
        let document = match round % 2 {
            0 => of_every_type(),
            _ => random_document_of_theirs(&mut random, 2),
        };
        let mut bytes = document.to_vec().expect("it has bytes");
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, 0),
            _ => bytes[at] = random.next_u64() as u8,
        }
        let theirs = RawDocument::from_bytes(&bytes);
        let theirs = theirs.and_then(bson::Document::try_from);
        match (validate(&bytes), theirs) {
            (Ok(_), Ok(_)) => taken += 1,
            (Err(_), Err(_)) => refused += 1,
            // As the server does, the engine looks neither at the second length of an old binary, nor at the bytes of
            // strings.
            (Ok(_), Err(error)) => {
                let text = error.to_string();
                assert!(
                    text.contains("old binary") || text.contains("UTF-8"),
                    "{text}"
                );
            }
            (Err(error), Ok(theirs)) => panic!("{error:?}: {theirs}"),
        }
    }
    let enough = ROUNDS / 2;
    assert!(taken > enough && refused > enough, "{taken} {refused}");
}
