//! The resident pages of one deployment, and the rules for changing them.
//!
//! The pager owns every page buffer, hands out page numbers and decides whether a page may be changed in place.
//! Invariants: a page that a sealed batch or a live snapshot holds is never changed, only copied to a new number;
//! a page number is given out again only when no durable state and no snapshot refers to it; while a savepoint is
//! open every change is undoable (`undo`).

use super::accounting::{Accounting, PageCounters, bump};
use super::btree::Tree;
use super::commit::{Succession, Unconfirmed};
use super::demand::NOT_STORED;
use super::freelist::FreeSpace;
use super::header::{Header, Mark};
use super::logical_clock::LogicalClock;
use super::moments::Moments;
use super::page::{
    self, Buffer, PAGE_SIZE, PageKind, PageLink, PageNumber, SEQUENCE_AT, number_of,
};
use super::runs::Runs;
use super::snapshot::{Epochs, Snapshot};
use super::sorted_map::SortedMap;
use super::source::PageSource;
use super::touched::Touched;
use super::undo::UndoLog;
use crate::env::Env;
use crate::env::heap::{Need, Room};
use crate::error::{StorageError, StorageFault};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// How many pages a command allocates between two looks at the heap.
const PAGES_BETWEEN_CHECKS: u32 = 64;

/// The use of a page number at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Reachable from a tree (or part of the free list itself).
    Used,
    /// Freed, but a snapshot or the durable state may still need it.
    Waiting,
    /// May be given out.
    Reusable,
}

/// One row of the page table.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Empty while the page is absent.
    pub(crate) buffer: OnceCell<Buffer>,
    /// The epoch the page was allocated in; 0 for pages that came from a device.
    pub(crate) born: u64,
    /// The newest savepoint that needs no further undo records of this page.
    pub(crate) covered: u64,
    /// Bytes of range records of this page in the undo log, counted since outermost savepoint `logged_in`.
    pub(crate) logged: u32,
    pub(crate) logged_in: u64,
    /// The last command that changed the page.
    pub(crate) written: u32,
    /// The last command that looked at the page.
    pub(crate) read: Cell<u32>,
    pub(crate) state: State,
    /// A device has no such page, or delivered one that failed its checks; `Pager::damage` says which.
    pub(crate) corrupt: bool,
}

impl Entry {
    pub(crate) fn absent() -> Self {
        Self {
            buffer: OnceCell::new(),
            born: 0,
            covered: 0,
            logged: 0,
            logged_in: 0,
            written: 0,
            read: Cell::new(0),
            state: State::Used,
            corrupt: false,
        }
    }
}

/// The account of a command when it stepped aside.
pub struct Aside {
    command: u32,
    counters: PageCounters,
    read: Vec<PageNumber>,
    was_noting: bool,
}

/// The page space of one deployment. See the module's text for its invariants.
#[derive(Debug)]
pub struct Pager {
    /// Indexed by page number; row 0 is never used.
    pub(crate) table: Vec<Entry>,
    pub(crate) epochs: Rc<Epochs>,
    pub(crate) space: FreeSpace,
    pub(crate) undo: UndoLog,
    pub(crate) catalog: Tree,
    pub(crate) moments: Moments,
    /// The commit sequence that pages born now will carry.
    pub(crate) generation: u64,
    pub(crate) mark: Mark,
    pub(crate) clock: Rc<LogicalClock>,
    /// Set until the first seal of a deployment that takes the place of a stored one.
    pub(crate) succession: Option<Succession>,
    /// Something differs from the last seal.
    pub(crate) changed: bool,
    /// Pages allocated since the last seal; may hold pages freed since, and duplicates.
    pub(crate) fresh: Vec<PageNumber>,
    pub(crate) sequence: u64,
    /// That of the last seal; 0 before the first.
    pub(crate) lineage: u64,
    pub(crate) durable: u64,
    pub(crate) unconfirmed: Unconfirmed,
    /// The faults of the pages that are marked as corrupt.
    pub(crate) damage: SortedMap<PageNumber, String>,
    accounting: Accounting,
    pub(crate) touched: Touched,
    command: Cell<u32>,
    /// A buffer that tree operations borrow to build cells in.
    pub(crate) scratch: Vec<u8>,
    /// The heap as the command that runs may use it.
    room: Room,
    /// Pages that may be allocated before `room` is looked at.
    unchecked_pages: u32,
    /// No page is absent. Computed when asked for while it is false.
    pub(crate) resident: Cell<bool>,
    /// The page space grows up to so many pages.
    pub(crate) most_pages: u64,
    /// Where an absent page is read at once; `None` where the host fetches it.
    pub(crate) source: Option<Rc<dyn PageSource>>,
    /// New pages are to be stored at the source, which must have room for them.
    pub(crate) claims: bool,
}

