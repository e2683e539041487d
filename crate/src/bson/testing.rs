//! Seeded randomness and random values for the property tests of every module.

use super::builder::{ArrayBuilder, DocumentBuf, DocumentBuilder};
use super::decimal128::Decimal128;
use super::stored_text::Text;
use super::value::ValueRef;

/// A small generator (SplitMix64): the same seed gives the same sequence everywhere.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
    /// Whether strings are UTF-8, for what other libraries read.
    only_utf8: bool,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed,
            only_utf8: false,
        }
    }

    /// A generator of strings that are UTF-8.
    pub fn of_utf8(seed: u64) -> Self {
        Self {
            state: seed,
            only_utf8: true,
        }
    }

    fn text(&mut self, texts: &[&'static [u8]]) -> Text<'static> {
        let picked: &&[u8] = self.pick(texts);
        let text = Text(picked);
        match self.only_utf8 && text.to_str().is_none() {
            true => Text(b""),
            false => text,
        }
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound` (which is not 0).
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

const TEXTS: &[&[u8]] = &[
    b"",
    b"a",
    b"b",
    b"ab",
    b"a\0",
    b"a\0b",
    b"\0",
    "é".as_bytes(),
    b"zebra",
    b"a\x01",
    // No UTF-8.
    b"\xff",
    b"a\xc3",
    b"\x80\0",
];

/// Adds a field with a random value of any type; `depth` limits nesting.
pub fn append_random(builder: &mut DocumentBuilder, name: &str, random: &mut Random, depth: usize) {
    let text = random.text(TEXTS);
    let plain = random.text(&[b"", b"a", b"ab", b"^x", b"\xff"]);
    match random.below(if depth == 0 { 30 } else { 36 }) {
        0 => builder.append(name, ValueRef::MinKey),
        1 => builder.append(name, ValueRef::MaxKey),
        2 => builder.append(name, ValueRef::Undefined),
        3 => builder.append(name, ValueRef::Null),
        4 => builder.append(name, random.below(2) == 0),
        5..=16 => builder.append(name, random_number(random)),
        17..=20 => builder.append(name, text),
        21 => builder.append(name, ValueRef::Symbol(text)),
        22 => {
            let subtype = *random.pick(&[0, 1, 5]);
            builder.append(
                name,
                ValueRef::Binary {
                    subtype,
                    bytes: text.as_bytes(),
                },
            )
        }
        23 => {
            let mut id = [0; 12];
            id[11] = random.below(3) as u8;
            builder.append(name, ValueRef::ObjectId(id))
        }
        24 => builder.append(
            name,
            ValueRef::DateTime(random.next_u64() as i64 >> random.below(64)),
        ),
        25 => builder.append(
            name,
            ValueRef::Timestamp {
                time: random.below(3) as u32,
                increment: random.below(3) as u32,
            },
        ),
        26 => builder.append(
            name,
            ValueRef::Regex {
                pattern: plain,
                options: Text(b"i"),
            },
        ),
        27 => builder.append(
            name,
            ValueRef::DbPointer {
                namespace: text,
                id: [1; 12],
            },
        ),
        28 => builder.append(name, ValueRef::JavaScript(text)),
        29 => {
            let scope = random_document(random, 0);
            builder.append(
                name,
                ValueRef::JavaScriptWithScope {
                    code: text,
                    scope: scope.as_document(),
                },
            )
        }
        30..=32 => {
            let nested = random_document(random, depth - 1);
            builder.append(name, &nested)
        }
        _ => {
            let nested = random_document(random, depth - 1);
            let mut items = ArrayBuilder::new();
            for element in nested.as_document().iter() {
                items.push(element.value);
            }
            builder.append(name, &items.finish())
        }
    };
}

/// A document of up to three random fields.
pub fn random_document(random: &mut Random, depth: usize) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    for _ in 0..random.below(4) {
        let name = *random.pick(&["a", "b", "ab"]);
        append_random(&mut builder, name, random, depth);
    }
    builder.finish()
}

/// A random number of any type, with many collisions and awkward neighbours.
pub fn random_number(random: &mut Random) -> ValueRef<'static> {
    let small = random.below(9) as i64 - 4;
    let edge = *random.pick(&[
        0,
        1,
        63,
        64,
        127,
        128,
        255,
        256,
        32_767,
        32_768,
        i64::from(i32::MAX),
        1 << 53,
        (1 << 53) + 1,
        i64::MAX - 1,
        i64::MAX,
    ]);
    match random.below(10) {
        0 => ValueRef::Int32(small as i32),
        1 => ValueRef::Int64(small),
        2 => ValueRef::Int64(if random.below(2) == 0 {
            edge
        } else {
            -1 - edge
        }),
        3 => ValueRef::Double(small as f64 / 4.0),
        4 => ValueRef::Double(edge as f64 + small as f64),
        5 => ValueRef::Double(*random.pick(&[
            f64::NAN,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            0.1,
            1e300,
        ])),
        6 => ValueRef::Double(f64::from_bits(random.next_u64())),
        7 => ValueRef::Int32(random.next_u64() as i32 >> random.below(31)),
        _ => ValueRef::Decimal128(random_decimal(random)),
    }
}

fn random_decimal(random: &mut Random) -> Decimal128 {
    let texts = [
        "0",
        "-0",
        "0E+10",
        "0.000",
        "NaN",
        "Infinity",
        "-Infinity",
        "1",
        "1.0",
        "1.00E+3",
        "-2.5",
        "0.1",
        "0.10",
        "1E-6176",
        "9.999999999999999999999999999999999E+6144",
        "5E-324",
        "0.25",
        "9223372036854775808",
        "9223372036854775807",
        "9223372036854775807.5",
        "1E+300",
        "9007199254740993",
        "-9007199254740992.5",
        "1.797693134862315708145274237317044E+308",
        "127.5",
        "128",
        "-0.3",
        "0.1000000000000000055511151231257827",
    ];
    let text = match random.below(3) {
        0 => {
            let digits = random.next_u64() >> random.below(60);
            format!("{digits}E{}", random.below(60) as i32 - 40)
        }
        _ => (*random.pick(&texts)).to_owned(),
    };
    super::decimal128::Decimal::parse(&text)
        .expect("the text is a decimal")
        .to_bits()
}
