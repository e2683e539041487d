//! Rows with their sort keys, put in order: all of them, or only the first few.
//!
//! Invariant: stable; keys and rows lie back to back in an arena, which holds no more than its `Memory` allows, and
//! with a limit never more than about twice the rows that are kept. Arena and entries are cut into pieces, so that
//! what fits the heap is sorted: nothing large grows by doubling.

use super::memory::{LIMIT, Usage};
use crate::algorithms::arena::Arena;
use crate::bson::Document;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::Carried;
use crate::query::{SortPattern, SortScratch};
use crate::storage::compare::{compare, word_at};
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, CommandError>;

/// How much a sort may hold.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// All the memory there is: the query may use a disk, which is memory here.
    #[default]
    Unbounded,
    /// The limit of a query that may not use a disk.
    NoDiskUse,
    /// The limit of a stage of a pipeline, by its name.
    Stage(&'static str),
}

impl Memory {
    /// Counts bytes taken.
    fn hold(self, usage: &mut Usage, bytes: usize) -> Result<()> {
        match self {
            Self::Unbounded => Ok(()),
            Self::Stage(name) => usage.add(bytes, name),
            Self::NoDiskUse => usage.add(bytes, "Sort").map_err(|_| {
                CommandError::new(
                    Code::QueryExceededMemoryLimitNoDiskUseAllowed,
                    format!(
                        "Sort exceeded memory limit of {LIMIT} bytes, but did not opt in to external sorting."
                    ),
                )
            }),
        }
    }
}

/// How many entries are sorted between two calls of `Env::checkpoint`, and lie in one piece.
const RUN: usize = 8192;
/// How many entries are merged between two calls of `Env::checkpoint`.
const MERGED_AT_ONCE: usize = 256;

/// Rows with their sort keys.
#[derive(Default)]
pub struct Sorter {
    arena: Arena,
    entries: Entries,
    scratch: SortScratch,
    usage: Usage,
    memory: Memory,
    /// The key that a row must be below to be among the kept ones, once they are known.
    threshold: Option<Vec<u8>>,
    /// The metadata of rows for `$meta`: each row has its own behind it in the arena.
    metadata: Carried,
}

/// A key and a row, back to back in one piece of the arena.
#[derive(Clone, Copy)]
struct Entry {
    /// The key's first bytes, as a number that orders as they do.
    head: u64,
    piece: u32,
    key: u32,
    row: u32,
    end: u32,
}

/// Entries in pieces of `RUN`; only the last piece may have fewer.
type Pieces = Vec<Vec<Entry>>;

/// The entries, by their places in the order.
#[derive(Default)]
struct Entries(Pieces);

impl Entries {
    fn len(&self) -> usize {
        let full = self.0.len().saturating_sub(1) * RUN;
        full + self.0.last().map_or(0, Vec::len)
    }

    fn get(&self, position: usize) -> Option<&Entry> {
        self.0.get(position / RUN)?.get(position % RUN)
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        match self.0.last_mut() {
            Some(last) if last.len() < RUN => last.push(entry),
            last => {
                // The first piece grows as it is needed.
                let capacity = if last.is_some() { RUN } else { 0 };
                let mut piece = Vec::with_capacity(capacity);
                piece.push(entry);
                self.0.push(piece);
            }
        }
    }

    fn truncate(&mut self, limit: usize) {
        self.0.truncate(limit.div_ceil(RUN));
        if let Some(last) = self.0.last_mut()
            && !limit.is_multiple_of(RUN)
        {
            last.truncate(limit % RUN);
        }
    }
}

/// Whether `push` kept a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushed {
    /// The row is not among the first few.
    Dropped,
    Kept,
    /// The row was kept, and then all but the first few were dropped.
    Trimmed,
}

impl Sorter {
    pub fn new(memory: Memory, metadata: &Carried) -> Self {
        Self {
            memory,
            metadata: metadata.clone(),
            ..Self::default()
        }
    }