impl Default for Pager {
    fn default() -> Self {
        Self::new()
    }
}

/// Asks, for each page of a walk over many, whether the command may go on.
///
/// # Errors
/// `Stopped`, with why not.
pub(crate) fn ask(env: &dyn Env) -> Result<(), StorageError> {
    env.checkpoint().map_err(StorageError::stopped)
}

impl Pager {
    /// A new, empty deployment: sequence 0, no page.
    pub fn new() -> Self {
        Self {
            table: vec![Entry::absent()],
            epochs: Epochs::new(),
            space: FreeSpace::default(),
            undo: UndoLog::default(),
            catalog: Tree::new(),
            moments: Moments::default(),
            generation: 1,
            mark: Mark::default(),
            clock: Rc::default(),
            succession: None,
            changed: false,
            fresh: Vec::new(),
            sequence: 0,
            lineage: 0,
            durable: 0,
            unconfirmed: Unconfirmed::default(),
            damage: SortedMap::default(),
            accounting: Accounting::default(),
            touched: Touched::default(),
            command: Cell::new(1),
            scratch: Vec::new(),
            room: Room::UNCAPPED,
            unchecked_pages: 0,
            resident: Cell::new(true),
            most_pages: u64::from(u32::MAX),
            source: None,
            claims: false,
        }
    }

    /// The deployment that a header record describes, with no page resident yet: give them with `insert_page`.
    ///
    /// # Errors
    /// `UnsupportedFormat` for another format version, `Corrupt` (page 0) for a damaged header.
    pub fn open(header: &[u8]) -> Result<Self, StorageError> {
        let header = Header::decode(header)?;
        let mut pager = Self::new();
        pager
            .table
            .resize_with(header.page_count as usize, Entry::absent);
        pager.catalog = header.catalog;
        pager.sequence = header.sequence;
        pager.lineage = header.lineage;
        pager.durable = header.sequence;
        pager.generation = header.sequence + 1;
        pager.moments = Moments::stored(header.moments);
        pager.mark = header.mark;
        pager.clock.catch_up(header.time);
        pager.resident.set(false);
        pager.space = FreeSpace::stored(header.free_first, header.free_pages, header.free_delta);
        Ok(pager)
    }

    /// The pages that a damaged device still has, to be read only. Reading a page that is missing or damaged is an
    /// error that names it. Without a header nothing is known but the pages.
    ///
    /// # Errors
    /// Those of `open`, for a header.
    pub fn of_remains(
        header: Option<&[u8]>,
        pages: Vec<(PageNumber, Buffer)>,
    ) -> Result<Self, StorageError> {
        let mut pager = match header {
            Some(header) => Self::open(header)?,
            None => {
                let mut pager = Self::new();
                let last = pages.last().map_or(0, |(number, _)| *number);
                pager.table.resize_with(last as usize + 1, Entry::absent);
                pager.sequence = u64::MAX;
                pager.generation = u64::MAX;
                pager.mark = Mark::of_most(&pages);
                pager.space = FreeSpace::stored(0, 0, Runs::default());
                pager
            }
        };
        for (number, buffer) in pages {
            // A page that fails its checks is marked.
            let _ = pager.insert_buffer(number, buffer);
        }
        if header.is_some() {
            // Where it is damaged, free pages cannot be told from others.
            let _ = pager.load_free_list();
        }
        for number in pager.absent_pages() {
            pager.give_up(number, NOT_STORED);
        }
        Ok(pager)
    }

