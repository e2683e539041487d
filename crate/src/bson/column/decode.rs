//! Unpacking of columns, also of those that a server wrote.

use super::super::document::{Document, value_length};
use super::super::types::BsonType;
use super::super::validate::validate;
use super::super::write_length;
use super::numeric::{self, AS_BITS};
use super::simple8b::{self, Slot};
use super::values::{Column, MOST_VALUES, NOWHERE, Place};
use std::collections::VecDeque;

/// Where a run of differences stands.
struct State {
    /// The last value.
    last: Place,
    /// Its number, and the last difference where differences are taken of differences.
    number: i64,
    difference: i64,
    wide: u128,
    scale: usize,
    slot: Slot,
}

impl State {
    fn new() -> Self {
        Self {
            last: NOWHERE,
            number: 0,
            difference: 0,
            wide: 0,
            scale: AS_BITS,
            slot: Some((0, 0)),
        }
    }

    /// Goes on behind a literal.
    fn begin(&mut self, last: Place, value: &[u8]) {
        *self = Self {
            last,
            ..Self::new()
        };
        match numeric::is_wide(last.kind) {
            true => self.wide = numeric::wide(last.kind, value),
            false => self.number = numeric::number(last.kind, value).unwrap_or(0),
        }
    }

    /// The value of a difference.
    fn next(&mut self, slot: Slot, bytes: &mut Vec<u8>) -> Option<Place> {
        let kind = self.last.kind;
        let Some((digits, zeros)) = slot.filter(|_| kind != BsonType::Missing) else {
            return Some(NOWHERE);
        };
        if digits == 0 && self.difference == 0 {
            return Some(self.last);
        }
        let start = bytes.len();
        let before = self.last.start as usize..self.last.end as usize;
        if numeric::is_wide(kind) {
            let given = u128::from(digits).checked_shl(zeros)?;
            let delta = (given >> 1) ^ (given & 1).wrapping_neg();
            self.wide = self.wide.wrapping_add(delta);
            numeric::write_wide(kind, self.wide, before, bytes)?;
        } else {
            let delta = numeric::unzigzag(digits.checked_shl(zeros)?);
            let step = match numeric::is_twofold(kind) {
                true => {
                    self.difference = self.difference.wrapping_add(delta);
                    self.difference
                }
                false => delta,
            };
            self.number = self.number.wrapping_add(step);
            match kind {
                BsonType::Double => {
                    let double = numeric::to_double(self.number, self.scale);
                    bytes.extend_from_slice(&double.to_le_bytes());
                }
                _ => numeric::write(kind, self.number, before.start, bytes)?,
            }
        }
        self.last = Place {
            kind,
            start: start as u32,
            end: bytes.len() as u32,
        };
        Some(self.last)
    }
}

/// Reads the controls of a column, one after another.
struct Reader<'r> {
    rest: &'r [u8],
    bytes: Vec<u8>,
}