    /// Takes in the row that `write` appends, by the key that a document has; with a limit it may be dropped at once.
    /// Without a pattern rows stay as they came.
    ///
    /// # Errors
    /// A document without a key, the memory limit, and errors of `Env::checkpoint`.
    #[inline]
    pub fn push(
        &mut self,
        pattern: Option<&SortPattern>,
        document: Document<'_>,
        limit: usize,
        env: &dyn Env,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> Result<Pushed> {
        let bytes = self.arena.open();
        let key = bytes.len();
        if let Some(pattern) = pattern {
            pattern.write_key(document, &mut self.scratch, bytes)?;
        }
        if let Some(threshold) = &self.threshold
            && compare(&bytes[key..], threshold).is_ge()
        {
            bytes.truncate(key);
            return Ok(Pushed::Dropped);
        }
        let row = bytes.len();
        write(bytes);
        self.metadata.keep_behind(bytes);
        let (head, end) = (word_at(&bytes[key..row], 0), bytes.len());
        let place = self.arena.close(key);
        let entry = Entry {
            head,
            piece: place.piece,
            key: place.start,
            row: place.start + (row - key) as u32,
            end: place.start + (end - key) as u32,
        };
        self.memory
            .hold(&mut self.usage, end - key + size_of::<Entry>())?;
        self.entries.push(entry);
        if limit < usize::MAX / 4 && self.entries.len() >= limit * 2 + 64 {
            self.put_in_order(limit, env)?;
            self.compact()?;
            return Ok(Pushed::Trimmed);
        }
        Ok(Pushed::Kept)
    }

    /// Sorts and drops the rows beyond the limit: no more are taken in.
    ///
    /// # Errors
    /// Errors of `Env::checkpoint`.
    pub fn sort(&mut self, limit: usize, env: &dyn Env) -> Result<()> {
        let before = self.entries.len();
        self.put_in_order(limit, env)?;
        // A copy of the rows is not worth it where most of them stay.
        if self.entries.len() <= before / 2 {
            self.compact()?;
        }
        Ok(())
    }

    /// Sorts the entries and drops those beyond the limit.
    fn put_in_order(&mut self, limit: usize, env: &dyn Env) -> Result<()> {
        let arena = &self.arena;
        let order = |a: &Entry, b: &Entry| {
            let key_of = |entry: &Entry| arena.bytes(entry.piece, entry.key, entry.row);
            let rest = || compare(key_of(a), key_of(b));
            a.head.cmp(&b.head).then_with(rest)
        };
        for run in &mut self.entries.0 {
            env.checkpoint()?;
            run.sort_by(order);
        }
        merge_runs(&mut self.entries.0, &order, env)?;
        self.entries.truncate(limit);
        Ok(())
    }

    /// Keeps the bytes of the entries that there are, and no others.
    fn compact(&mut self) -> Result<()> {
        let mut compact = Arena::default();
        for entry in self.entries.0.iter_mut().flatten() {
            let bytes = compact.open();
            let start = bytes.len();
            bytes.extend_from_slice(self.arena.bytes(entry.piece, entry.key, entry.end));
            let place = compact.close(start);
            *entry = Entry {
                head: entry.head,
                piece: place.piece,
                key: place.start,
                row: place.start + (entry.row - entry.key),
                end: place.start + (entry.end - entry.key),
            };
        }
        self.arena = compact;
        let last = self.entries.len().checked_sub(1);
        let threshold = last.and_then(|last| self.key(last)).map(<[u8]>::to_vec);
        self.threshold = threshold;
        self.usage = Usage::default();
        let held = self.arena.held() + self.entries.len() * size_of::<Entry>();
        self.memory.hold(&mut self.usage, held)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that are held.
    pub fn held(&self) -> usize {
        self.arena.held()
    }

    /// The sort key at a place of the order.
    pub fn key(&self, position: usize) -> Option<&[u8]> {
        let entry = self.entries.get(position)?;
        Some(self.arena.bytes(entry.piece, entry.key, entry.row))
    }

    /// The row at a place of the order, with its metadata behind it.
    pub fn row(&self, position: usize) -> Option<&[u8]> {
        let entry = self.entries.get(position)?;
        Some(self.arena.bytes(entry.piece, entry.row, entry.end))
    }

    /// The document at a place of the order, where rows are documents.
    pub fn get(&self, position: usize) -> Option<Document<'_>> {
        Some(self.go_back(self.row(position)?))
    }

    /// The document that a row's bytes begin with. From now on `$meta` reads the metadata behind it.
    #[inline]
    pub fn go_back<'r>(&self, bytes: &'r [u8]) -> Document<'r> {
        self.metadata.go_back(bytes)
    }
}

/// A sorted run while a merge takes from it.
struct Taken {
    later: std::vec::IntoIter<Vec<Entry>>,
    piece: Vec<Entry>,
    at: usize,
}

impl Taken {
    fn of(run: Pieces) -> Self {
        let mut later = run.into_iter();
        let piece = later.next().unwrap_or_default();
        Self {
            later,
            piece,
            at: 0,
        }
    }

    /// The entries left in the piece; none at the run's end.
    fn rest(&self) -> &[Entry] {
        self.piece.get(self.at..).unwrap_or_default()
    }

    /// Goes behind the first `entries` of the piece. A piece that was read to its end is given to `spare`.
    fn go_on(&mut self, entries: usize, spare: &mut Pieces) {
        self.at += entries;
        if entries > 0 && self.at == self.piece.len() {
            let next = self.later.next().unwrap_or_default();
            let mut piece = std::mem::replace(&mut self.piece, next);
            piece.clear();
            spare.push(piece);
            self.at = 0;
        }
    }
}

