//! Which pages are free, when they may be reused, and how that is persisted.
//!
//! A freed page is reusable at once when no sealed batch and no snapshot ever saw it; else it waits until the batch
//! that freed it is durable and no snapshot sees it. The stored free list names every page that the stored state does
//! not reach: reusable and waiting ones alike, because after a crash nobody waits.
//! On disk it is a chain of pages (the base) and, in the header, the pages by which the truth differs from the base
//! (the delta), so that a small commit writes no free-list page. A delta that grew long is folded into a new base.
//! Free pages at the end of the page space are released by a seal: the page count falls, and devices drop the records
//! beyond it. Invariant: a page is free exactly when it is in one of base and delta, and not in both.

use super::accounting::bump;
use super::page::{
    self, Buffer, COUNT_AT, LINK_AT, PAGE_CAPACITY, PAGE_HEADER, PageKind, PageLink, PageNumber,
    SEQUENCE_AT, number_of,
};
use super::pager::{Entry, Pager, State};
use super::runs::{LONGEST_RUN, Runs};
use crate::algorithms::sorting;
use crate::error::StorageError;
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Fewer free pages at the end than this (256 KiB) are kept for the next writes.
const RELEASED_PAGES: u64 = 16;
/// More runs than this in the delta, and it is folded into a new base.
const DELTA_RUNS: usize = 1024;

/// A freed page that may not be given out yet.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    page: PageNumber,
    born: u64,
    freed: u64,
}

/// The free pages of a deployment.
#[derive(Debug)]
pub(crate) struct FreeSpace {
    /// False until the stored free list was read.
    loaded: bool,
    pub(crate) reusable: Runs,
    /// Freed since the last seal, and part of an earlier batch.
    unsealed: Vec<Waiting>,
    /// Freed by sealed batches that are not durable, by sequence.
    sealed: VecDeque<(u64, Vec<Waiting>)>,
    /// Waiting for snapshots only.
    seen: Vec<Waiting>,
    /// The pages of the stored base chain.
    base: Vec<PageNumber>,
    stored_first: PageLink,
    stored_pages: u64,
    pub(crate) delta: Runs,
    /// The base names pages beyond the end: it must be written anew.
    is_base_stale: bool,
    /// However few pages at the end are free, they are to be released.
    release_all: bool,
}

impl Default for FreeSpace {
    fn default() -> Self {
        Self {
            loaded: true,
            ..Self::stored(0, 0, Runs::default())
        }
    }
}

impl FreeSpace {
    /// The free space that a header describes, not read yet.
    pub(crate) fn stored(stored_first: PageLink, stored_pages: u64, delta: Runs) -> Self {
        Self {
            loaded: false,
            reusable: Runs::default(),
            unsealed: Vec::new(),
            sealed: VecDeque::new(),
            seen: Vec::new(),
            base: Vec::new(),
            stored_first,
            stored_pages,
            delta,
            is_base_stale: false,
            release_all: false,
        }
    }

    /// Takes a page out of wherever its free put it. Only undo calls this, in reverse order of the frees.
    pub(crate) fn unfree(&mut self, page: PageNumber) -> Result<(), StorageError> {
        for waiting in [&mut self.unsealed, &mut self.seen] {
            if waiting.last().is_some_and(|last| last.page == page) {
                waiting.pop();
                self.delta.toggle(page);
                return Ok(());
            }
        }
        if self.reusable.remove(page) {
            self.delta.toggle(page);
            return Ok(());
        }
        Err(StorageError::broken(format!(
            "undo of the free of page {page}"
        )))
    }

    /// Every free page, waiting ones included.
    pub(crate) fn all(&self) -> Runs {
        let mut all = self.reusable.clone();
        let sealed = self.sealed.iter().flat_map(|(_, pages)| pages);
        for waiting in self.unsealed.iter().chain(&self.seen).chain(sealed) {
            all.insert(waiting.page);
        }
        all
    }

    /// Pages that sealed batches freed which are not durable, ascending: no state that is to be stored reaches them.
    pub(crate) fn freed_since_durable(&self) -> Vec<PageNumber> {
        let freed = self.sealed.iter().flat_map(|(_, pages)| pages);
        let mut numbers: Vec<PageNumber> = freed.map(|waiting| waiting.page).collect();
        sorting::sort(&mut numbers);
        numbers
    }

