//! Rows with their sort keys, put in order: all of them, or only the first few.
//!
//! Invariant: stable; keys and rows lie back to back in one arena, which holds no more than its `Memory` allows, and
//! with a limit never more than about twice the rows that are kept.

use super::memory::{LIMIT, Usage};
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

/// How many entries are sorted between two calls of `Env::checkpoint`.
const RUN: usize = 8192;
/// How many entries are merged between two calls of `Env::checkpoint`.
const MERGED_AT_ONCE: usize = 256;

/// Rows with their sort keys.
#[derive(Default)]
pub struct Sorter {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    scratch: SortScratch,
    usage: Usage,
    memory: Memory,
    /// The key that a row must be below to be among the kept ones, once they are known.
    threshold: Option<Vec<u8>>,
    /// The metadata of rows for `$meta`: each row has its own behind it in the arena.
    metadata: Carried,
}

/// A key and a row, back to back in the arena.
#[derive(Clone, Copy)]
struct Entry {
    /// The key's first bytes, as a number that orders as they do.
    head: u64,
    key: usize,
    row: usize,
    end: usize,
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
            bytes: Vec::new(),
            entries: Vec::new(),
            scratch: SortScratch::default(),
            usage: Usage::default(),
            memory,
            threshold: None,
            metadata: metadata.clone(),
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
        let key = self.bytes.len();
        if let Some(pattern) = pattern {
            pattern.write_key(document, &mut self.scratch, &mut self.bytes)?;
        }
        if let Some(threshold) = &self.threshold
            && compare(&self.bytes[key..], threshold).is_ge()
        {
            self.bytes.truncate(key);
            return Ok(Pushed::Dropped);
        }
        let row = self.bytes.len();
        write(&mut self.bytes);
        self.metadata.keep_behind(&mut self.bytes);
        let end = self.bytes.len();
        self.memory
            .hold(&mut self.usage, end - key + size_of::<Entry>())?;
        self.entries.push(Entry {
            head: word_at(&self.bytes[key..row], 0),
            key,
            row,
            end,
        });
        if limit < usize::MAX / 4 && self.entries.len() >= limit * 2 + 64 {
            self.sort(limit, env)?;
            return Ok(Pushed::Trimmed);
        }
        Ok(Pushed::Kept)
    }

    /// Sorts and drops the rows beyond the limit.
    ///
    /// # Errors
    /// Errors of `Env::checkpoint`.
    pub fn sort(&mut self, limit: usize, env: &dyn Env) -> Result<()> {
        let bytes = &self.bytes;
        let order = |a: &Entry, b: &Entry| {
            let rest = || compare(&bytes[a.key..a.row], &bytes[b.key..b.row]);
            a.head.cmp(&b.head).then_with(rest)
        };
        for run in self.entries.chunks_mut(RUN) {
            env.checkpoint()?;
            run.sort_by(order);
        }
        merge_runs(&mut self.entries, &order, env)?;
        if self.entries.len() <= limit {
            return Ok(());
        }
        self.entries.truncate(limit);
        let mut compact = Vec::new();
        for entry in &mut self.entries {
            let moved = compact.len();
            compact.extend_from_slice(&bytes[entry.key..entry.end]);
            *entry = Entry {
                head: entry.head,
                key: moved,
                row: moved + entry.row - entry.key,
                end: compact.len(),
            };
        }
        self.threshold = self
            .entries
            .last()
            .map(|last| compact[last.key..last.row].to_vec());
        self.bytes = compact;
        self.usage = Usage::default();
        let held = self.bytes.len() + self.entries.len() * size_of::<Entry>();
        self.memory.hold(&mut self.usage, held)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The bytes that are held.
    pub fn held(&self) -> usize {
        self.bytes.len()
    }

    /// The sort key at a place of the order.
    pub fn key(&self, position: usize) -> Option<&[u8]> {
        let entry = self.entries.get(position)?;
        self.bytes.get(entry.key..entry.row)
    }

    /// The row at a place of the order, with its metadata behind it.
    pub fn row(&self, position: usize) -> Option<&[u8]> {
        let entry = self.entries.get(position)?;
        self.bytes.get(entry.row..entry.end)
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

/// Merges sorted runs of `RUN` entries, two and two, until all are one.
fn merge_runs(
    entries: &mut Vec<Entry>,
    order: &dyn Fn(&Entry, &Entry) -> Ordering,
    env: &dyn Env,
) -> Result<()> {
    let mut merged = Vec::new();
    let mut width = RUN;
    while width < entries.len() {
        merged.clear();
        merged.reserve(entries.len());
        for pair in entries.chunks(width * 2) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([first, ..], [other, ..]) = (left, right) {
                if merged.len() % MERGED_AT_ONCE == 0 {
                    env.checkpoint()?;
                }
                // Of equal entries the left goes first.
                let side = match order(first, other).is_le() {
                    true => &mut left,
                    false => &mut right,
                };
                merged.extend(side.split_off_first().copied());
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(entries, &mut merged);
        width *= 2;
    }
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
