//! Commit batches: the pages and the header that a device writes wholly or not at all, and when they are durable.
//!
//! `seal` turns everything since the last seal into one batch and freezes its pages. Batches are kept until `confirm`,
//! so that a failed write can be tried again. Invariant: a batch holds every page that its header reaches and that the
//! state it expects to find stored lacks.

use super::header::{Header, Mark};
use super::page::{self, Buffer, PAGE_SIZE, PageNumber};
use super::pager::{Pager, State};
use crate::algorithms::sorting;
use crate::error::StorageError;
use std::collections::VecDeque;
use std::rc::Rc;

/// How many pages make a block: half a MiB, as much as a browser reads as fast as less of it.
pub const BLOCK_PAGES: u64 = 32;
/// The number of changed pages from which on a block is written whole: one large record costs about half as much as
/// small records of as many bytes.
const LEAST_CHANGED: usize = 16;

/// Changed pages and the header that makes them visible. Cloning shares the bytes.
#[derive(Debug, Clone)]
pub struct CommitBatch {
    /// The sequence this batch commits.
    pub sequence: u64,
    /// The sequence that must be stored now (the fence); 0 for a device without a header.
    pub expected: u64,
    /// The lineage that must be stored now; 0 for a device without a header.
    pub expected_lineage: u64,
    /// It is written over a store without a header that can be read, and over that alone: a repair.
    pub over_damage: bool,
    /// The new header record.
    pub header: Rc<[u8]>,
    /// The sealed pages, ascending by number.
    pub pages: Vec<(PageNumber, Buffer)>,
    /// Pages from this number on do not exist: a device drops its copies of them, after the header is written.
    pub page_count: u64,
    /// The blocks of which the batch has every page in use, ascending: a device may store each as one record, in the
    /// place of all that it has of the block.
    pub whole_blocks: Vec<u64>,
}

impl CommitBatch {
    /// Bytes that a device writes for this batch.
    pub fn byte_length(&self) -> usize {
        self.header.len() + self.pages.len() * PAGE_SIZE
    }

    /// One batch with the effect of `self` and then `later`.
    pub fn merge(self, later: &CommitBatch) -> CommitBatch {
        let mut pages = Vec::with_capacity(self.pages.len() + later.pages.len());
        let mut newer = later.pages.iter().cloned().peekable();
        for older in self.pages {
            while newer.peek().is_some_and(|(number, _)| *number < older.0) {
                pages.extend(newer.next());
            }
            match newer.peek() {
                Some((number, _)) if *number == older.0 => pages.extend(newer.next()),
                _ => pages.push(older),
            }
        }
        pages.extend(newer);
        pages.retain(|(number, _)| *number < later.page_count);
        CommitBatch {
            sequence: later.sequence,
            expected: self.expected,
            expected_lineage: self.expected_lineage,
            over_damage: self.over_damage,
            header: Rc::clone(&later.header),
            pages,
            page_count: later.page_count,
            // Which they are is found out for the whole (`unconfirmed_batch`).
            whole_blocks: Vec::new(),
        }
    }
}

/// The kind of store that the first batch of a successor finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Succession {
    Ordinary,
    /// No header of it can be read.
    OverDamage,
}

/// Records that a device may drop with a batch, because no state that is stored from then on has their pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FreedRecords {
    /// Pages that the batch frees, ascending.
    pub pages: Vec<PageNumber>,
    /// Blocks of such pages that have no page in use any more, ascending.
    pub blocks: Vec<u64>,
}

/// The records of those pages that are given up, and of their blocks where all pages are.
fn records_of(pages: &[PageNumber], is_given_up: &dyn Fn(PageNumber) -> bool) -> FreedRecords {
    let given_up = pages.iter().copied().filter(|number| is_given_up(*number));
    let pages: Vec<PageNumber> = given_up.collect();
    let mut blocks: Vec<u64> = pages.iter().map(|number| number / BLOCK_PAGES).collect();
    blocks.dedup();
    // Page 0 does not exist.
    blocks.retain(|block| {
        let first = block * BLOCK_PAGES;
        (first.max(1)..first + BLOCK_PAGES).all(is_given_up)
    });
    FreedRecords { pages, blocks }
}

