//! Entries to be added to a tree together: collected in any order, then sorted by key.
//!
//! Sorting is a quicksort over words of eight key bytes with three-way partitions: keys that share a word are sorted by
//! the next one, so no byte that is known to be equal is compared again. Index keys share long beginnings.
//! Invariant: bytes and entries lie in pieces, so that no build is ended by the largest piece there may be.

use crate::algorithms::arena::PIECE;
use crate::algorithms::sorting;
use crate::storage::compare::{compare, copy_short, word_at};
use std::cmp::Ordering;

/// Slices up to this length are sorted by insertion.
const FEW: usize = 12;

/// An entry that lies in an `EntryBuffer` or elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Eight key bytes as a number; which ones is the sort's business.
    word: u64,
    pub(crate) key: &'a [u8],
    pub(crate) value: &'a [u8],
}

impl<'a> Entry<'a> {
    /// An entry of a list that is in order already.
    pub fn new(key: &'a [u8], value: &'a [u8]) -> Self {
        Self {
            word: 0,
            key,
            value,
        }
    }

    pub fn key(&self) -> &'a [u8] {
        self.key
    }

    pub fn value(&self) -> &'a [u8] {
        self.value
    }
}

/// Entries in pieces: two lengths, key and value after each other.
#[derive(Debug, Default)]
pub struct EntryBuffer {
    /// The pieces that are full.
    full: Vec<Vec<u8>>,
    /// The piece that entries go to. It is longer than its used part, so that an entry is written without growing it.
    bytes: Vec<u8>,
    used: usize,
    count: usize,
}

/// Bytes of the two lengths before an entry.
const LENGTHS: usize = 8;

impl EntryBuffer {
    /// Forgets the entries and keeps the last piece's allocation.
    pub fn clear(&mut self) {
        self.full.clear();
        self.used = 0;
        self.count = 0;
    }

    /// Adds an entry whose key is given in two parts.
    pub fn push(&mut self, key: &[u8], key_end: &[u8], value: &[u8]) {
        let key_length = key.len() + key_end.len();
        let need = LENGTHS + key_length + value.len();
        if self.bytes.len() - self.used < need {
            self.make_room(need);
        }
        let lengths = key_length as u64 | (value.len() as u64) << 32;
        let place = &mut self.bytes[self.used..self.used + need];
        let (place, rest) = place.split_at_mut(LENGTHS);
        if let Some(place) = place.first_chunk_mut() {
            *place = lengths.to_le_bytes();
        }
        let (place, rest) = rest.split_at_mut(key.len());
        copy_short(place, key);
        let (place, rest) = rest.split_at_mut(key_end.len());
        copy_short(place, key_end);
        copy_short(rest, value);
        self.used += need;
        self.count += 1;
    }

    /// The first piece doubles up to its full length; behind it come others, none of which is copied.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, need: usize) {
        let doubled = (self.used + need).max(self.bytes.len() * 2);
        if self.used == 0 || doubled <= PIECE {
            self.bytes.resize(doubled, 0);
            return;
        }
        let mut piece = std::mem::replace(&mut self.bytes, vec![0; need.max(PIECE)]);
        piece.truncate(self.used);
        piece.shrink_to_fit();
        self.full.push(piece);
        self.used = 0;
    }

    /// The entries in ascending order of their keys.
    pub fn sorted(&self) -> Sorted<'_> {
        self.sorted_while(&mut || true)
    }

    /// The same, asking now and then whether to go on. After a no the order is any.
    pub fn sorted_while(&self, goes_on: &mut dyn FnMut() -> bool) -> Sorted<'_> {
        self.sorted_in_runs(MOST_IN_RUN, goes_on)
    }

    fn sorted_in_runs(&self, most: usize, goes_on: &mut dyn FnMut() -> bool) -> Sorted<'_> {
        let mut runs = Vec::new();
        let mut run: Vec<Entry<'_>> = Vec::with_capacity(self.count.min(most));
        let mut in_order = true;
        let mut left = self.count;
        let last = &self.bytes[..self.used];
        for piece in self.full.iter().map(Vec::as_slice).chain([last]) {
            let mut rest = piece;
            while let Some((lengths, after)) = rest.split_first_chunk::<LENGTHS>() {
                let lengths = u64::from_le_bytes(*lengths);
                let (key_length, value_length) =
                    (lengths as u32 as usize, (lengths >> 32) as usize);
                let Some((key, after)) = after.split_at_checked(key_length) else {
                    break;
                };
                let Some((value, after)) = after.split_at_checked(value_length) else {
                    break;
                };
                in_order = in_order && { run.last() }
                    .is_none_or(|last| compare(last.key, key) != Ordering::Greater);
                run.push(Entry {
                    word: word_at(key, 0),
                    key,
                    value,
                });
                rest = after;
                if run.len() == most {
                    left -= run.len();
                    let next = Vec::with_capacity(left.min(most));
                    runs.push(put_in_order(
                        std::mem::replace(&mut run, next),
                        in_order,
                        goes_on,
                    ));
                    in_order = true;
                    if !goes_on() {
                        return Sorted::of(runs);
                    }
                }
            }
        }
        runs.push(put_in_order(run, in_order, goes_on));
        Sorted::of(runs)
    }
}

