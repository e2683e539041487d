//! Unpacking of columns.

use super::super::document::value_length;
use super::super::types::BsonType;
use super::numeric::{self, AS_BITS};
use super::simple8b::{self, Slot};
use super::values::{Column, MOST_VALUES, NOWHERE, Place};

/// A column being read, and where its differences stand.
struct Reader<'r> {
    rest: &'r [u8],
    column: Column,
    /// The last value.
    last: Place,
    /// Its number, and the last difference where differences are taken of differences.
    number: i64,
    difference: i64,
    scale: usize,
    slot: Slot,
}

impl Reader<'_> {
    /// Reads one control: a literal, or words of differences.
    fn control(&mut self, control: u8) -> Option<()> {
        if control & 0xE0 == 0 || matches!(control, 0x7F | 0xFF) {
            return self.literal(BsonType::from_byte(control)?);
        }
        self.scale = match control >> 4 {
            8 => AS_BITS,
            scale @ 9..=13 => usize::from(scale) - 9,
            _ => return None,
        };
        if self.last.kind == BsonType::Double {
            let value = self.column.bytes.get(self.last.start as usize..)?;
            let value = f64::from_le_bytes(*value.first_chunk()?);
            self.number = numeric::of_double(value, self.scale)?;
        }
        let words = usize::from(control & 15) + 1;
        let (words, rest) = self.rest.get(1..)?.split_at_checked(words * 8)?;
        self.rest = rest;
        for word in words.chunks_exact(8) {
            let word = u64::from_le_bytes(*word.first_chunk()?);
            let mut slot = self.slot;
            simple8b::read(word, &mut slot, &mut |slot| self.next(slot))?;
            self.slot = slot;
        }
        Some(())
    }

    fn literal(&mut self, kind: BsonType) -> Option<()> {
        let length = value_length(kind, self.rest.get(2..)?)?.checked_add(2)?;
        let (element, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        let value = &element[2..];
        self.number = numeric::number(kind, value).unwrap_or(0);
        (self.difference, self.slot) = (0, Some(0));
        self.column.push(kind, value);
        self.last = *self.column.places.last()?;
        Some(())
    }

    /// Appends the value of a difference.
    fn next(&mut self, slot: Slot) -> Option<()> {
        let kind = self.last.kind;
        let places = &mut self.column.places;
        if places.len() >= MOST_VALUES {
            return None;
        }
        let Some(digits) = slot.filter(|_| kind != BsonType::Missing) else {
            places.push(NOWHERE);
            return Some(());
        };
        if digits != 0 || self.difference != 0 {
            let mut step = numeric::unzigzag(digits);
            if numeric::is_twofold(kind) {
                self.difference = self.difference.wrapping_add(step);
                step = self.difference;
            }
            self.number = self.number.wrapping_add(step);
            let bytes = &mut self.column.bytes;
            let start = bytes.len() as u32;
            let before = self.last.start as usize;
            numeric::write(kind, self.number, self.scale, before, bytes)?;
            self.last = Place {
                kind,
                start,
                end: bytes.len() as u32,
            };
        }
        places.push(self.last);
        Some(())
    }
}

/// Unpacks a column; `None` for bytes that are none.
pub fn decode(bytes: &[u8]) -> Option<Column> {
    let mut reader = Reader {
        rest: bytes,
        column: Column::default(),
        last: NOWHERE,
        number: 0,
        difference: 0,
        scale: AS_BITS,
        slot: Some(0),
    };
    loop {
        match *reader.rest.first()? {
            0 => break,
            control => reader.control(control)?,
        }
    }
    (reader.rest.len() == 1).then_some(reader.column)
}