    /// Moves on to a state that another writer stored: `changed` are the pages of all batches since this one's
    /// sequence. Resident pages that did not change stay; deliver the changed ones with `insert_page`. Gives the state
    /// before, which shares those pages: tree handles, cursors and snapshots from before go on over it, and over it
    /// alone.
    ///
    /// # Errors
    /// `Broken` when something here is not stored yet, or the header is older or another deployment's; those of `open`.
    /// Nothing changed then.
    pub fn refresh(&mut self, header: &[u8], changed: &[PageNumber]) -> Result<Self, StorageError> {
        let mut fresh = Self::open(header)?;
        if self.changed
            || self.undo.is_open()
            || !self.unconfirmed.is_empty()
            || fresh.sequence < self.sequence
        {
            return Err(StorageError::broken(
                "a refresh over changes that are not stored",
            ));
        }
        if self.is_foreign(header)? {
            return Err(StorageError::broken("a refresh to another deployment"));
        }
        for (target, source) in fresh.table.iter_mut().zip(&self.table) {
            if source.state == State::Used {
                target.buffer = source.buffer.clone();
            }
        }
        for number in changed {
            if let Some(entry) = fresh.table.get_mut(*number as usize) {
                entry.buffer.take();
            }
        }
        fresh.share_clock(self);
        Ok(std::mem::replace(self, fresh))
    }

    /// Makes a stored page resident, after checking it. The bytes are copied.
    ///
    /// # Errors
    /// `Corrupt` when the page fails its checks: reading it keeps failing with its number, the others work.
    pub fn insert_page(&mut self, number: PageNumber, bytes: &[u8]) -> Result<(), StorageError> {
        match page::buffer_from(bytes) {
            Some(buffer) => self.insert_buffer(number, buffer),
            None => {
                let reason = format!("it has {} bytes", bytes.len());
                self.mark_corrupt(number, reason.clone());
                Err(StorageError::corrupt(number, reason))
            }
        }
    }

    /// Makes a stored page resident without copying it. As `insert_page`.
    ///
    /// # Errors
    /// `Corrupt` when the page fails its checks.
    pub fn insert_buffer(
        &mut self,
        number: PageNumber,
        buffer: Buffer,
    ) -> Result<(), StorageError> {
        match self.examine(number, &buffer) {
            Ok(()) => {
                if let Some(entry) = self.table.get_mut(number as usize)
                    && entry.state != State::Reusable
                    && entry.buffer.get().is_none()
                {
                    entry.buffer = OnceCell::from(buffer);
                    entry.corrupt = false;
                }
                Ok(())
            }
            Err(error) => {
                if let StorageFault::Corrupt { reason, .. } = error.fault() {
                    self.mark_corrupt(number, reason.clone());
                }
                Err(error)
            }
        }
    }

    fn examine(&self, number: PageNumber, buffer: &Buffer) -> Result<(), StorageError> {
        let corrupt = |reason: String| Err(StorageError::corrupt(number, reason));
        if number == 0 || number >= self.page_count() {
            return corrupt(format!("the deployment has {} pages", self.page_count()));
        }
        let kind = page::verify(buffer, number)?;
        let sequence = page::sequence_of(buffer);
        if sequence > self.sequence {
            return corrupt(format!(
                "it is of commit {sequence}, after {}",
                self.sequence
            ));
        }
        let identity = page::identity_of(buffer);
        let is_older = identity == 0 && sequence <= self.mark.unmarked;
        if identity != self.mark.identity && !is_older {
            return corrupt("it belongs to another deployment".to_owned());
        }
        match kind {
            PageKind::Leaf | PageKind::Branch => super::btree::validate_node(number, buffer),
            PageKind::Overflow | PageKind::FreeList => super::overflow::validate(number, buffer),
        }
    }