/// Sealed batches that no device has confirmed, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Unconfirmed {
    batches: VecDeque<CommitBatch>,
    /// They follow a batch that is none of this pager's.
    is_behind: bool,
}

impl Unconfirmed {
    pub(crate) fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }
}

impl Pager {
    /// Turns everything since the last seal into one batch; `None` when nothing changed. The catalog root must have
    /// been set. The batch expects the one sealed before it to be stored first.
    ///
    /// # Errors
    /// `Broken` while a savepoint is open; `NotResident` or `Corrupt` of the free list, and nothing is sealed then.
    pub fn seal(&mut self) -> Result<Option<CommitBatch>, StorageError> {
        if self.undo.is_open() {
            return Err(StorageError::broken("a seal inside a savepoint"));
        }
        if !self.changed {
            return Ok(None);
        }
        self.load_free_list()?;
        self.settle_moments()?;
        self.release_tail();
        if let (Some(source), true) = (&self.source, self.claims) {
            source.disclaim(self.page_count());
        }
        self.fold_free_list()?;
        let expected = self.sequence;
        // Each moment made since took a number of its own.
        let sequence = self.generation;
        let sealed = self.epochs.sealed();
        let mut numbers = std::mem::take(&mut self.fresh);
        sorting::sort(&mut numbers);
        numbers.dedup();
        let mut pages = Vec::with_capacity(numbers.len());
        let expected_lineage = self.lineage;
        let mut sums = Vec::with_capacity(8 + numbers.len() * 8);
        sums.extend_from_slice(&expected_lineage.to_le_bytes());
        for number in numbers {
            if let Some(entry) = self.table.get_mut(number as usize)
                && entry.state == State::Used
                && entry.born > sealed
                && let Some(buffer) = entry.buffer.get_mut()
            {
                page::seal(Rc::make_mut(buffer), number, self.mark.identity);
                sums.extend_from_slice(&page::checksum_of(buffer).to_le_bytes());
                pages.push((number, Rc::clone(buffer)));
            }
        }
        // 0 stands for a device that was never written.
        self.lineage = page::checksum(&sums).max(1);
        let header = Rc::from(self.header(sequence).encode());
        self.seal_freed(sequence);
        self.epochs.seal();
        self.sequence = sequence;
        self.generation = sequence + 1;
        self.changed = false;
        let batch = CommitBatch {
            sequence,
            expected,
            expected_lineage,
            over_damage: self.succession.take() == Some(Succession::OverDamage),
            header,
            pages,
            page_count: self.page_count(),
            whole_blocks: Vec::new(),
        };
        self.unconfirmed.batches.push_back(batch.clone());
        Ok(Some(batch))
    }

    /// The header of a batch with this sequence.
    pub(crate) fn header(&self, sequence: u64) -> Header {
        let (free_first, free_pages) = self.space.stored_base();
        Header {
            sequence,
            page_count: self.page_count(),
            free_first,
            free_pages,
            catalog: self.catalog,
            lineage: self.lineage,
            moments: self.moments.trees,
            mark: self.mark,
            time: self.clock.last(),
            free_delta: self.space.delta.clone(),
        }
    }

    /// Gives a deployment that has no identity this one, which its pages carry from the next batch on.
    pub fn identify(&mut self, identity: u32) {
        if self.mark.identity == 0 {
            let unmarked = match self.succession {
                None => self.sequence,
                Some(_) => 0,
            };
            self.mark = Mark { identity, unmarked };
        }
    }

