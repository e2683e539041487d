//! `$sort`: documents in the order of a pattern, all of them or only the first few.
//!
//! Follows the manual's "$sort (aggregation)" page. Invariant: stable; holds keys and documents in
//! two arenas, bounded by the memory limit, and with a limit never more than twice what it keeps.

use super::super::memory::{Usage, append_no_spills};
use super::super::source::PipelineContext;
use super::super::stage::{Flow, Part, Stage, StagePlan};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::env::Env;
use crate::error::CommandError;
use crate::expr::{Carried, CompileContext, Dependencies};
use crate::query::{SortPattern, SortScratch};
use crate::storage::compare::{compare, word_at};
use std::cmp::Ordering;

type Result<T> = std::result::Result<T, CommandError>;

/// A compiled `$sort`.
pub struct SortPlan {
    pattern: SortPattern,
    limit: Option<u64>,
    metadata: Carried,
}

/// Compiles the stage.
pub fn compile(
    _: &'static str,
    specification: ValueRef<'_>,
    context: &CompileContext<'_>,
) -> Result<Vec<Box<dyn StagePlan>>> {
    let ValueRef::Document(pattern) = specification else {
        return Err(CommandError::location(
            15973,
            "the $sort key specification must be an object",
        ));
    };
    if pattern.is_empty() {
        return Err(CommandError::location(
            15976,
            "$sort stage must have at least one sort key",
        ));
    }
    let pattern = { SortPattern::compile(pattern)?.with_metadata(&context.metadata) }
        .with_collation(&context.collation);
    Ok(vec![Box::new(SortPlan::new(pattern))])
}

impl SortPlan {
    pub fn new(pattern: SortPattern) -> Self {
        Self {
            pattern,
            limit: None,
            metadata: Carried::default(),
        }
    }

    pub fn pattern(&self) -> Document<'_> {
        self.pattern.spec()
    }

    pub fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Keeps only so many of the first documents.
    pub fn keep(&mut self, limit: u64) {
        self.limit = Some(self.limit.map_or(limit, |held| held.min(limit)));
    }
}

impl StagePlan for SortPlan {
    fn start(self: Box<Self>, input: Box<dyn Stage>) -> Box<dyn Stage> {
        Box::new(SortStage {
            limit: self.limit.map_or(usize::MAX, |limit| {
                usize::try_from(limit).unwrap_or(usize::MAX)
            }),
            pattern: self.pattern,
            input: Some(input),
            sorter: Sorter::of("$sort", &self.metadata),
            next: 0,
        })
    }

    fn carry(&mut self, metadata: &Carried) {
        self.metadata = metadata.clone();
    }

    fn explain(&self, builder: &mut DocumentBuilder) {
        builder.begin_document("$sort");
        builder.append("sortKey", self.pattern());
        if let Some(limit) = self.limit {
            builder.append("limit", i64::try_from(limit).unwrap_or(i64::MAX));
        }
        builder.end();
    }

    fn dependencies(&self, needed: &mut Dependencies) -> Flow {
        for path in self.pattern.paths() {
            needed.add(path);
        }
        Flow::Passes
    }

    fn part(&mut self) -> Part<'_> {
        Part::Sort(self)
    }

    fn path_before(&self, path: &str) -> Option<String> {
        self.limit.is_none().then(|| path.to_owned())
    }
}

/// How many entries are sorted between two questions whether to go on.
const RUN: usize = 8192;
/// How many entries are merged between two questions.
const MERGED_AT_ONCE: usize = 256;

/// Documents with their sort keys.
#[derive(Default)]
pub struct Sorter {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    scratch: SortScratch,
    usage: Usage,
    /// The bytes of all documents that were taken in.
    total: u64,
    /// The key that a document must be below to be among the kept ones, once they are known.
    threshold: Option<Vec<u8>>,
    /// Whose documents these are, for who hears of the memory limit.
    stage: &'static str,
    /// What else is known of the rows lies behind their documents.
    metadata: Carried,
}

/// A key and a document, back to back in the arena.
#[derive(Clone, Copy)]
struct Entry {
    /// The key's first bytes, as a number that orders as they do.
    head: u64,
    key: usize,
    document: usize,
    end: usize,
}

impl Sorter {
    /// Of a stage.
    pub fn of(stage: &'static str, metadata: &Carried) -> Self {
        Self {
            bytes: Vec::new(),
            entries: Vec::new(),
            scratch: SortScratch::default(),
            usage: Usage::default(),
            total: 0,
            threshold: None,
            stage,
            metadata: metadata.clone(),
        }
    }

    /// Takes a document in; with a limit it may be dropped at once.
    pub fn push(
        &mut self,
        pattern: &SortPattern,
        document: Document<'_>,
        limit: usize,
        env: &dyn Env,
    ) -> Result<()> {
        self.push_narrowed(Some(pattern), document, limit, env, |document, bytes| {
            bytes.extend_from_slice(document.as_bytes());
        })
    }

