//! A column unpacked: values of any type, some of them missing.

use crate::bson::document;
use crate::bson::types::BsonType;
use crate::bson::value::ValueRef;

/// The subtype of binary data that is a column.
pub const SUBTYPE: u8 = 7;

/// The most values that a column is unpacked to: many more than a bucket has.
pub const MOST_VALUES: usize = 1 << 16;
/// A run of differences that are no scaled doubles; the low bits say how many words follow, less one.
pub(super) const PLAIN: u8 = 0x80;
/// As `PLAIN`, of doubles times 1, 10, 100, 10,000 and 100,000,000.
pub(super) const SCALED: [u8; 5] = [0x90, 0xA0, 0xB0, 0xC0, 0xD0];
/// The most words behind one control byte.
pub(super) const MOST_WORDS: usize = 16;

/// Type and place of a value within the bytes of its column; `Missing` for a document that lacks the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub kind: BsonType,
    pub start: u32,
    pub end: u32,
}

pub(super) const NOWHERE: Place = Place {
    kind: BsonType::Missing,
    start: 0,
    end: 0,
};

/// The values of one field, unpacked.
#[derive(Debug, Clone, Default)]
pub struct Column {
    pub(super) bytes: Vec<u8>,
    pub(super) places: Vec<Place>,
}

impl Column {
    /// How many values there are, missing ones counted.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Bytes of memory, about.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.places.len() * size_of::<Place>()
    }

    /// Appends a value.
    pub fn push(&mut self, kind: BsonType, value: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(value);
        let end = self.bytes.len() as u32;
        self.places.push(Place { kind, start, end });
    }

    /// Appends missing values until the column has `length` values.
    pub fn pad(&mut self, length: usize) {
        if self.places.len() < length {
            self.places.resize(length, NOWHERE);
        }
    }

    /// Type and bytes of a value; `None` for a missing one.
    #[inline]
    pub fn raw(&self, position: usize) -> Option<(BsonType, &[u8])> {
        let place = *self.places.get(position)?;
        (place.kind != BsonType::Missing).then(|| (place.kind, self.at(place)))
    }

    /// A value.
    pub fn value(&self, position: usize) -> ValueRef<'_> {
        let raw = self.raw(position);
        raw.and_then(|(kind, bytes)| document::decode(kind, bytes))
            .unwrap_or(ValueRef::Missing)
    }

    fn at(&self, place: Place) -> &[u8] {
        { self.bytes.get(place.start as usize..place.end as usize) }.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{decode, encode};
    use super::*;
    use crate::bson::DocumentBuilder;

    /// Numbers that look like chance.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (self.0 ^ self.0 >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD) % bound
        }
    }

    fn column(values: &[ValueRef<'_>]) -> Column {
        let mut column = Column::default();
        for value in values {
            let mut builder = DocumentBuilder::new();
            builder.append("", *value);
            let document = builder.finish();
            match document.as_document().raw_elements().next() {
                Some(element) => column.push(element.kind, element.value_bytes),
                None => column.pad(column.len() + 1),
            }
        }
        column
    }

    #[track_caller]
    fn comes_back(column: &Column) -> usize {
        let bytes = encode(column);
        let back = decode(&bytes).expect("a column");
        assert_eq!(back.len(), column.len());
        for position in 0..column.len() {
            assert_eq!(back.raw(position), column.raw(position), "{position}");
        }
        bytes.len()
    }

    #[test]
    fn words_are_those_of_the_layout() {
        // Three integers: a literal, then two differences of 1 (zigzag 2) in a word of two.
        let three = [1, 2, 3].map(ValueRef::Int32);
        let mut expected = vec![0x10, 0, 1, 0, 0, 0, 0x80];
        let word: u64 = 13 | 2 << 4 | 2 << 34;
        expected.extend_from_slice(&word.to_le_bytes());
        expected.push(0);
        assert_eq!(encode(&column(&three)), expected);
        // Dates a second apart: the difference of the differences is 1000 once, then nothing.
        let dates: Vec<_> = (0..4).map(|at| ValueRef::DateTime(at * 1000)).collect();
        let mut expected = vec![0x09, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80];
        let word: u64 = 12 | 2000 << 4;
        expected.extend_from_slice(&word.to_le_bytes());
        expected.push(0);
        assert_eq!(encode(&column(&dates)), expected);
        // One digit behind the point: a scale of 10.
        let doubles = [ValueRef::Double(0.5), ValueRef::Double(1.5)];
        let encoded = encode(&column(&doubles));
        assert_eq!(encoded[10], 0xA0);
        assert_eq!(
            u64::from_le_bytes(encoded[11..19].try_into().expect("eight")),
            14 | 20 << 4
        );
    }

    #[test]
    fn repeats_take_one_word() {
        let same = vec![ValueRef::Double(20.25); 1000];
        assert!(comes_back(&column(&same)) < 60);
        let missing = vec![ValueRef::Missing; 130];
        assert!(comes_back(&column(&missing)) < 40);
        let text = vec![ValueRef::from("a text that is longer than sixteen"); 500];
        assert!(comes_back(&column(&text)) < 100);
    }

    #[test]
    fn every_value_comes_back() {
        let mut random = Random(7);
        for round in 0..300 {
            let mut values = Vec::new();
            let style = round % 6;
            let mut walk = 0_i64;
            for at in 0..(round * 5 + 1) as i64 {
                walk += (random.below(200) as i64) - 100;
                let wild = random.below(u64::MAX);
                values.push(match (style, random.below(12)) {
                    (_, 0) => ValueRef::Missing,
                    (0, _) => ValueRef::DateTime(at * 60_000 + (random.below(3) as i64)),
                    (1, _) => ValueRef::Double(walk as f64 / 100.0),
                    (2, _) => ValueRef::Double(f64::from_bits(wild)),
                    (3, 1..4) => ValueRef::Int64(wild as i64),
                    (3, _) => ValueRef::Int32(walk as i32),
                    (4, _) => {
                        let mut id = [9; 12];
                        id[..4].copy_from_slice(&(at as u32 * 7).to_be_bytes());
                        id[9..].copy_from_slice(&(at as u32).to_be_bytes()[1..]);
                        ValueRef::ObjectId(id)
                    }
                    (_, 1) => ValueRef::Double(-0.0),
                    (_, 2) => ValueRef::Double(f64::NAN),
                    (_, 3) => ValueRef::from("text"),
                    (_, 4) => ValueRef::Boolean(walk > 0),
                    (_, 5) => ValueRef::MinKey,
                    (_, 6) => ValueRef::Null,
                    (_, 7) => ValueRef::Timestamp {
                        time: at as u32,
                        increment: walk as u32,
                    },
                    (_, 8) => ValueRef::Int64(i64::MIN),
                    (_, 9) => ValueRef::Int64(i64::MAX),
                    _ => ValueRef::Int32(7),
                });
            }
            comes_back(&column(&values));
        }
    }

    #[test]
    fn garbage_is_no_column() {
        let mut random = Random(3);
        let good = encode(&column(&[1, 2, 9].map(ValueRef::Int32)));
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] = random.below(256) as u8;
            }
            bytes.truncate(random.below(bytes.len() as u64 + 1) as usize);
            decode(&bytes);
        }
        assert!(decode(&[]).is_none());
        assert!(decode(&good[..good.len() - 1]).is_none());
    }
}