/// The most entries that are sorted together. More of them are several runs, which are merged while they are given:
/// one list of all would be the largest piece of memory that a build asks for.
const MOST_IN_RUN: usize = 1 << 20;

fn put_in_order<'a>(
    mut run: Vec<Entry<'a>>,
    is_in_order: bool,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<Entry<'a>> {
    if !is_in_order {
        let rounds = 2 * (usize::BITS - run.len().leading_zeros());
        sort(&mut run, 0, rounds, goes_on);
    }
    run
}

/// Entries in ascending order of their keys, given some at a time.
#[derive(Debug, Default)]
pub struct Sorted<'a> {
    /// Each of them sorted.
    runs: Vec<Vec<Entry<'a>>>,
    /// How many entries of each run were given.
    given: Vec<usize>,
    /// The runs that have more, by their next keys, the last first.
    order: Vec<usize>,
    /// The entries that are given together, where they come from several runs.
    merged: Vec<Entry<'a>>,
}

impl<'a> Sorted<'a> {
    fn of(runs: Vec<Vec<Entry<'a>>>) -> Self {
        let mut sorted = Self {
            given: vec![0; runs.len()],
            runs,
            ..Self::default()
        };
        for run in 0..sorted.runs.len() {
            sorted.line_up(run);
        }
        sorted
    }

    fn next_key(&self, run: usize) -> Option<&'a [u8]> {
        Some(self.runs[run].get(self.given[run])?.key)
    }

    /// Takes a run into the order, if it has more.
    fn line_up(&mut self, run: usize) {
        let Some(key) = self.next_key(run) else {
            return;
        };
        // Of equal keys the earlier run goes first.
        let place = self.order.partition_point(|other| {
            let other_key = self.next_key(*other).unwrap_or_default();
            compare(other_key, key).then(other.cmp(&run)).is_gt()
        });
        self.order.insert(place, run);
    }

    /// The next entries, at most `most`; none at the end.
    pub fn take(&mut self, most: usize) -> &[Entry<'a>] {
        if self.runs.len() == 1 {
            let run = &self.runs[0];
            let from = self.given[0];
            let to = run.len().min(from.saturating_add(most));
            self.given[0] = to;
            return &run[from..to];
        }
        self.merged.clear();
        while self.merged.len() < most
            && let Some(run) = self.order.pop()
        {
            let bound = self.order.last().and_then(|next| self.next_key(*next));
            // Neighbours are often of one run.
            while self.merged.len() < most
                && let Some(entry) = self.runs[run].get(self.given[run])
                && bound.is_none_or(|bound| compare(entry.key, bound).is_le())
            {
                self.merged.push(*entry);
                self.given[run] += 1;
            }
            self.line_up(run);
        }
        &self.merged
    }
}

/// Before so many entries are parted it is asked whether to go on.
const MANY: usize = 1024;