    /// Makes a deployment that has no page yet the successor of the stored one of which these are the remains: its
    /// first batch takes the place of all that is stored. With a header the fence holds as for any batch; without one
    /// the batch is written only where no header can be read.
    ///
    /// # Errors
    /// `Broken` for a deployment that has pages.
    pub fn succeed(&mut self, remains: &Pager, has_header: bool) -> Result<(), StorageError> {
        if self.page_count() > 1 {
            return Err(StorageError::broken("a successor that has pages"));
        }
        let buffers = remains.table.iter().filter_map(|row| row.buffer.get());
        let newest = buffers.map(|buffer| page::sequence_of(buffer)).max();
        let (succession, sequence) = match has_header {
            true => (Succession::Ordinary, remains.sequence),
            false => (Succession::OverDamage, newest.unwrap_or(0)),
        };
        self.succession = Some(succession);
        self.lineage = remains.lineage;
        self.sequence = sequence;
        self.durable = sequence;
        self.generation = sequence + 1;
        self.clock.catch_up(remains.clock.last());
        Ok(())
    }

    /// Every batch up to this sequence is durable: pages that they freed may be reused once no snapshot sees it.
    pub fn confirm(&mut self, sequence: u64) {
        while self
            .unconfirmed
            .batches
            .front()
            .is_some_and(|batch| batch.sequence <= sequence)
        {
            self.unconfirmed.batches.pop_front();
        }
        if self.unconfirmed.batches.is_empty() {
            self.unconfirmed.is_behind = false;
        }
        self.durable = self.durable.max(sequence.min(self.sequence));
        self.reclaim_durable(self.durable);
        // Pages at the end that a drop freed become free for good only now: one more batch, without pages, releases
        // them.
        self.changed |= self.has_free_tail();
    }

    /// Confirms up to the sealed batch that has this header, which tells its lineage too; false where none has.
    pub fn confirm_stored(&mut self, header: &[u8]) -> bool {
        let mut sealed = self.unconfirmed.batches.iter();
        let Some(sequence) = sealed
            .find(|batch| batch.header[..] == *header)
            .map(|batch| batch.sequence)
        else {
            return false;
        };
        self.confirm(sequence);
        true
    }

    /// All sealed batches that are not confirmed, merged into one, to be written instead of them: for group commit and
    /// for trying again after a failure. `None` when everything sealed is durable.
    ///
    /// Pages that a later one of the batches freed are left out: a collection dropped after a write that found no room
    /// needs none any more. `CommitBatch::byte_length` counts the rest.
    pub fn unconfirmed_batch(&self) -> Option<CommitBatch> {
        self.unconfirmed_pages()
            .map(|batch| self.with_blocks(batch))
    }

    /// As `unconfirmed_batch`, of changed pages alone: for a device that keeps each page at a place of its own.
    pub fn unconfirmed_pages(&self) -> Option<CommitBatch> {
        let mut batches = self.unconfirmed.batches.iter();
        let first = batches.next()?.clone();
        if self.unconfirmed.batches.len() == 1 {
            return Some(first);
        }
        let mut merged = batches.fold(first, |merged, later| merged.merge(later));
        let freed = self.space.freed_since_durable();
        merged
            .pages
            .retain(|(number, _)| freed.binary_search(number).is_err());
        Some(merged)
    }

    /// The sequence and the lineage of the stored state that the first batch which is not confirmed follows.
    pub fn followed(&self) -> Option<(u64, u64)> {
        let first = self.unconfirmed.batches.front()?;
        Some((first.expected, first.expected_lineage))
    }

    /// Seals once more, so that the batches which are not confirmed can follow another that is stored before them: the
    /// last of them comes two sequences after the stored state at least.
    ///
    /// # Errors
    /// As `seal`.
    pub fn seal_behind(&mut self) -> Result<(), StorageError> {
        self.changed = true;
        self.seal().map(drop)
    }

    /// A batch was stored before those that are not confirmed, which follow it from here on. It follows the state that
    /// the first of them followed, and its pages in use hold no page that this state has.
    ///
    /// # Errors
    /// `Broken` where it does not come between.
    pub fn follow(&mut self, between: &CommitBatch) -> Result<(), StorageError> {
        let (sequence, lineage) = super::header::header_identity(&between.header)?;
        let last = self.sequence;
        match self.unconfirmed.batches.front_mut() {
            Some(first)
                if (first.expected, first.expected_lineage)
                    == (between.expected, between.expected_lineage)
                    && sequence < last =>
            {
                first.expected = sequence;
                first.expected_lineage = lineage;
                self.unconfirmed.is_behind = true;
                Ok(())
            }
            _ => Err(StorageError::broken("a batch between others follows none")),
        }
    }