    pub(crate) fn mark_corrupt(&mut self, number: PageNumber, reason: String) {
        if let Some(entry) = self.table.get_mut(number as usize)
            && entry.buffer.get().is_none()
        {
            entry.corrupt = true;
            self.damage.insert(number, reason);
        }
    }

    /// Forgets a clean page, which must then be delivered again. For devices that page in on demand, and tests.
    /// False when the page is not resident, or may not be forgotten because no device has it yet.
    pub fn evict(&mut self, number: PageNumber) -> bool {
        let sealed = self.epochs.sealed();
        let unsafe_now = self.undo.is_open() || !self.unconfirmed.is_empty();
        match self.table.get_mut(number as usize) {
            Some(entry) if entry.state == State::Used && entry.born <= sealed && !unsafe_now => {
                self.resident.set(false);
                entry.buffer.take().is_some()
            }
            _ => false,
        }
    }

    /// Has absent pages read from this source in the midst of a command, which then stops at none.
    pub fn set_source(&mut self, source: Rc<dyn PageSource>) {
        self.source = Some(source);
        self.claims = true;
    }

    /// The number after the last page ever used. Page 0 does not exist, so an empty deployment has 1.
    pub fn page_count(&self) -> u64 {
        self.table.len() as u64
    }

    /// How many pages are in memory.
    pub fn resident_count(&self) -> u64 {
        self.table
            .iter()
            .filter(|entry| entry.buffer.get().is_some())
            .count() as u64
    }

    /// Pages in use that are not in memory, damaged ones included.
    pub fn absent_pages(&self) -> Vec<PageNumber> {
        let rows = self.table.iter().enumerate().skip(1);
        rows.filter(|(_, entry)| entry.state == State::Used && entry.buffer.get().is_none())
            .map(|(number, _)| number as PageNumber)
            .collect()
    }

    /// Pages that may be given out again at once.
    pub fn reusable_count(&self) -> u64 {
        self.space.reusable.len()
    }

    /// The sequence of the last sealed batch (or of the header this deployment was opened with).
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The sequence of the batch that is sealed next, at the least.
    pub fn next_sequence(&self) -> u64 {
        self.generation
    }

    /// Tells this state from every other that has the same sequence: it depends on all that was ever committed.
    pub fn lineage(&self) -> u64 {
        self.lineage
    }

    /// The deployment's logical clock.
    pub fn clock(&self) -> &Rc<LogicalClock> {
        &self.clock
    }

    /// Goes on with the clock of an earlier state of the deployment, which is then not behind what is stored here.
    pub fn share_clock(&mut self, earlier: &Self) {
        earlier.clock.catch_up(self.clock.last());
        self.clock = Rc::clone(&earlier.clock);
    }

    /// The sequence of the last batch that `confirm` declared durable.
    pub fn durable_sequence(&self) -> u64 {
        self.durable
    }

    /// Whether there are changes to seal.
    pub fn has_changes(&self) -> bool {
        self.changed
    }

    /// The tree that the header names: the catalog keeps all other trees' handles in it.
    pub fn catalog_root(&self) -> Tree {
        self.catalog
    }

    /// Names the catalog tree's new handle; the next seal persists it.
    pub fn set_catalog_root(&mut self, catalog: Tree) {
        if self.catalog != catalog {
            self.catalog = catalog;
            self.changed = true;
        }
    }

    /// Sets how much of the heap the command that begins may take: allocating pages fails once that is used up.
    pub fn set_room(&mut self, room: Room) {
        self.room = room;
        self.unchecked_pages = 0;
    }

    /// Whether the command that runs keeps what it takes: it frees no room.
    pub(crate) fn keeps(&self) -> bool {
        self.room.need == Need::Keep
    }

