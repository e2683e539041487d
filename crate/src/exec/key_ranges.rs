//! Index bounds as bytes: decides for a key whether it is inside, or where to seek next.
//!
//! The bounds `a: [5, 5]`, `b: (2, inf]` are one run of keys: from behind `5, 2` to the last number of `b` under `5`.
//! The bounds `a: [5, 9]`, `b: [2, 2]` are none: the scan seeks from `5, 2` to `6, 2` and so on.
//!
//! Invariant: component encodings are prefix-free and order as their values do, so comparing
//! component slices by memcmp is comparing values; ranges are ascending in the index's own order,
//! for any directions of the fields.

use crate::error::StorageError;
use crate::keycode;
use crate::plan::IndexBounds;
use crate::storage::compare::compare;
use std::cmp::Ordering;

/// One interval of one component, in index order.
#[derive(Debug, Clone)]
struct ByteRange {
    start: Vec<u8>,
    start_inclusive: bool,
    end: Vec<u8>,
    end_inclusive: bool,
}

/// The next step of a scan that met a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The key is inside the bounds.
    Inside,
    /// Seek to the bytes written out: forward to the first key at or after them, backward to the
    /// last key before them.
    Seek,
    /// No further key can be inside.
    Done,
}

/// The encoded bounds of an index scan.
#[derive(Debug, Clone)]
pub struct KeyRanges {
    fields: Vec<Vec<ByteRange>>,
    descending: Vec<bool>,
    forward: bool,
    /// Where the scan starts: at or after these bytes (forward), before them (backward); `None`
    /// for the end of the tree.
    first: Option<Vec<u8>>,
    /// Whether the bounds are one run of keys, so that no key needs to be taken apart.
    is_one_run: bool,
    /// Where that run ends (exclusive forward, inclusive backward); `None` for the end of the tree.
    end: Option<Vec<u8>>,
    empty: bool,
}

impl KeyRanges {
    /// Encodes the bounds for a scan in one direction.
    pub fn encode(bounds: &IndexBounds, forward: bool) -> Self {
        let mut type_bits = keycode::TypeBits::default();
        let mut fields = Vec::with_capacity(bounds.fields.len());
        for field in &bounds.fields {
            let mut ranges: Vec<ByteRange> = field
                .intervals
                .as_slice()
                .iter()
                .map(|interval| {
                    let mut low = Vec::new();
                    keycode::encode(
                        interval.low.as_ref(),
                        field.descending,
                        &mut low,
                        &mut type_bits,
                    );
                    let mut high = Vec::new();
                    keycode::encode(
                        interval.high.as_ref(),
                        field.descending,
                        &mut high,
                        &mut type_bits,
                    );
                    let (start, start_inclusive, end, end_inclusive) = if field.descending {
                        (high, interval.high_inclusive, low, interval.low_inclusive)
                    } else {
                        (low, interval.low_inclusive, high, interval.high_inclusive)
                    };
                    ByteRange {
                        start,
                        start_inclusive,
                        end,
                        end_inclusive,
                    }
                })
                .collect();
            if field.descending {
                ranges.reverse();
            }
            fields.push(ranges);
        }
        let empty = bounds.is_empty();
        let mut ranges = Self {
            fields,
            descending: bounds.fields.iter().map(|field| field.descending).collect(),
            forward,
            first: None,
            is_one_run: false,
            end: None,
            empty,
        };
        if let Some(range) = &bounds.range {
            let (start, end) = (range.start_bytes.clone(), range.end_bytes.clone());
            let (first, last) = if forward { (start, end) } else { (end, start) };
            (ranges.first, ranges.end) = (Some(first), Some(last));
            ranges.is_one_run = true;
        } else if !empty {
            ranges.prepare(bounds);
        }
        ranges
    }

    /// Finds the first seek target, and whether the bounds are one contiguous range: some single
    /// values, then at most one interval, then everything.
    fn prepare(&mut self, bounds: &IndexBounds) {
        let points = bounds.leading_points();
        let mut prefix: Vec<u8> = Vec::new();
        for ranges in self.fields.iter().take(points) {
            prefix.extend_from_slice(&ranges[0].start);
        }
        if bounds.is_one_run() {
            let (low, high) = match self.fields.get(points) {
                None => (Some(prefix.clone()), successor(&prefix)),
                Some(_) if bounds.fields[points].intervals.is_full() => {
                    (Some(prefix.clone()), successor(&prefix))
                }
                Some(ranges) => {
                    let range = &ranges[0];
                    let start = [&prefix[..], &range.start].concat();
                    let end = [&prefix[..], &range.end].concat();
                    let low = if range.start_inclusive {
                        Some(start)
                    } else {
                        successor(&start)
                    };
                    let high = if range.end_inclusive {
                        successor(&end)
                    } else {
                        Some(end)
                    };
                    (low, high)
                }
            };
            (self.first, self.end) = match self.forward {
                true => (low, high),
                false => (high, low),
            };
            self.is_one_run = true;
            return;
        }
        self.first = if self.forward {
            let mut target = Vec::new();
            self.append_starts(0, &mut target)
        } else {
            let mut target = Vec::new();
            self.append_ends(0, &mut target)
        };
    }