    /// The records of the pages that batches which are not confirmed free. `other` is a state that will be stored over
    /// the same pages: what it has stays.
    pub fn freed_records(&self, other: Option<&Self>) -> FreedRecords {
        let freed = self.space.freed_since_durable();
        let others = other.map(|other| (other, other.space.freed_since_durable()));
        records_of(&freed, &|number| {
            self.has_given_up(number, &freed)
                && others
                    .as_ref()
                    .is_none_or(|(other, freed)| other.has_given_up(number, freed))
        })
    }

    /// The records of pages that the stored state has no more, which are kept for those numbers' next pages. None are
    /// known where the stored state is another's.
    pub fn free_records(&self) -> FreedRecords {
        if self.unconfirmed.is_behind {
            return FreedRecords::default();
        }
        let free: Vec<PageNumber> = self.space.reusable.pages().collect();
        records_of(&free, &|number| self.has_given_up(number, &[]))
    }

    /// Whether a page is free, or one of those freed.
    fn has_given_up(&self, number: PageNumber, freed: &[PageNumber]) -> bool {
        match self.table.get(number as usize).map(|entry| entry.state) {
            Some(State::Used) => false,
            Some(State::Waiting) => freed.binary_search(&number).is_ok(),
            Some(State::Reusable) | None => true,
        }
    }

    /// The batch with the unchanged pages of those blocks that it changes for the most part.
    fn with_blocks(&self, mut batch: CommitBatch) -> CommitBatch {
        let mut unchanged = Vec::new();
        for pages in batch
            .pages
            .chunk_by(|a, b| a.0 / BLOCK_PAGES == b.0 / BLOCK_PAGES)
        {
            if pages.len() >= LEAST_CHANGED
                && let Some((first, _)) = pages.first()
                && let Some(mut others) = self.others_of_block(pages, batch.page_count)
            {
                batch.whole_blocks.push(first / BLOCK_PAGES);
                unchanged.append(&mut others);
            }
        }
        if !unchanged.is_empty() {
            batch.pages.append(&mut unchanged);
            sorting::sort_by(&mut batch.pages, &mut |a, b| a.0.cmp(&b.0));
        }
        batch
    }

    /// The pages in use of a block beside these of it; `None` where one is not in memory, or damaged: its record stays
    /// as it is.
    fn others_of_block(
        &self,
        pages: &[(PageNumber, Buffer)],
        page_count: u64,
    ) -> Option<Vec<(PageNumber, Buffer)>> {
        let start = pages.first()?.0 / BLOCK_PAGES * BLOCK_PAGES;
        let mut others = Vec::new();
        let mut changed = pages.iter().map(|(number, _)| *number).peekable();
        for number in start..(start + BLOCK_PAGES).min(page_count) {
            if changed.next_if_eq(&number).is_some() || number == 0 {
                continue;
            }
            let entry = self.table.get(number as usize)?;
            match entry.buffer.get() {
                _ if entry.state == State::Reusable => {}
                None => return None,
                Some(buffer)
                    if entry.state == State::Used && entry.born <= self.epochs.sealed() =>
                {
                    others.push((number, Rc::clone(buffer)));
                }
                // Freed, or not sealed yet: no reader of this state asks for it.
                Some(_) => {}
            }
        }
        Some(others)
    }

    /// About how many bytes a device has still to write: of batches that are sealed and not confirmed, and of pages
    /// changed since.
    pub fn unsaved_bytes(&self) -> usize {
        let sealed: usize = self
            .unconfirmed
            .batches
            .iter()
            .map(CommitBatch::byte_length)
            .sum();
        sealed + self.fresh.len() * PAGE_SIZE
    }

    /// How many sealed batches are not confirmed.
    pub fn unconfirmed_count(&self) -> usize {
        self.unconfirmed.batches.len()
    }
}
