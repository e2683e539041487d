//! Savepoints: undo of a failed command, and of a failed document inside an ordered batch.
//!
//! While a savepoint is open every change of the page space leaves a record: the old bytes of a range, the old
//! buffer of a rewritten page, an allocation, a free. Rolling back replays them backwards; afterwards every page that
//! is in use has the bytes it had (free space inside a page aside) and every tree handle of that moment is valid again.
//! A page that was allocated or recorded whole since the innermost savepoint needs no further records.
//! Invariant: between commands no savepoint is open and the log is empty.

use super::btree::Tree;
use super::moments::MomentTrees;
use super::page::{Buffer, PageLink, PageNumber, number_of};
use super::pager::{Entry, Pager, State};
use crate::error::StorageError;
use std::cell::OnceCell;
use std::rc::Rc;

/// Beyond so many bytes of range records of one page, its whole buffer is recorded instead.
const RANGE_LIMIT: u32 = 4096;

#[derive(Debug)]
enum Record {
    /// `length` bytes at `offset` of the page were those at `saved` of the log's bytes.
    Range {
        page: PageNumber,
        offset: u16,
        length: u16,
        saved: usize,
    },
    /// The page's whole buffer; `covered` is the entry's value before.
    Image {
        page: PageNumber,
        buffer: Buffer,
        covered: u64,
    },
    /// The page was allocated (`extended`: at the end of the page space).
    Allocated { page: PageNumber, extended: bool },
    /// The page was freed (`kept`: for the present only; a moment has it).
    Freed {
        page: PageNumber,
        kept: bool,
        buffer: Option<Buffer>,
        born: u64,
        covered: u64,
    },
}

#[derive(Debug)]
struct Mark {
    serial: u64,
    records: usize,
    bytes: usize,
    fresh: usize,
    catalog: Tree,
    moments: MomentTrees,
    numbers: Rc<[u64]>,
    generation: u64,
    changed: bool,
    /// How many pages the command had changed.
    written: usize,
}

/// The records since the outermost open savepoint.
#[derive(Debug, Default)]
pub(crate) struct UndoLog {
    marks: Vec<Mark>,
    records: Vec<Record>,
    bytes: Vec<u8>,
    last_serial: u64,
    /// The serial of the innermost open savepoint, 0 when none is open.
    innermost: u64,
    /// The serial of the outermost open savepoint.
    outermost: u64,
}

impl UndoLog {
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.innermost != 0
    }
}

/// A moment to come back to. Ends with exactly one of `Pager::rollback_to` and `Pager::release`; ending an outer
/// savepoint ends those inside it.
#[must_use = "a savepoint stays open until it is released or rolled back to"]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Savepoint(u64);

impl Pager {
    /// Opens a savepoint. They nest.
    pub fn savepoint(&mut self) -> Savepoint {
        if !self.undo.is_open() {
            self.reclaim_if_released();
        }
        let log = &mut self.undo;
        log.last_serial += 1;
        log.innermost = log.last_serial;
        if log.marks.is_empty() {
            log.outermost = log.last_serial;
        }
        log.marks.push(Mark {
            serial: log.last_serial,
            records: log.records.len(),
            bytes: log.bytes.len(),
            fresh: self.fresh.len(),
            catalog: self.catalog,
            moments: self.moments.trees,
            numbers: Rc::clone(&self.moments.numbers),
            generation: self.generation,
            changed: self.changed,
            written: self.touched.written_so_far(),
        });
        Savepoint(log.last_serial)
    }

    /// Keeps the changes since the savepoint and ends it. A savepoint that is not open is ignored.
    pub fn release(&mut self, savepoint: Savepoint) {
        let Some(at) = self
            .undo
            .marks
            .iter()
            .rposition(|mark| mark.serial == savepoint.0)
        else {
            return;
        };
        let (from, bytes) = (self.undo.marks[at].records, self.undo.marks[at].bytes);
        self.undo.marks.truncate(at);
        match self.undo.marks.last() {
            None => {
                self.undo.innermost = 0;
                self.undo.records.clear();
                self.undo.bytes.clear();
                // One huge command must not keep its memory for ever.
                self.undo.bytes.shrink_to(1 << 20);
                self.undo.records.shrink_to(1 << 14);
                if self.sequence == 0 {
                    // Nothing is ever sealed in memory.
                    self.release_tail();
                }
            }
            Some(outer) => {
                let outer = outer.serial;
                self.undo.innermost = outer;
                self.drop_redundant(from, bytes, savepoint.0, outer);
            }
        }
    }

    /// Drops the inner savepoint's range records of pages that the outer one has covered already, so that a command of
    /// many documents does not grow the log for ever.
    fn drop_redundant(&mut self, from: usize, bytes: usize, inner: u64, outer: u64) {
        let log = &mut self.undo;
        let table = &self.table;
        let mut kept_bytes = bytes;
        let mut kept = from;
        for at in from..log.records.len() {
            if let Record::Range {
                page,
                length,
                saved,
                ..
            } = &mut log.records[at]
            {
                let covered = table.get(*page as usize).map_or(0, |entry| entry.covered);
                if (outer..inner).contains(&covered) {
                    continue;
                }
                let length = usize::from(*length);
                log.bytes.copy_within(*saved..*saved + length, kept_bytes);
                *saved = kept_bytes;
                kept_bytes += length;
            }
            log.records.swap(kept, at);
            kept += 1;
        }
        log.records.truncate(kept);
        log.bytes.truncate(kept_bytes);
    }