    /// Looks at the heap once every so many pages.
    ///
    /// # Errors
    /// `OutOfMemory` when the command may take no more.
    #[inline]
    pub(crate) fn check_room(&mut self) -> Result<(), StorageError> {
        if self.unchecked_pages == 0 {
            self.room.check()?;
            self.unchecked_pages = PAGES_BETWEEN_CHECKS;
        }
        self.unchecked_pages -= 1;
        Ok(())
    }

    /// Looks at the heap: after growth beside the pages.
    ///
    /// # Errors
    /// `OutOfMemory` when the command may take no more.
    pub(crate) fn check_room_now(&self) -> Result<(), StorageError> {
        self.room.check()
    }

    /// The counters of the current command.
    pub fn accounting(&self) -> &Accounting {
        &self.accounting
    }

    /// The counters of the command that ends here; the next one starts at zero.
    pub fn take_accounting(&self) -> PageCounters {
        self.touched.forget_written();
        self.command.set(self.command.get().wrapping_add(1).max(1));
        self.accounting.take()
    }

    /// Leaves the pages that are read from here on out of the command's account, until `step_back`. Nothing is written
    /// meanwhile.
    pub fn step_aside(&self) -> Aside {
        let command = self.command.get();
        let aside = Aside {
            command,
            counters: self.accounting.counters(),
            read: self.pages_of(command, |entry| entry.read.get()),
            was_noting: self.touched.note(false),
        };
        self.command.set(command.wrapping_add(1).max(1));
        aside
    }

    /// Goes on with the command that was left.
    pub fn step_back(&self, aside: Aside) {
        let passed = self.command.replace(aside.command);
        for entry in { self.table.iter() }.filter(|entry| entry.read.get() == passed) {
            entry.read.set(0);
        }
        for number in &aside.read {
            if let Some(entry) = self.table.get(*number as usize) {
                entry.read.set(aside.command);
            }
        }
        self.accounting.set(&aside.counters);
        self.touched.note(aside.was_noting);
    }

    /// The distinct pages that the current command looked at, and those that it made or changed.
    pub fn pages_of_command(&self) -> (Vec<PageNumber>, Vec<PageNumber>) {
        let command = self.command.get();
        let read = self.pages_of(command, |entry| entry.read.get());
        (read, self.pages_of(command, |entry| entry.written))
    }

    fn pages_of(&self, command: u32, mark: impl Fn(&Entry) -> u32) -> Vec<PageNumber> {
        let rows = self.table.iter().enumerate();
        rows.filter(|(_, entry)| mark(entry) == command)
            .map(|(number, _)| number as PageNumber)
            .collect()
    }

    /// Freezes the state that is visible now.
    pub fn open_snapshot(&self) -> Snapshot {
        Snapshot::open(&self.epochs)
    }

    /// A resident page. The caller looks whether it is the one that the link means (`page::is_meant`), when it reads
    /// the page's header anyway.
    #[inline]
    pub(crate) fn page(&self, link: PageLink) -> Result<&Buffer, StorageError> {
        let number = number_of(link);
        if let Some(Entry { buffer, read, .. }) = self.table.get(number as usize)
            && let Some(buffer) = buffer.get()
        {
            if read.get() != self.command.get() {
                read.set(self.command.get());
                self.count_read(number);
            }
            return Ok(buffer);
        }
        self.fault(number)
    }

    /// A command looks at a page for the first time.
    #[inline(never)]
    fn count_read(&self, number: PageNumber) {
        bump(&self.accounting.pages_read, 1);
        self.touched.read(number);
    }

    /// A page that is absent, from the source where there is one.
    #[cold]
    #[inline(never)]
    fn fault(&self, number: PageNumber) -> Result<&Buffer, StorageError> {
        let buffer = self.sourced(number)?;
        if let Some(entry) = self.table.get(number as usize) {
            entry.read.set(self.command.get());
        }
        self.count_read(number);
        Ok(buffer)
    }