/// Sorts entries that agree up to `depth` and whose words are those at `depth`. Keys that make the partitions uneven
/// use up `rounds`, and the plain sort takes over.
fn sort(
    mut entries: &mut [Entry<'_>],
    mut depth: usize,
    rounds: u32,
    goes_on: &mut dyn FnMut() -> bool,
) {
    loop {
        if entries.len() >= MANY && !goes_on() {
            return;
        }
        if entries.len() <= FEW {
            sort_few(entries, depth);
            return;
        }
        if rounds == 0 {
            sorting::sort_by(entries, &mut |left, right| compare(left.key, right.key));
            return;
        }
        let words = [
            entries[0].word,
            entries[entries.len() / 2].word,
            entries[entries.len() - 1].word,
        ];
        let pivot = words[0]
            .min(words[1])
            .max(words[0].max(words[1]).min(words[2]));
        let (mut low, mut at, mut high) = (0, 0, entries.len());
        while at < high {
            let word = entries[at].word;
            if word < pivot {
                exchange(entries, low, at);
                low += 1;
                at += 1;
            } else if word > pivot {
                high -= 1;
                exchange(entries, at, high);
            } else {
                at += 1;
            }
        }
        sort(&mut entries[..low], depth, rounds - 1, goes_on);
        sort(&mut entries[high..], depth, rounds - 1, goes_on);
        entries = &mut entries[low..high];
        depth += 8;
        let mut is_longer = false;
        for entry in &mut *entries {
            entry.word = word_at(entry.key, depth);
            is_longer |= entry.key.len() > depth;
        }
        if !is_longer {
            // Missing bytes look like zeros: only the lengths differ.
            sorting::sort_by(entries, &mut |left, right| {
                left.key.len().cmp(&right.key.len())
            });
            return;
        }
    }
}

/// As `swap`, which is a call when compiled for size.
#[inline(always)]
fn exchange(entries: &mut [Entry<'_>], one: usize, other: usize) {
    let (left, right) = (entries[one], entries[other]);
    entries[one] = right;
    entries[other] = left;
}

fn sort_few(entries: &mut [Entry<'_>], depth: usize) {
    for end in 1..entries.len() {
        let mut at = end;
        while at > 0 {
            let (left, right) = (&entries[at - 1], &entries[at]);
            let after = match left.word.cmp(&right.word) {
                Ordering::Equal => {
                    let tail = |entry: &Entry<'_>| -> usize { depth.min(entry.key.len()) };
                    // Both may end before `depth`, with zeros that one has and the other lacks.
                    compare(&left.key[tail(left)..], &right.key[tail(right)..])
                        .then(left.key.len().cmp(&right.key.len()))
                }
                decided => decided,
            };
            if after != Ordering::Greater {
                break;
            }
            exchange(entries, at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::testing::Random;

    fn assert_sorts(keys: &[Vec<u8>]) {
        let mut buffer = EntryBuffer::default();
        for (position, key) in keys.iter().enumerate() {
            let (start, end) = key.split_at(key.len() / 2);
            buffer.push(start, end, &position.to_le_bytes());
        }
        let mut in_runs = buffer.sorted_in_runs(97, &mut || true);
        let mut merged = Vec::new();
        while let [first, rest @ ..] = in_runs.take(10) {
            merged.push(first.key().to_vec());
            merged.extend(rest.iter().map(|entry| entry.key().to_vec()));
        }
        let sorted: Vec<Vec<u8>> = buffer
            .sorted()
            .take(usize::MAX)
            .iter()
            .map(|entry| {
                let position = usize::from_le_bytes(entry.value().try_into().expect("a position"));
                assert_eq!(entry.key(), keys[position]);
                entry.key().to_vec()
            })
            .collect();
        let mut expected = keys.to_vec();
        expected.sort();
        assert_eq!(sorted, expected);
        assert_eq!(merged, expected);
    }

    #[test]
    fn sorts_as_the_keys_compare() {
        let mut random = Random::new(11);
        for count in [0, 1, 2, 12, 13, 100, 3000] {
            for (bytes, longest) in [(2, 30), (256, 9), (3, 4), (256, 40), (1, 25)] {
                let keys: Vec<Vec<u8>> = (0..count)
                    .map(|_| {
                        let length = random.next_u64() % longest;
                        (0..length)
                            .map(|_| (random.next_u64() % bytes) as u8)
                            .collect()
                    })
                    .collect();
                assert_sorts(&keys);
            }
        }
    }

    #[test]
    fn uneven_partitions_end_in_order_too() {
        let mut random = Random::new(3);
        let keys: Vec<Vec<u8>> = (0..2000)
            .map(|_| (random.next_u64() % 97).to_be_bytes().repeat(3))
            .collect();
        let mut buffer = EntryBuffer::default();
        keys.iter().for_each(|key| buffer.push(key, &[], &[]));
        let mut entries = buffer.sorted().take(usize::MAX).to_vec();
        entries.reverse();
        for entry in &mut entries {
            entry.word = word_at(entry.key, 0);
        }
        sort(&mut entries, 0, 2, &mut || true);
        assert!(entries.windows(2).all(|pair| pair[0].key <= pair[1].key));
        let sorted: Vec<Vec<u8>> = (0..500_u64).map(|n| n.to_be_bytes().to_vec()).collect();
        assert_sorts(&sorted);
    }

    #[test]
    fn long_entries_lie_in_pieces_of_their_own() {
        let mut buffer = EntryBuffer::default();
        let lengths = [10, PIECE, 3, PIECE / 2, PIECE / 2, PIECE * 3, 5, PIECE - 40];
        for turn in 0..2 {
            for (position, length) in lengths.iter().enumerate() {
                buffer.push(&[9 - position as u8], &[], &vec![turn; *length]);
            }
            let mut sorted = buffer.sorted();
            let entries = sorted.take(usize::MAX);
            assert_eq!(entries.len(), lengths.len());
            for (entry, length) in entries.iter().rev().zip(lengths) {
                assert!(
                    entry.value().len() == length && entry.value().iter().all(|byte| *byte == turn)
                );
            }
            assert!(buffer.full.iter().all(|piece| piece.len() <= PIECE * 4));
            buffer.clear();
        }
    }
}