    /// Whether no key can be inside.
    pub fn is_empty(&self) -> bool {
        self.empty
    }

    /// Where the scan starts: at or after these bytes (forward) or before them (backward).
    /// `None`: from the tree's own end.
    pub fn first(&self) -> Option<&[u8]> {
        self.first.as_deref()
    }

    /// The first key inside and the first one beyond, each `None` at the tree's end, when the bounds are one run of
    /// keys.
    pub fn into_run(self) -> Option<[Option<Vec<u8>>; 2]> {
        let run = match self.forward {
            true => [self.first, self.end],
            false => [self.end, self.first],
        };
        self.is_one_run.then_some(run)
    }

    /// Judges a key (without its RecordId); a seek target is written into `target`.
    ///
    /// # Errors
    /// A malformed key (a broken invariant).
    pub fn judge(&self, key: &[u8], target: &mut Vec<u8>) -> Result<Verdict, StorageError> {
        if self.is_one_run {
            let inside = match &self.end {
                None => true,
                Some(end) if self.forward => compare(key, end).is_lt(),
                Some(end) => compare(key, end).is_ge(),
            };
            return Ok(if inside {
                Verdict::Inside
            } else {
                Verdict::Done
            });
        }
        let mut position = 0;
        for (field, ranges) in self.fields.iter().enumerate() {
            let rest = key.get(position..).unwrap_or_default();
            let length = keycode::component_length(rest, self.descending[field])?;
            let component = rest.get(..length).unwrap_or_default();
            match place(component, ranges, self.forward) {
                Place::Inside => position += length,
                Place::Before(range) => {
                    return Ok(self.seek_within(field, &key[..position], range, target));
                }
                Place::Past => return Ok(self.seek_past(&key[..position], field, target)),
            }
        }
        Ok(Verdict::Inside)
    }

    /// Seeks to the start of one range of a field, below a fixed prefix.
    fn seek_within(
        &self,
        field: usize,
        prefix: &[u8],
        range: usize,
        target: &mut Vec<u8>,
    ) -> Verdict {
        target.clear();
        target.extend_from_slice(prefix);
        let range = &self.fields[field][range];
        let (edge, inclusive) = if self.forward {
            (&range.start, range.start_inclusive)
        } else {
            (&range.end, range.end_inclusive)
        };
        target.extend_from_slice(edge);
        let found = match (self.forward, inclusive) {
            (true, true) => self.append_starts(field + 1, target),
            (true, false) => successor(target),
            (false, true) => self.append_ends(field + 1, target),
            (false, false) => Some(std::mem::take(target)),
        };
        match found {
            Some(bytes) => {
                *target = bytes;
                Verdict::Seek
            }
            None => Verdict::Done,
        }
    }

    /// Seeks past every key with this prefix.
    fn seek_past(&self, prefix: &[u8], field: usize, target: &mut Vec<u8>) -> Verdict {
        if field == 0 {
            return Verdict::Done;
        }
        if self.forward {
            match successor(prefix) {
                Some(bytes) => {
                    *target = bytes;
                    Verdict::Seek
                }
                None => Verdict::Done,
            }
        } else {
            target.clear();
            target.extend_from_slice(prefix);
            Verdict::Seek
        }
    }

    /// Appends the first start of each field from `field` on: the least key inside.
    fn append_starts(&self, field: usize, target: &mut Vec<u8>) -> Option<Vec<u8>> {
        for ranges in &self.fields[field..] {
            let range = ranges.first()?;
            target.extend_from_slice(&range.start);
            if !range.start_inclusive {
                return successor(target);
            }
        }
        Some(std::mem::take(target))
    }

    /// Appends the last end of each field from `field` on; the last key before the result
    /// is the greatest key inside. `None` when that is the end of the tree.
    fn append_ends(&self, field: usize, target: &mut Vec<u8>) -> Option<Vec<u8>> {
        for ranges in &self.fields[field..] {
            let range = ranges.last()?;
            target.extend_from_slice(&range.end);
            if !range.end_inclusive {
                return Some(std::mem::take(target));
            }
        }
        successor(target)
    }
}

enum Place {
    Inside,
    /// Before the range of that index, seen in scan direction.
    Before(usize),
    Past,
}

fn place(component: &[u8], ranges: &[ByteRange], forward: bool) -> Place {
    // The first range that does not end before the component.
    let next = ranges.partition_point(|range| match range.end.as_slice().cmp(component) {
        Ordering::Less => true,
        Ordering::Equal => !range.end_inclusive,
        Ordering::Greater => false,
    });
    let inside =
        ranges
            .get(next)
            .is_some_and(|range| match range.start.as_slice().cmp(component) {
                Ordering::Less => true,
                Ordering::Equal => range.start_inclusive,
                Ordering::Greater => false,
            });
    match (inside, forward) {
        (true, _) => Place::Inside,
        (false, true) if next < ranges.len() => Place::Before(next),
        (false, false) if next > 0 => Place::Before(next - 1),
        _ => Place::Past,
    }
}

/// The least byte string above every string with this prefix; `None` when there is none.
pub fn successor(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != 0xFF)?;
    let mut bytes = prefix[..=last].to_vec();
    bytes[last] += 1;
    Some(bytes)
}