    /// As `fault`, without counting the page as read.
    pub(crate) fn sourced(&self, number: PageNumber) -> Result<&Buffer, StorageError> {
        let absent = self.absent(number);
        let is_stored = matches!(absent.fault(), StorageFault::NotResident { .. });
        let (Some(source), Some(entry)) = (&self.source, self.table.get(number as usize)) else {
            return Err(absent);
        };
        if !is_stored {
            return Err(absent);
        }
        self.room.check()?;
        let Some(buffer) = source.read(number)? else {
            return Err(StorageError::corrupt(number, NOT_STORED));
        };
        self.examine(number, &buffer)?;
        Ok(entry.buffer.get_or_init(|| buffer))
    }

    #[cold]
    fn absent(&self, number: PageNumber) -> StorageError {
        match self.table.get(number as usize) {
            Some(entry) if entry.corrupt => {
                let reason = self.damage.get(&number).map_or("", String::as_str);
                StorageError::corrupt(number, reason)
            }
            // A freed page that has not come may be a snapshot's.
            Some(entry) if entry.state != State::Reusable && number != 0 => {
                StorageError::not_resident(number)
            }
            Some(_) => StorageError::corrupt(number, "a tree refers to a free page"),
            None => StorageError::corrupt(number, "there is no such page"),
        }
    }

    /// Whether the page may be changed in place.
    #[inline]
    pub(crate) fn is_writable(&self, link: PageLink) -> bool {
        self.table
            .get(number_of(link) as usize)
            .is_some_and(|entry| entry.born > self.epochs.frozen())
    }

    /// The page itself when it may be changed in place, else a copy under a new number (and the old one freed).
    #[inline]
    pub(crate) fn writable(&mut self, link: PageLink) -> Result<PageLink, StorageError> {
        if self.is_writable(link) {
            return Ok(link);
        }
        let buffer = Rc::clone(self.page(link)?);
        if !page::is_meant(&buffer, link) {
            return Err(page::not_meant(&buffer, link));
        }
        self.replace_page(link, buffer)
    }

    /// Gives the page new content: in place when that is allowed, else under a new number.
    pub(crate) fn replace_page(
        &mut self,
        link: PageLink,
        mut buffer: Buffer,
    ) -> Result<PageLink, StorageError> {
        let number = number_of(link);
        if self.is_writable(number) {
            self.log_image(number);
            let birth = self.birth_of(number)?;
            page::put_u64(&mut Rc::make_mut(&mut buffer)[..], SEQUENCE_AT, birth);
            self.table[number as usize].buffer = OnceCell::from(buffer);
            self.count_write(number);
            return Ok(link);
        }
        let copy = self.allocate(buffer)?;
        self.free(number)?;
        Ok(copy)
    }

    /// The bytes of a page that may be changed in place. The changed range must have been logged (`log_range`).
    #[inline]
    pub(crate) fn page_mut(
        &mut self,
        link: PageLink,
    ) -> Result<&mut [u8; PAGE_SIZE], StorageError> {
        let number = number_of(link);
        debug_assert!(self.is_writable(number), "page {number} is frozen");
        self.count_write(number);
        match self
            .table
            .get_mut(number as usize)
            .and_then(|entry| entry.buffer.get_mut())
        {
            Some(buffer) => Ok(Rc::make_mut(buffer)),
            None => Err(StorageError::not_resident(number)),
        }
    }

    /// A part of the command was rolled back: the pages that it changed after its first `so_far` do not count.
    pub(crate) fn uncount_writes(&mut self, so_far: usize) {
        for number in self.touched.take_back(so_far) {
            if let Some(entry) = self.table.get_mut(number as usize) {
                entry.written = 0;
            }
            let written = &self.accounting.pages_written;
            written.set(written.get().saturating_sub(1));
        }
    }

    #[inline]
    pub(crate) fn count_write(&mut self, number: PageNumber) {
        let command = self.command.get();
        if let Some(entry) = self.table.get_mut(number as usize)
            && entry.written != command
        {
            entry.written = command;
            bump(&self.accounting.pages_written, 1);
            self.touched.written(number);
        }
    }
}