impl Reader<'_> {
    /// Reads one control of a run: a literal, or words of differences.
    fn control(
        &mut self,
        state: &mut State,
        give: &mut dyn FnMut(Place) -> Option<()>,
    ) -> Option<()> {
        let control = *self.rest.first()?;
        if control & 0xE0 == 0 || matches!(control, 0x7F | 0xFF) {
            let place = self.literal()?;
            state.begin(place, &self.bytes[place.start as usize..place.end as usize]);
            return give(place);
        }
        state.scale = match control >> 4 {
            8 => AS_BITS,
            scale @ 9..=13 => usize::from(scale) - 9,
            _ => return None,
        };
        if state.last.kind == BsonType::Double {
            let value = self.bytes.get(state.last.start as usize..)?;
            let value = f64::from_le_bytes(*value.first_chunk()?);
            state.number = numeric::of_double(value, state.scale)?;
        } else if state.scale != AS_BITS {
            return None;
        }
        let words = usize::from(control & 15) + 1;
        let (words, rest) = self.rest.get(1..)?.split_at_checked(words * 8)?;
        self.rest = rest;
        let mut slot = state.slot;
        for word in words.chunks_exact(8) {
            let word = u64::from_le_bytes(*word.first_chunk()?);
            let bytes = &mut self.bytes;
            simple8b::read(word, &mut slot, &mut |slot| give(state.next(slot, bytes)?))?;
        }
        state.slot = slot;
        Some(())
    }

    /// Copies a literal's value, which must be sound.
    fn literal(&mut self) -> Option<Place> {
        let kind = BsonType::from_byte(*self.rest.first()?)?;
        if *self.rest.get(1)? != 0 {
            return None;
        }
        let length = value_length(kind, &self.rest[2..])?.checked_add(2)?;
        let (element, rest) = self.rest.split_at_checked(length)?;
        let is_fixed = matches!(
            kind,
            BsonType::Double
                | BsonType::Int32
                | BsonType::Int64
                | BsonType::DateTime
                | BsonType::ObjectId
        );
        if !is_fixed {
            let mut document = vec![0; 4];
            document.extend_from_slice(element);
            document.push(0);
            write_length(&mut document, 0);
            validate(&document).ok()?;
        }
        self.rest = rest;
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(&element[2..]);
        Some(Place {
            kind,
            start,
            end: self.bytes.len() as u32,
        })
    }

    /// Reads a run of objects whose fields have columns of their own, woven into one another.
    fn woven(
        &mut self,
        kind: BsonType,
        arrays: bool,
        give: &mut dyn FnMut(Place) -> Option<()>,
    ) -> Option<Place> {
        let length = value_length(BsonType::Document, self.rest.get(1..)?)?;
        let (reference, rest) = self.rest.get(1..)?.split_at_checked(length)?;
        validate(reference).ok()?;
        let reference = Document::from_valid_bytes(reference);
        self.rest = rest;
        let mut fields = Vec::new();
        self.begin_fields(reference, arrays, &mut fields);
        if fields.is_empty() {
            return None;
        }
        let mut last = NOWHERE;
        loop {
            if fields[0].1.is_empty() && *self.rest.first()? == 0 {
                self.rest = &self.rest[1..];
                return Some(last);
            }
            let mut object = Vec::new();
            self.object(reference, arrays, &mut fields.iter_mut(), &mut object)?;
            last = NOWHERE;
            if object.len() > 5 || reference.is_empty() {
                let start = self.bytes.len() as u32;
                self.bytes.extend_from_slice(&object);
                last = Place {
                    kind,
                    start,
                    end: self.bytes.len() as u32,
                };
            }
            give(last)?;
        }
    }

    fn begin_fields(
        &mut self,
        reference: Document<'_>,
        arrays: bool,
        fields: &mut Vec<(State, VecDeque<Place>)>,
    ) {
        for element in reference.raw_elements() {
            if let Some(inner) = nested(element.kind, element.value_bytes, arrays) {
                self.begin_fields(inner, arrays, fields);
                continue;
            }
            let start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(element.value_bytes);
            let place = Place {
                kind: element.kind,
                start,
                end: self.bytes.len() as u32,
            };
            let mut state = State::new();
            state.begin(place, element.value_bytes);
            fields.push((state, VecDeque::new()));
        }
    }

    /// Writes the next object, of the next value of each field.
    fn object<'f>(
        &mut self,
        reference: Document<'_>,
        arrays: bool,
        fields: &mut dyn Iterator<Item = &'f mut (State, VecDeque<Place>)>,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        for element in reference.raw_elements() {
            let before = out.len();
            out.push(element.kind as u8);
            out.extend_from_slice(element.name);
            out.push(0);
            if let Some(inner) = nested(element.kind, element.value_bytes, arrays) {
                let inside = out.len();
                self.object(inner, arrays, fields, out)?;
                if out.len() == inside + 5 && !inner.is_empty() {
                    out.truncate(before);
                }
                continue;
            }
            let (state, ready) = fields.next()?;
            if ready.is_empty() {
                self.control(state, &mut |place| {
                    ready.push_back(place);
                    Some(())
                })?;
            }
            let place = ready.pop_front()?;
            match place.kind {
                BsonType::Missing => out.truncate(before),
                kind => {
                    out[before] = kind as u8;
                    out.extend_from_slice(
                        self.bytes.get(place.start as usize..place.end as usize)?,
                    );
                }
            }
        }
        out.push(0);
        write_length(&mut out[start..], 0);
        Some(())
    }
}

/// The fields of an element that are columns of their own.
fn nested(kind: BsonType, value: &[u8], arrays: bool) -> Option<Document<'_>> {
    let is_nested = kind == BsonType::Document || (arrays && kind == BsonType::Array);
    is_nested.then(|| Document::from_valid_bytes(value))
}

/// Unpacks a column; `None` for bytes that are none.
pub fn decode(bytes: &[u8]) -> Option<Column> {
    let mut reader = Reader {
        rest: bytes,
        bytes: Vec::new(),
    };
    let mut places: Vec<Place> = Vec::new();
    let mut state = State::new();
    let mut give = |place| {
        places.push(place);
        (places.len() <= MOST_VALUES).then_some(())
    };
    loop {
        match *reader.rest.first()? {
            0 => break,
            woven @ 0xF0..=0xF2 => {
                let kind = if woven == 0xF2 {
                    BsonType::Array
                } else {
                    BsonType::Document
                };
                let last = reader.woven(kind, woven != 0xF0, &mut give)?;
                state = State {
                    last,
                    ..State::new()
                };
            }
            _ => reader.control(&mut state, &mut give)?,
        }
    }
    (reader.rest.len() == 1).then_some(Column {
        bytes: reader.bytes,
        places,
    })
}