    /// The header's fields: the link to the first page and the number of pages of the base.
    pub(crate) fn stored_base(&self) -> (PageLink, u64) {
        (self.stored_first, self.stored_pages)
    }
}

impl Pager {
    /// Reads the stored free list, once, and which moments there are.
    ///
    /// # Errors
    /// `NotResident` and `Corrupt` of a free-list page; those of `load_moments`.
    pub fn load_free_list(&mut self) -> Result<(), StorageError> {
        self.load_moments()?;
        if self.space.loaded {
            return Ok(());
        }
        let mut base = Vec::new();
        let mut free = Runs::default();
        let mut next = self.space.stored_first;
        let limit = self.page_count();
        while next != 0 {
            let corrupt = |reason: &str| StorageError::corrupt(number_of(next), reason.to_owned());
            if base.len() as u64 >= self.space.stored_pages {
                return Err(corrupt("the free list is longer than the header says"));
            }
            let buffer = self.page(next)?;
            if !page::is_meant(buffer, next) {
                return Err(page::not_meant(buffer, next));
            }
            if page::kind_of(buffer) != Some(PageKind::FreeList) {
                return Err(corrupt("it is not a free-list page"));
            }
            let length = usize::from(page::get_u16(&buffer[..], COUNT_AT));
            let runs = buffer
                .get(PAGE_HEADER..PAGE_HEADER + length)
                .ok_or_else(|| corrupt("bad length"))?;
            free.decode_into(runs, limit).map_err(corrupt)?;
            base.push(number_of(next));
            next = page::get_u64(&buffer[..], LINK_AT);
        }
        if base.len() as u64 != self.space.stored_pages {
            let page = number_of(self.space.stored_first);
            return Err(StorageError::corrupt(page, "the free list is cut"));
        }
        for (first, length) in self.space.delta.iter() {
            (first..first + length).for_each(|page| free.toggle(page));
        }
        for page in free
            .iter()
            .flat_map(|(first, length)| first..first + length)
        {
            self.table[page as usize] = Entry {
                state: State::Reusable,
                ..Entry::absent()
            };
        }
        self.space.base = base;
        self.space.reusable = free;
        self.space.loaded = true;
        Ok(())
    }

    /// Goes on without the stored free list, which cannot be read: no page is free then but those freed from here on.
    /// A survey of all trees afterwards may free the rest (`Survey::free_unmet`).
    pub fn abandon_free_list(&mut self) {
        self.space = FreeSpace::default();
        self.changed = true;
    }

    /// Whether the free list was read.
    pub fn has_free_list(&self) -> bool {
        self.space.loaded
    }

    /// Puts a buffer under a page number that nothing refers to; gives the link to it.
    pub(crate) fn allocate(&mut self, buffer: Buffer) -> Result<PageLink, StorageError> {
        if !self.space.loaded {
            self.load_free_list()?;
        }
        if !self.undo.is_open() {
            self.reclaim_if_released();
        }
        match self.space.reusable.first() {
            Some(number) => self.allocate_at(number, buffer)?,
            None => {
                let number = self.page_count();
                self.allocate_at(number, buffer)?;
            }
        }
        self.fresh
            .last()
            .map(|number| self.link_to_new(*number))
            .ok_or_else(|| StorageError::broken("no page"))
    }

    /// The link to a page that is allocated now, under this number.
    pub(crate) fn link_to_new(&self, number: PageNumber) -> PageLink {
        page::link_to(number, self.generation)
    }

    /// A run of page numbers for `count` pages, when there is one: contiguous pages are read from a device at once.
    pub(crate) fn plan_run(&mut self, count: usize) -> Result<Vec<PageNumber>, StorageError> {
        if !self.space.loaded {
            self.load_free_list()?;
        }
        let count = count as u64;
        if let Some(first) = self.space.reusable.find(count) {
            return Ok((first..first + count).collect());
        }
        let reusable = self.space.reusable.len();
        let first = self.page_count();
        // Where storage has no room to grow, what is free in pieces serves.
        if reusable < count.saturating_mul(4)
            && (reusable < count || self.claim(first + count).is_ok())
        {
            return Ok((first..first + count).collect());
        }
        // Much is free but in pieces: pieces are better than growth.
        let pages = self
            .space
            .reusable
            .iter()
            .flat_map(|(first, length)| first..first + length);
        Ok(pages.take(count as usize).collect())
    }

