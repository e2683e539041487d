//! A set of page numbers kept as runs, and its encoding.
//!
//! Invariant: runs are ascending, not empty, and never touch each other.

use super::page::PageNumber;
use super::sorted_map::SortedMap;

/// A set of page numbers.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Runs {
    /// First page of a run → its length.
    runs: SortedMap<PageNumber, u64>,
    pages: u64,
}

impl Runs {
    /// How many pages the set holds.
    pub(crate) fn len(&self) -> u64 {
        self.pages
    }

    /// How many runs the set is made of.
    pub(crate) fn run_count(&self) -> usize {
        self.runs.entries().len()
    }

    /// The runs as (first, length), ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PageNumber, u64)> + '_ {
        self.runs.entries().iter().copied()
    }

    /// The pages, ascending.
    pub(crate) fn pages(&self) -> impl Iterator<Item = PageNumber> + '_ {
        self.iter()
            .flat_map(|(first, length)| first..first + length)
    }

    /// Adds a page; false when it was there.
    pub(crate) fn insert(&mut self, page: PageNumber) -> bool {
        let before = self.runs.up_to(&page).copied();
        let mut first = page;
        let mut length = 1;
        if let Some((start, run)) = before {
            if page - start < run {
                return false;
            }
            if start + run == page {
                first = start;
                length = run + 1;
            }
        }
        if let Some(run) = self.runs.remove(&(page + 1)) {
            length += run;
        }
        self.runs.insert(first, length);
        self.pages += 1;
        true
    }

    /// Takes a page out; false when it was not there.
    pub(crate) fn remove(&mut self, page: PageNumber) -> bool {
        let Some((first, length)) = self.runs.up_to(&page).copied() else {
            return false;
        };
        let offset = page - first;
        if offset >= length {
            return false;
        }
        if offset == 0 {
            self.runs.remove(&first);
        } else {
            self.runs.insert(first, offset);
        }
        if offset + 1 < length {
            self.runs.insert(page + 1, length - offset - 1);
        }
        self.pages -= 1;
        true
    }

    /// Adds the page when it is absent and takes it out when it is there.
    pub(crate) fn toggle(&mut self, page: PageNumber) {
        if !self.remove(page) {
            self.insert(page);
        }
    }

    /// The lowest page.
    pub(crate) fn first(&self) -> Option<PageNumber> {
        self.runs.entries().first().map(|(first, _)| *first)
    }

    /// The highest run, as (first, length).
    pub(crate) fn last(&self) -> Option<(PageNumber, u64)> {
        self.runs.entries().last().copied()
    }

    /// The first page of the lowest run with room for `count` pages; looks at a bounded number of runs.
    pub(crate) fn find(&self, count: u64) -> Option<PageNumber> {
        self.runs
            .entries()
            .iter()
            .take(64)
            .find(|(_, length)| *length >= count)
            .map(|(first, _)| *first)
    }

    /// Appends the set to `out` as varints: for each run the gap since the previous run's end, then the length.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let mut end = 0;
        for (first, length) in self.iter() {
            put_varint(out, first - end);
            put_varint(out, length);
            end = first + length;
        }
    }

    /// Adds runs from bytes that `encode` wrote, below `limit`. The error is worded for a person.
    pub(crate) fn decode_into(
        &mut self,
        mut bytes: &[u8],
        limit: PageNumber,
    ) -> Result<(), &'static str> {
        let mut end: u64 = 0;
        while !bytes.is_empty() {
            let gap = take_varint(&mut bytes).ok_or("a cut run")?;
            let length = take_varint(&mut bytes).ok_or("a cut run")?;
            let first = end.checked_add(gap).ok_or("a run out of range")?;
            end = first.checked_add(length).ok_or("a run out of range")?;
            if first == 0 || length == 0 || end > limit {
                return Err("a run out of range");
            }
            let last = self.runs.entries().last().copied();
            match last {
                Some((start, run)) if start + run > first => return Err("runs out of order"),
                Some((start, run)) if start + run == first => {
                    self.runs.insert(start, end - start);
                }
                _ => {
                    self.runs.insert(first, length);
                }
            }
            self.pages += length;
        }
        Ok(())
    }
}

/// The longest encoding of one run.
pub(crate) const LONGEST_RUN: usize = 20;

pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_and_split() {
        let mut runs = Runs::default();
        for page in [5, 7, 6, 1, 3, 2] {
            assert!(runs.insert(page));
        }
        assert!(!runs.insert(6));
        assert_eq!(runs.iter().collect::<Vec<_>>(), [(1, 3), (5, 3)]);
        assert!(runs.remove(6));
        assert!(!runs.remove(6));
        assert_eq!(runs.iter().collect::<Vec<_>>(), [(1, 3), (5, 1), (7, 1)]);
        assert_eq!(
            (runs.len(), runs.first(), runs.find(3), runs.find(4)),
            (5, Some(1), Some(1), None)
        );
        runs.toggle(1);
        runs.toggle(9);
        assert_eq!(
            runs.iter().collect::<Vec<_>>(),
            [(2, 2), (5, 1), (7, 1), (9, 1)]
        );
    }

    #[test]
    fn encoding_round_trips_and_refuses_garbage() {
        let mut runs = Runs::default();
        for page in [1, 2, 900, 70_000, 70_001] {
            runs.insert(page);
        }
        let mut bytes = Vec::new();
        runs.encode(&mut bytes);
        let mut back = Runs::default();
        assert_eq!(back.decode_into(&bytes, 70_002), Ok(()));
        assert_eq!(back, runs);
        assert!(Runs::default().decode_into(&bytes, 70_001).is_err());
        assert!(
            Runs::default()
                .decode_into(&bytes[..bytes.len() - 1], 80_000)
                .is_err()
        );
        assert!(Runs::default().decode_into(&[0, 1], 10).is_err());
        assert!(Runs::default().decode_into(&[0xFF; 11], u64::MAX).is_err());
    }
}