/// Merges entries until `out` has `most` of them, or one side is empty: how many were taken of each side. Where one is
/// empty from the beginning the other is copied.
fn merge_some<'e>(
    mut left: &'e [Entry],
    mut right: &'e [Entry],
    out: &mut Vec<Entry>,
    most: usize,
    order: &dyn Fn(&Entry, &Entry) -> Ordering,
) -> (usize, usize) {
    let before = (left.len(), right.len());
    if left.is_empty() || right.is_empty() {
        for side in [&mut left, &mut right] {
            let (taken, rest) = side.split_at(side.len().min(most - out.len()));
            out.extend_from_slice(taken);
            *side = rest;
        }
    }
    while out.len() < most
        && let ([first, ..], [other, ..]) = (left, right)
    {
        // Of equal entries the left goes first.
        let side = match order(first, other).is_le() {
            true => &mut left,
            false => &mut right,
        };
        out.extend(side.split_off_first().copied());
    }
    (before.0 - left.len(), before.1 - right.len())
}

/// Merges sorted runs of one piece each, two and two, until all are one.
fn merge_runs(
    entries: &mut Pieces,
    order: &dyn Fn(&Entry, &Entry) -> Ordering,
    env: &dyn Env,
) -> Result<()> {
    let one = |piece| vec![piece];
    let mut runs: Vec<Pieces> = std::mem::take(entries).into_iter().map(one).collect();
    let mut spare = Pieces::new();
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut rest = runs.into_iter();
        while let Some(left) = rest.next() {
            let Some(right) = rest.next() else {
                merged.push(left);
                break;
            };
            env.checkpoint()?;
            let last = left.last().and_then(|piece| piece.last());
            let first = right.first().and_then(|piece| piece.first());
            if let (Some(last), Some(first)) = (last, first)
                && order(last, first).is_le()
            {
                // Only the last run of all has a piece that is not full.
                let mut both = left;
                both.extend(right);
                merged.push(both);
                continue;
            }
            let (mut left, mut right) = (Taken::of(left), Taken::of(right));
            let mut both = Pieces::new();
            let mut out = Vec::with_capacity(RUN);
            while !left.rest().is_empty() || !right.rest().is_empty() {
                env.checkpoint()?;
                let most = RUN.min(out.len() + MERGED_AT_ONCE);
                let taken = merge_some(left.rest(), right.rest(), &mut out, most, order);
                left.go_on(taken.0, &mut spare);
                right.go_on(taken.1, &mut spare);
                if out.len() == RUN {
                    let next = spare.pop().unwrap_or_else(|| Vec::with_capacity(RUN));
                    both.push(std::mem::replace(&mut out, next));
                }
            }
            if out.is_empty() {
                spare.push(out);
            } else {
                both.push(out);
            }
            merged.push(both);
        }
        runs = merged;
    }
    *entries = runs.pop().unwrap_or_default();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::{DocumentBuilder, ValueRef};
    use crate::env::NoEnv;
    use crate::env::testing::Patience;

    #[test]
    fn a_long_sort_is_stable_and_is_interrupted() {
        let mut pattern = DocumentBuilder::new();
        pattern.append("a", 1);
        let pattern = SortPattern::compile(pattern.finish().as_document()).expect("a pattern");
        let sorter = || {
            let mut sorter = Sorter::new(Memory::Stage("$sort"), &Carried::default());
            for number in 0..RUN as i32 * 3 + 100 {
                let mut row = DocumentBuilder::new();
                row.append("a", number * 31 % 1000).append("n", number);
                let row = row.finish();
                sorter
                    .push(
                        Some(&pattern),
                        row.as_document(),
                        usize::MAX,
                        &NoEnv,
                        |bytes| {
                            bytes.extend_from_slice(row.as_document().as_bytes());
                        },
                    )
                    .expect("there is room");
            }
            sorter
        };
        let mut sorted = sorter();
        let patient = Patience::of(u64::MAX);
        sorted.sort(usize::MAX, &patient).expect("it is patient");
        assert!(patient.asked() > 100, "{}", patient.asked());
        let number = |at: usize, name: &str| match sorted.get(at).map(|row| row.get(name)) {
            Some(ValueRef::Int32(number)) => number,
            other => panic!("no number: {other:?}"),
        };
        for at in 1..sorted.len() {
            let pairs = [at - 1, at].map(|at| (number(at, "a"), number(at, "n")));
            assert!(pairs[0] < pairs[1], "{pairs:?}");
        }
        assert!(sorter().sort(usize::MAX, &Patience::of(50)).is_err());
    }
}