    /// Puts a buffer under this number: a reusable one, or the end of the page space.
    pub(crate) fn allocate_at(
        &mut self,
        number: PageNumber,
        mut buffer: Buffer,
    ) -> Result<(), StorageError> {
        self.check_room()?;
        page::put_u64(
            &mut Rc::make_mut(&mut buffer)[..],
            SEQUENCE_AT,
            self.generation,
        );
        let extended = number == self.page_count();
        if extended {
            if number >= self.most_pages {
                return Err(StorageError::out_of_space());
            }
            self.claim(number + 1)?;
            self.table.push(Entry::absent());
        } else if self.space.reusable.remove(number) {
            self.space.delta.toggle(number);
        } else {
            return Err(StorageError::broken(format!("page {number} is not free")));
        }
        self.table[number as usize] = Entry {
            buffer: OnceCell::from(buffer),
            born: self.epochs.current(),
            ..Entry::absent()
        };
        self.changed = true;
        self.fresh.push(number);
        self.log_allocation(number, extended);
        bump(&self.accounting().pages_allocated, 1);
        self.count_write(number);
        Ok(())
    }

    /// Gives a page back: to the newest moment where a moment has it, else to the free pages.
    pub(crate) fn free(&mut self, link: PageLink) -> Result<(), StorageError> {
        let number = number_of(link);
        if !self.space.loaded {
            self.load_free_list()?;
        }
        let corrupt = |reason: &str| StorageError::corrupt(number, reason.to_owned());
        match self.table.get(number as usize) {
            Some(entry) if entry.state == State::Used && number != 0 => {}
            Some(_) => return Err(corrupt("it was freed twice")),
            None => return Err(corrupt("there is no such page")),
        }
        let group = self.kept_group(number)?;
        self.log_free(number, group.is_some());
        self.changed = true;
        bump(&self.accounting().pages_freed, 1);
        if let Some(group) = group {
            return self.keep(number, group);
        }
        self.space.delta.toggle(number);
        let born = self.table[number as usize].born;
        let waiting = Waiting {
            page: number,
            born,
            freed: self.epochs.current(),
        };
        if born > self.epochs.seen() {
            self.make_reusable(number);
        } else {
            self.table[number as usize].state = State::Waiting;
            let list = if born > self.epochs.sealed() {
                &mut self.space.seen
            } else {
                &mut self.space.unsealed
            };
            list.push(waiting);
        }
        Ok(())
    }

    fn make_reusable(&mut self, number: PageNumber) {
        self.table[number as usize] = Entry {
            state: State::Reusable,
            ..Entry::absent()
        };
        self.space.reusable.insert(number);
    }

    /// The batch that is being sealed freed these pages.
    pub(crate) fn seal_freed(&mut self, sequence: u64) {
        let freed = std::mem::take(&mut self.space.unsealed);
        if !freed.is_empty() {
            self.space.sealed.push_back((sequence, freed));
        }
    }

    /// Pages freed by batches up to this one wait for snapshots only.
    pub(crate) fn reclaim_durable(&mut self, sequence: u64) {
        while self
            .space
            .sealed
            .front()
            .is_some_and(|(batch, _)| *batch <= sequence)
        {
            if let Some((_, mut freed)) = self.space.sealed.pop_front() {
                self.space.seen.append(&mut freed);
            }
        }
        self.reclaim_seen();
    }

    /// Looks again at pages that wait for snapshots, when one was released since.
    pub(crate) fn reclaim_if_released(&mut self) {
        if !self.space.seen.is_empty() && self.epochs.take_released() {
            self.reclaim_seen();
        }
    }

    fn reclaim_seen(&mut self) {
        let mut seen = std::mem::take(&mut self.space.seen);
        seen.retain(|waiting| {
            let visible = self.epochs.is_visible(waiting.born, waiting.freed);
            if !visible {
                self.make_reusable(waiting.page);
            }
            visible
        });
        self.space.seen = seen;
    }