    /// Undoes everything since the savepoint and ends it. The trees' handles of that moment are valid again.
    ///
    /// # Errors
    /// `Broken` when the savepoint is not open, or the log does not fit the page space.
    pub fn rollback_to(&mut self, savepoint: Savepoint) -> Result<(), StorageError> {
        let Some(at) = self
            .undo
            .marks
            .iter()
            .rposition(|mark| mark.serial == savepoint.0)
        else {
            return Err(StorageError::broken("the savepoint is not open"));
        };
        self.undo.marks.truncate(at + 1);
        let Some(mark) = self.undo.marks.pop() else {
            return Ok(());
        };
        while self.undo.records.len() > mark.records {
            if let Some(record) = self.undo.records.pop() {
                self.undo_one(record)?;
            }
        }
        self.undo.bytes.truncate(mark.bytes);
        self.undo.innermost = self.undo.marks.last().map_or(0, |outer| outer.serial);
        self.catalog = mark.catalog;
        self.moments.trees = mark.moments;
        self.moments.numbers = mark.numbers;
        self.generation = mark.generation;
        self.changed = mark.changed;
        self.fresh.truncate(mark.fresh);
        self.uncount_writes(mark.written);
        Ok(())
    }

    fn undo_one(&mut self, record: Record) -> Result<(), StorageError> {
        let broken = |reason: String| StorageError::broken(reason);
        match record {
            Record::Range {
                page,
                offset,
                length,
                saved,
            } => {
                let (offset, length) = (usize::from(offset), usize::from(length));
                let buffer = self
                    .table
                    .get_mut(page as usize)
                    .and_then(|entry| entry.buffer.get_mut());
                let old = self.undo.bytes.get(saved..saved + length);
                match (buffer, old) {
                    (Some(buffer), Some(old)) => {
                        Rc::make_mut(buffer)[offset..offset + length].copy_from_slice(old)
                    }
                    _ => return Err(broken(format!("undo of page {page}"))),
                }
            }
            Record::Image {
                page,
                buffer,
                covered,
            } => match self.table.get_mut(page as usize) {
                Some(entry) => {
                    entry.buffer = OnceCell::from(buffer);
                    entry.covered = covered;
                }
                None => return Err(broken(format!("undo of page {page}"))),
            },
            Record::Allocated { page, extended } => {
                if extended {
                    self.table.pop();
                    if self.table.len() as u64 != page {
                        return Err(broken(format!("undo of the allocation of page {page}")));
                    }
                } else {
                    self.table[page as usize] = Entry {
                        state: State::Reusable,
                        ..Entry::absent()
                    };
                    self.space.reusable.insert(page);
                    self.space.delta.toggle(page);
                }
            }
            Record::Freed {
                page,
                kept,
                buffer,
                born,
                covered,
            } => {
                match kept {
                    true => self.moments.unkeep(page)?,
                    false => self.space.unfree(page)?,
                }
                let entry = &mut self.table[page as usize];
                entry.buffer = buffer.map_or_else(OnceCell::new, OnceCell::from);
                entry.born = born;
                entry.covered = covered;
                entry.state = State::Used;
            }
        }
        Ok(())
    }

    /// Records bytes that are about to change, when a savepoint needs them.
    #[inline]
    pub(crate) fn log_range(&mut self, link: PageLink, start: usize, end: usize) {
        if self.undo.is_open() {
            self.log_range_slowly(number_of(link), start, end);
        }
    }

    /// Makes room for so many more bytes of range records, and records, at once.
    pub(crate) fn expect_ranges(&mut self, bytes: usize, records: usize) {
        if self.undo.is_open() {
            // Without room the log grows as it is written.
            let _ = self.undo.bytes.try_reserve(bytes);
            let _ = self.undo.records.try_reserve(records);
        }
    }

    fn log_range_slowly(&mut self, page: PageNumber, start: usize, end: usize) {
        let log = &mut self.undo;
        let Some(entry) = self.table.get_mut(page as usize) else {
            return;
        };
        if entry.covered >= log.innermost || start >= end {
            return;
        }
        if entry.logged_in != log.outermost {
            entry.logged_in = log.outermost;
            entry.logged = 0;
        }
        let total = entry.logged.saturating_add((end - start) as u32);
        if total > RANGE_LIMIT {
            self.log_image(page);
            return;
        }
        if let Some(buffer) = entry.buffer.get() {
            entry.logged = total;
            let saved = log.bytes.len();
            log.bytes.extend_from_slice(&buffer[start..end]);
            log.records.push(Record::Range {
                page,
                offset: start as u16,
                length: (end - start) as u16,
                saved,
            });
        }
    }

    /// Records a page whole; its buffer is shared with the log, so the next change copies it.
    pub(crate) fn log_image(&mut self, link: PageLink) {
        let (log, page) = (&mut self.undo, number_of(link));
        if !log.is_open() {
            return;
        }
        if let Some(entry) = self.table.get_mut(page as usize)
            && entry.covered < log.innermost
            && let Some(buffer) = entry.buffer.get()
        {
            log.records.push(Record::Image {
                page,
                buffer: Rc::clone(buffer),
                covered: entry.covered,
            });
            entry.covered = log.innermost;
            entry.logged = 0;
        }
    }

    /// Records an allocation, and that the page needs no other record.
    pub(crate) fn log_allocation(&mut self, page: PageNumber, extended: bool) {
        if self.undo.is_open() {
            self.table[page as usize].covered = self.undo.innermost;
            self.undo.records.push(Record::Allocated { page, extended });
        }
    }

    /// Records a free, with everything needed to bring the page back.
    pub(crate) fn log_free(&mut self, page: PageNumber, kept: bool) {
        if self.undo.is_open() {
            let entry = &self.table[page as usize];
            let (born, covered) = (entry.born, entry.covered);
            let buffer = entry.buffer.get().cloned();
            self.undo.records.push(Record::Freed {
                page,
                kept,
                buffer,
                born,
                covered,
            });
        }
    }
}
