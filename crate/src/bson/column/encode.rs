//! Packing of columns: literals, and differences where they are short.

use super::super::types::BsonType;
use super::numeric::{self, AS_BITS};
use super::simple8b;
use super::values::{Column, MOST_WORDS, PLAIN, SCALED};

/// A column being written.
struct Packer<'c> {
    column: &'c Column,
    out: Vec<u8>,
    /// Differences that are not written yet, by the scale of all of them.
    waiting: Vec<Option<u64>>,
    scale: usize,
    /// The last difference that was written; 0 behind a literal.
    written: Option<u64>,
    /// The position of the last value that was there.
    last: Option<usize>,
    /// The last difference where differences are taken of differences.
    difference: i64,
    /// Up to where doubles have this scale.
    scaled_until: usize,
}

impl Packer<'_> {
    /// Writes the differences that wait.
    fn flush(&mut self) {
        let mut numbers = std::mem::take(&mut self.waiting);
        let mut rest = &numbers[..];
        let control = SCALED.get(self.scale).copied().unwrap_or(PLAIN);
        while !rest.is_empty() {
            let at = self.out.len();
            self.out.push(control);
            let mut words = 0;
            while words < MOST_WORDS && !rest.is_empty() {
                let word = simple8b::write(&mut rest, self.written);
                self.out.extend_from_slice(&word.to_le_bytes());
                self.written = numbers
                    .get(numbers.len() - rest.len() - 1)
                    .copied()
                    .flatten();
                words += 1;
            }
            self.out[at] |= words as u8 - 1;
        }
        numbers.clear();
        self.waiting = numbers;
    }

    /// The difference of a value from the one before it, if it can be written; `None` for a literal.
    fn difference(&mut self, position: usize, kind: BsonType, value: &[u8]) -> Option<u64> {
        let last = self.last?;
        let (last_kind, before) = self.column.raw(last)?;
        if last_kind != kind {
            return None;
        }
        if kind == BsonType::Double {
            return self.of_double(position, value, before);
        }
        if numeric::is_twofold(kind) {
            let is_other = kind == BsonType::ObjectId && value.get(4..9) != before.get(4..9);
            if is_other {
                return None;
            }
            let step = numeric::number(kind, value)?.wrapping_sub(numeric::number(kind, before)?);
            let delta = numeric::zigzag(step.wrapping_sub(self.difference));
            if !simple8b::fits(delta) {
                return None;
            }
            self.difference = step;
            return Some(delta);
        }
        if value == before {
            return Some(0);
        }
        let step = numeric::number(kind, value)?.wrapping_sub(numeric::number(kind, before)?);
        Some(numeric::zigzag(step)).filter(|delta| simple8b::fits(*delta))
    }

    fn of_double(&mut self, position: usize, value: &[u8], before: &[u8]) -> Option<u64> {
        let number = |bytes: &[u8], scale| {
            numeric::of_double(f64::from_le_bytes(*bytes.first_chunk()?), scale)
        };
        if position >= self.scaled_until {
            let (scale, until) = self.choose(position, before);
            if scale != self.scale {
                self.flush();
            }
            (self.scale, self.scaled_until) = (scale, until);
        }
        let step = number(value, self.scale)?.wrapping_sub(number(before, self.scale)?);
        Some(numeric::zigzag(step)).filter(|delta| simple8b::fits(*delta))
    }

    /// The scale that most of the doubles from a position on have, with the one before them, and up to where.
    fn choose(&self, position: usize, before: &[u8]) -> (usize, usize) {
        let double = |bytes: &[u8]| {
            bytes
                .first_chunk()
                .map_or(0.0, |bytes| f64::from_le_bytes(*bytes))
        };
        let mut best = (AS_BITS, position + 1);
        let mut longest = position;
        for scale in 0..AS_BITS {
            if numeric::of_double(double(before), scale).is_none() {
                continue;
            }
            let mut end = position;
            while end < self.column.len()
                && self.column.raw(end).is_none_or(|(kind, value)| {
                    kind == BsonType::Double && numeric::of_double(double(value), scale).is_some()
                })
            {
                end += 1;
            }
            if end > longest {
                (best, longest) = ((scale, end), end);
            }
            if end == self.column.len() {
                break;
            }
        }
        best
    }
}

/// Packs a column.
pub fn encode(column: &Column) -> Vec<u8> {
    let mut packer = Packer {
        column,
        out: Vec::with_capacity(64),
        waiting: Vec::new(),
        scale: AS_BITS,
        written: Some(0),
        last: None,
        difference: 0,
        scaled_until: 0,
    };
    for position in 0..column.len() {
        let Some((kind, value)) = column.raw(position) else {
            packer.waiting.push(None);
            continue;
        };
        if let Some(delta) = packer.difference(position, kind, value) {
            packer.waiting.push(Some(delta));
        } else {
            packer.flush();
            packer.out.extend_from_slice(&[kind as u8, 0]);
            packer.out.extend_from_slice(value);
            packer.written = Some(0);
            packer.difference = 0;
            packer.scaled_until = 0;
            packer.scale = AS_BITS;
        }
        packer.last = Some(position);
    }
    packer.flush();
    packer.out.push(0);
    packer.out
}