    /// The same, keeping the document that `write` makes of it. Without a pattern documents stay as they came.
    pub fn push_narrowed(
        &mut self,
        pattern: Option<&SortPattern>,
        document: Document<'_>,
        limit: usize,
        env: &dyn Env,
        write: impl FnOnce(Document<'_>, &mut Vec<u8>),
    ) -> Result<()> {
        let key = self.bytes.len();
        if let Some(pattern) = pattern {
            pattern.write_key(document, &mut self.scratch, &mut self.bytes)?;
        }
        if let Some(threshold) = &self.threshold
            && compare(&self.bytes[key..], threshold).is_ge()
        {
            self.bytes.truncate(key);
            return Ok(());
        }
        let start = self.bytes.len();
        write(document, &mut self.bytes);
        self.metadata.keep_behind(&mut self.bytes);
        let end = self.bytes.len();
        self.total += (end - start) as u64;
        self.usage.add(end - key + size_of::<Entry>(), self.stage)?;
        self.entries.push(Entry {
            head: word_at(&self.bytes[key..start], 0),
            key,
            document: start,
            end,
        });
        if limit < usize::MAX / 4 && self.entries.len() >= limit * 2 + 64 {
            self.sort(limit, env)?;
        }
        Ok(())
    }

    /// Sorts and drops what lies beyond the limit.
    ///
    /// # Errors
    /// What interrupts the command.
    pub fn sort(&mut self, limit: usize, env: &dyn Env) -> Result<()> {
        let bytes = &self.bytes;
        let order = |a: &Entry, b: &Entry| {
            let rest = || compare(&bytes[a.key..a.document], &bytes[b.key..b.document]);
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
                document: moved + entry.document - entry.key,
                end: compact.len(),
            };
        }
        self.threshold = self
            .entries
            .last()
            .map(|last| compact[last.key..last.document].to_vec());
        self.bytes = compact;
        self.usage = Usage::default();
        let held = self.bytes.len() + self.entries.len() * size_of::<Entry>();
        self.usage.add(held, self.stage)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The bytes that are held.
    pub fn held(&self) -> usize {
        self.bytes.len()
    }

    /// The sort key at a place of the order.
    pub fn key(&self, position: usize) -> Option<&[u8]> {
        let entry = self.entries.get(position)?;
        self.bytes.get(entry.key..entry.document)
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The document at a place of the order; what else is known of that row is what is looked at from now on.
    pub fn get(&self, position: usize) -> Option<Document<'_>> {
        let entry = self.entries.get(position)?;
        let bytes = &self.bytes[entry.document..entry.end];
        Some(self.metadata.go_back(bytes))
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
                // Of equal ones the left goes first.
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

struct SortStage {
    pattern: SortPattern,
    limit: usize,
    /// Taken once it is read to its end.
    input: Option<Box<dyn Stage>>,
    sorter: Sorter,
    next: usize,
}

impl Stage for SortStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool> {
        let env = cx.env;
        if let Some(mut input) = self.input.take() {
            input.visit(cx, &mut |document| {
                self.sorter.push(&self.pattern, document, self.limit, env)
            })?;
            self.sorter.sort(self.limit, env)?;
        }
        let more = self.next < self.sorter.len();
        self.next += usize::from(more);
        Ok(more)
    }

    fn current(&self) -> Document<'_> {
        self.next
            .checked_sub(1)
            .and_then(|position| self.sorter.get(position))
            .unwrap_or(Document::EMPTY)
    }

    fn append_statistics(&self, builder: &mut DocumentBuilder) {
        builder.append("totalDataSizeSortedBytesEstimate", self.sorter.total as i64);
        append_no_spills(builder);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{fails, gives};
    use super::*;
    use crate::env::NoEnv;
    use crate::env::testing::Patience;

    #[test]
    fn sorts_stably_by_several_fields() {
        gives(
            "[{$sort: {a: -1, b: 1}}]",
            "[{a: 1, b: 2}, {a: 2, b: 2}, {a: 2, b: 1}, {b: 0}]",
            "[{a: 2, b: 1}, {a: 2, b: 2}, {a: 1, b: 2}, {b: 0}]",
        );
        gives(
            "[{$sort: {a: 1}}]",
            "[{a: [3, 9]}, {a: 5}, {a: 'x'}]",
            "[{a: [3, 9]}, {a: 5}, {a: 'x'}]",
        );
        fails("[{$sort: 5}]", 15973);
        fails("[{$sort: {}}]", 15976);
        fails("[{$sort: {a: 2}}]", 15975);
    }

    #[test]
    fn keeps_the_first_few_of_many() {
        let many: Vec<String> = (0..500)
            .map(|n| format!("{{a: {}}}", (n * 7919) % 500))
            .collect();
        gives(
            "[{$sort: {a: 1}}, {$limit: 3}]",
            &format!("[{}]", many.join(", ")),
            "[{a: 0}, {a: 1}, {a: 2}]",
        );
    }

    #[test]
    fn a_long_sort_is_stable_and_is_interrupted() {
        let mut pattern = DocumentBuilder::new();
        pattern.append("a", 1);
        let pattern = SortPattern::compile(pattern.finish().as_document()).expect("a pattern");
        let sorter = || {
            let mut sorter = Sorter::of("$sort", &Carried::default());
            for number in 0..RUN as i32 * 3 + 100 {
                let mut row = DocumentBuilder::new();
                row.append("a", number * 31 % 1000).append("n", number);
                let row = row.finish();
                sorter
                    .push(&pattern, row.as_document(), usize::MAX, &NoEnv)
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