    /// Folds a long delta into a new base. Ends because every page taken for the base leaves the set to be written,
    /// and holds far more runs than taking it can add.
    pub(crate) fn fold_free_list(&mut self) -> Result<(), StorageError> {
        if self.space.delta.run_count() <= DELTA_RUNS && !self.space.is_base_stale {
            return Ok(());
        }
        self.apart(|pager| {
            let base = std::mem::take(&mut pager.space.base);
            base.into_iter().try_for_each(|page| pager.free(page))
        })?;
        let mut pages = Vec::new();
        let chunks = loop {
            let chunks = chunked(&self.space.all());
            if chunks.len() <= pages.len() {
                break chunks;
            }
            pages.push(self.allocate(page::fresh_buffer(PageKind::FreeList, 0))?);
        };
        for (at, link) in pages.iter().enumerate() {
            let next = pages.get(at + 1).copied().unwrap_or(0);
            let bytes = self.page_mut(*link)?;
            let runs = chunks.get(at).map(Vec::as_slice).unwrap_or_default();
            page::put_u16(bytes, COUNT_AT, runs.len() as u16);
            page::put_u64(bytes, LINK_AT, next);
            bytes[PAGE_HEADER..PAGE_HEADER + runs.len()].copy_from_slice(runs);
        }
        self.space.stored_first = pages.first().copied().unwrap_or(0);
        self.space.stored_pages = pages.len() as u64;
        self.space.base = pages.into_iter().map(number_of).collect();
        self.space.delta = Runs::default();
        self.space.is_base_stale = false;
        Ok(())
    }

    /// The free pages at the end that may be given out, when they are enough to be released.
    fn free_tail(&self) -> Option<(PageNumber, u64)> {
        let (first, length) = self.space.reusable.last()?;
        let is_enough = length >= RELEASED_PAGES || self.space.release_all;
        (first + length == self.page_count() && is_enough).then_some((first, length))
    }

    /// Whether sealing would make the page space smaller.
    pub(crate) fn has_free_tail(&self) -> bool {
        self.free_tail().is_some()
    }

    /// Gives the free pages at the end back: they do not exist any more. No durable state and no snapshot refers to a
    /// page that may be given out, so nobody misses them. Never while a savepoint is open.
    pub(crate) fn release_tail(&mut self) {
        let Some((first, length)) = self.free_tail() else {
            return;
        };
        for page in first..first + length {
            self.space.reusable.remove(page);
            self.space.delta.toggle(page);
        }
        // Pages given back that the base still names are in the delta now.
        let last = self.space.delta.last();
        self.space.is_base_stale |= last.is_some_and(|(start, length)| start + length > first);
        self.table.truncate(first as usize);
        self.table.shrink_to(first as usize * 2);
        self.fresh.retain(|page| *page < first);
        self.space.release_all = false;
        self.changed = true;
    }

    /// Has the next seals release every free page at the end, and write the free list anew when it has pages from
    /// `limit` on.
    pub fn release_from(&mut self, limit: PageNumber) {
        self.space.release_all = true;
        self.space.is_base_stale |= self.space.base.iter().any(|page| *page >= limit);
        self.changed = true;
    }

    /// The free pages and the pages of the free list, for `check`; `None` when the stored list could not be read.
    pub(crate) fn free_pages(&self) -> Option<(Runs, Rc<[PageNumber]>)> {
        self.space
            .loaded
            .then(|| (self.space.all(), Rc::from(&self.space.base[..])))
    }
}

/// The set in pieces that fit a page each; every piece starts with an absolute number.
fn chunked(all: &Runs) -> Vec<Vec<u8>> {
    let mut chunks: Vec<Vec<u8>> = Vec::new();
    let mut end = 0;
    for (first, length) in all.iter() {
        match chunks.last_mut() {
            Some(chunk) if chunk.len() + LONGEST_RUN <= PAGE_CAPACITY => {
                super::runs::put_varint(chunk, first - end);
                super::runs::put_varint(chunk, length);
            }
            _ => {
                let mut chunk = Vec::with_capacity(PAGE_CAPACITY);
                super::runs::put_varint(&mut chunk, first);
                super::runs::put_varint(&mut chunk, length);
                chunks.push(chunk);
            }
        }
        end = first + length;
    }
    chunks
}
