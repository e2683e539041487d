//! The page device over one file: two slots for the header, then pages by number (docs/format.md, "Places in a file").
//!
//! A batch is written so: pages, sync, header into one slot, sync, header into the other slot. The first of these slots
//! is never the one that is known to be on stable storage, so that a torn header leaves the state before it. The second
//! copy is for damage at rest alone, and is not relied upon. Invariants: no page is written before the header that
//! needs its place no more is on stable storage; after a failed sync nothing counts as synced that was written before
//! it, so the same bytes are written again; a file that is not this engine's is never written.
//!
//! The pages of a command have their places in the file before the command is acknowledged, and behind them lie spare
//! places, which only commands that free room may take. So a full disk refuses commands, loses none that was
//! acknowledged, and keeps nobody from deleting.

use super::commit::CommitBatch;
use super::device::{Durability, PageDevice};
use super::header::{HEADER_COPIES, current_header, header_identity, header_page_count};
use super::page::{self, Buffer, PAGE_SIZE, PageNumber, zeroed_buffer};
use super::source::PageSource;
use crate::error::StorageError;
use std::cell::Cell;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// The layout of the file itself; the pages' format version is in the header.
const LAYOUT_VERSION: u32 = 1;
/// A slot is as large as a page.
const SLOT: usize = PAGE_SIZE;
/// Both slots, with which a file begins.
const SLOTS: usize = SLOT * HEADER_COPIES;
/// The last bytes of a slot: what it is, the file's layout, and how long the record is.
const TRAILER: usize = SLOT - 16;
const TRAILER_MAGIC: &[u8; 8] = b"QUIREPGS";
/// So many places (4 MiB) behind the last page are kept for commands that free room: they too need pages to change.
const SPARE_PAGES: u64 = 256;
/// The file grows by so many places more than are needed, where there is room.
const GROWTH_PAGES: u64 = 64;
const LAYOUT_AT: usize = TRAILER + 8;
const LENGTH_AT: usize = TRAILER + 12;

/// The bytes of a file, as a host reads and writes them.
#[allow(async_fn_in_trait)]
pub trait ByteFile {
    /// How many bytes there are.
    ///
    /// # Errors
    /// `Device`.
    fn length(&self) -> Result<u64, StorageError>;

    /// Reads from a place on; gives how many bytes: fewer than wanted only at the end.
    ///
    /// # Errors
    /// `Device`.
    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<usize, StorageError>;

    /// Writes at a place; gives how many of the bytes were taken.
    ///
    /// # Errors
    /// `OutOfSpace`; `Device`.
    fn write(&self, at: u64, bytes: &[u8]) -> Result<usize, StorageError>;

    /// Waits until everything that was written is on stable storage.
    ///
    /// # Errors
    /// `OutOfSpace`; `Device`. What was written since the last sync may be lost then.
    async fn sync(&self) -> Result<(), StorageError>;

    /// Cuts the file.
    ///
    /// # Errors
    /// `Device`.
    fn truncate(&self, length: u64) -> Result<(), StorageError>;
}

/// What a slot holds.
enum Slot {
    /// As long as its trailer says; it may be damaged all the same.
    Record(Vec<u8>),
    /// Nothing was committed when it was written.
    Fresh,
    /// No slot of this engine.
    Damaged,
    /// Of another layout.
    Unknown(u32),
}

impl Slot {
    fn of(bytes: &[u8]) -> Self {
        if bytes.len() < SLOT || bytes[TRAILER..LAYOUT_AT] != TRAILER_MAGIC[..] {
            return Self::Damaged;
        }
        match (
            page::get_u32(bytes, LAYOUT_AT),
            page::get_u32(bytes, LENGTH_AT) as usize,
        ) {
            (LAYOUT_VERSION, 0) => Self::Fresh,
            (LAYOUT_VERSION, length @ 1..=TRAILER) => Self::Record(bytes[..length].to_vec()),
            (LAYOUT_VERSION, _) => Self::Damaged,
            (layout, _) => Self::Unknown(layout),
        }
    }

    fn has(&self, header: &[u8]) -> bool {
        matches!(self, Self::Record(record) if record == header)
    }
}

/// A slot with this record; none of no bytes.
fn slot_with(record: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; SLOT];
    bytes[..record.len()].copy_from_slice(record);
    bytes[TRAILER..LAYOUT_AT].copy_from_slice(TRAILER_MAGIC);
    page::put_u32(&mut bytes, LAYOUT_AT, LAYOUT_VERSION);
    page::put_u32(&mut bytes, LENGTH_AT, record.len() as u32);
    bytes
}

/// Whether these are all bytes of a file whose making was cut off: those of a new file's slots, or zeros.
fn is_unborn(bytes: &[u8]) -> bool {
    let fresh = slot_with(&[]);
    let mut expected = fresh.iter().cycle();
    bytes.len() <= SLOTS && { bytes.iter() }
        .all(|byte| expected.next().is_some_and(|new| *byte == 0 || byte == new))
}

/// The header that counts.
fn header_in(slots: &[Slot; HEADER_COPIES]) -> Result<Option<Vec<u8>>, StorageError> {
    let copies = slots.each_ref().map(|slot| match slot {
        Slot::Record(record) => Some(record.clone()),
        _ => None,
    });
    let is_new = slots.iter().any(|slot| matches!(slot, Slot::Fresh));
    let found = current_header(copies, !is_new);
    if matches!(found, Ok(Some(_))) {
        return found;
    }
    for slot in slots {
        if let Slot::Unknown(layout) = slot {
            return Err(StorageError::unsupported_format(*layout, LAYOUT_VERSION));
        }
    }
    match found {
        // The first header of all was torn.
        Err(error) if is_new && error.is_corrupt() => Ok(None),
        Err(_) if slots.iter().all(|slot| matches!(slot, Slot::Damaged)) => {
            Err(StorageError::corrupt(
                0,
                "the file is none of this engine's, or both copies of its header are damaged",
            ))
        }
        found => found,
    }
}

/// Where a page lies.
const fn place_of(number: PageNumber) -> u64 {
    SLOTS as u64 + (number - 1) * PAGE_SIZE as u64
}

/// A deployment's file. No other process is to write it while this device is there; where one did all the same, the
/// fence refuses the next batch.
pub struct FileDevice<F: ByteFile> {
    file: F,
    /// The slot whose header this device knows to be on stable storage, and that header's identity.
    synced: Cell<Option<(usize, (u64, u64))>>,
    /// The places that are kept behind the last page.
    spare: u64,
    /// Pages below this number are claimed by the state that was sealed last, or by commands since.
    claimed: Cell<PageNumber>,
    /// Pages below this number are known to have their places in the file.
    ground: Cell<PageNumber>,
}

impl<F: ByteFile> fmt::Debug for FileDevice<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileDevice")
            .field("synced", &self.synced)
            .finish_non_exhaustive()
    }
}

impl<F: ByteFile> FileDevice<F> {
    /// The device over a file; nothing is read yet.
    pub fn new(file: F) -> Self {
        Self {
            file,
            synced: Cell::new(None),
            spare: SPARE_PAGES,
            claimed: Cell::new(0),
            ground: Cell::new(0),
        }
    }

    /// The same with so many spare places behind the last page.
    pub fn sparing(self, spare: u64) -> Self {
        Self { spare, ..self }
    }

    /// The file's bytes.
    pub fn file(&self) -> &F {
        &self.file
    }

    /// The header record that counts; `None` for a new file.
    ///
    /// # Errors
    /// As `PageDevice::read_header`.
    pub fn header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        header_in(&self.slots()?)
    }

    fn slots(&self) -> Result<[Slot; HEADER_COPIES], StorageError> {
        let mut bytes = vec![0; SLOTS];
        let read = self.read_at(0, &mut bytes)?;
        if self.file.length()? <= SLOTS as u64 && is_unborn(&bytes[..read]) {
            return Ok([Slot::Fresh, Slot::Fresh]);
        }
        let (first, second) = bytes[..read].split_at(SLOT.min(read));
        Ok([Slot::of(first), Slot::of(second)])
    }

    /// Reads until there is no more.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<usize, StorageError> {
        let mut read = 0;
        while read < bytes.len() {
            match self.file.read(at + read as u64, &mut bytes[read..])? {
                0 => break,
                more => read += more,
            }
        }
        Ok(read)
    }

    /// Writes until all is taken.
    fn write_at(&self, at: u64, bytes: &[u8]) -> Result<(), StorageError> {
        let mut written = 0;
        while written < bytes.len() {
            match self.file.write(at + written as u64, &bytes[written..])? {
                0 => return Err(StorageError::device("the file takes no more bytes")),
                more => written += more,
            }
        }
        Ok(())
    }

    fn put_slot(&self, slot: usize, record: &[u8]) -> Result<(), StorageError> {
        if record.len() > TRAILER {
            return Err(StorageError::broken("a header is longer than its slot"));
        }
        self.write_at((slot * SLOT) as u64, &slot_with(record))
    }

    /// Brings the stored header to stable storage, in the slot where it is: the bytes are the same, so a torn write
    /// changes none that the device has. Pages of it are there already: they were synced before it was written.
    async fn settle(
        &self,
        slots: &[Slot; HEADER_COPIES],
        stored: &[u8],
    ) -> Result<(), StorageError> {
        let identity = header_identity(stored)?;
        if let Some((slot, known)) = self.synced.get()
            && known == identity
            && slots[slot].has(stored)
        {
            return Ok(());
        }
        let slot = usize::from(!slots[0].has(stored));
        self.put_slot(slot, stored)?;
        self.file.sync().await?;
        self.synced.set(Some((slot, identity)));
        Ok(())
    }

    async fn write_batch(&self, batch: &CommitBatch) -> Result<(), StorageError> {
        let slots = self.slots()?;
        let stored = match header_in(&slots) {
            Err(error) if batch.over_damage && error.is_corrupt() => None,
            stored => match stored? {
                Some(stored) if stored[..] == batch.header[..] => {
                    // A try before this one wrote it; its sync may have failed.
                    return self.settle(&slots, &stored).await;
                }
                stored => {
                    let identity = stored.as_deref().map_or(Ok((0, 0)), header_identity)?;
                    if identity != (batch.expected, batch.expected_lineage) {
                        return Err(StorageError::fenced(identity.0, batch.expected));
                    }
                    stored
                }
            },
        };
        match &stored {
            Some(stored) => self.settle(&slots, stored).await?,
            None => {
                self.synced.set(None);
                if !batch.over_damage {
                    // Until there is a header, this says that none was ever stored.
                    (0..HEADER_COPIES).try_for_each(|slot| self.put_slot(slot, &[]))?;
                    self.file.sync().await?;
                }
            }
        }
        for (number, buffer) in &batch.pages {
            self.write_at(place_of(*number), &buffer[..])?;
        }
        self.file.sync().await?;
        let slot = self.synced.get().map_or(0, |(slot, _)| 1 - slot);
        self.put_slot(slot, &batch.header)?;
        self.file.sync().await?;
        self.synced
            .set(Some((slot, header_identity(&batch.header)?)));
        // The batch is stored. A copy that cannot be written is written with the next batch, and so is a file cut.
        let is_copied = self.put_slot(1 - slot, &batch.header).is_ok();
        let stored_count =
            stored.map_or(u64::MAX, |stored| header_page_count(&stored).unwrap_or(0));
        let end = batch.page_count.max(self.claimed.get());
        if is_copied && stored_count > batch.page_count {
            let _ = self.shrink_to(end + self.spare, batch.page_count..stored_count);
        }
        // Where there is no room for the spare places now, the next command that needs them is told.
        let _ = self.grow_to(end + self.spare);
        Ok(())
    }

    /// Cuts the file behind the places below this number. Those among them that pages have left hold zeros again.
    fn shrink_to(&self, end: PageNumber, left: Range<PageNumber>) -> Result<(), StorageError> {
        if self.end()? > end {
            self.ground.set(0);
            self.file.truncate(place_of(end))?;
        }
        for number in left.start..left.end.min(self.end()?) {
            self.write_at(place_of(number), &[0; PAGE_SIZE])?;
        }
        Ok(())
    }

    /// Has places in the file for the pages below this number. They are written, with zeros, since a place that was
    /// only skipped may find no room when its page comes. Bytes that are there stay.
    fn grow_to(&self, end: PageNumber) -> Result<(), StorageError> {
        if end <= self.ground.get() {
            return Ok(());
        }
        // Before the first batch the file has nothing to free, and its slots must come first.
        let places_in = |length: u64| (length - SLOTS as u64) / PAGE_SIZE as u64 + 1;
        let length = self.file.length()?;
        // A file that has the places is left as it is: a program that only reads it changes nothing.
        if length > SLOTS as u64 && end <= places_in(length) {
            self.ground.set(places_in(length));
        } else if length > SLOTS as u64 {
            let zeros = vec![0; GROWTH_PAGES as usize * PAGE_SIZE];
            let to = |end: PageNumber| -> Result<(), StorageError> {
                let mut at = self.file.length()?;
                while at < place_of(end) {
                    let more = (place_of(end) - at).min(zeros.len() as u64);
                    self.write_at(at, &zeros[..more as usize])?;
                    at += more;
                }
                Ok(())
            };
            to(end + GROWTH_PAGES).or_else(|_| to(end))?;
            self.ground.set(places_in(self.file.length()?));
        }
        Ok(())
    }

    fn page(&self, number: PageNumber) -> Result<Option<Buffer>, StorageError> {
        let mut buffer = zeroed_buffer();
        let Some(bytes) = Rc::get_mut(&mut buffer) else {
            return Ok(None);
        };
        let read = self.read_at(place_of(number), bytes)?;
        // A place that was never written to is a hole.
        let is_there = bytes[..read].iter().any(|byte| *byte != 0);
        Ok(is_there.then_some(buffer))
    }

    /// The number after the last page that has room in the file.
    ///
    /// # Errors
    /// `Device`.
    pub fn end(&self) -> Result<PageNumber, StorageError> {
        let pages = self.file.length()?.saturating_sub(SLOTS as u64);
        Ok(pages.div_ceil(PAGE_SIZE as u64) + 1)
    }

    /// Brings everything that was written to stable storage.
    ///
    /// # Errors
    /// Those of `ByteFile::sync`.
    pub async fn sync(&self) -> Result<(), StorageError> {
        self.file.sync().await
    }
}

impl<F: ByteFile> PageSource for FileDevice<F> {
    fn read(&self, number: PageNumber) -> Result<Option<Buffer>, StorageError> {
        self.page(number)
    }

    fn claim(&self, end: PageNumber, spare: bool) -> Result<(), StorageError> {
        self.grow_to(end + if spare { self.spare } else { 0 })?;
        self.claimed.set(self.claimed.get().max(end));
        Ok(())
    }

    fn disclaim(&self, end: PageNumber) {
        self.claimed.set(end);
    }
}

impl<F: ByteFile> PageDevice for FileDevice<F> {
    async fn read_header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        self.header()
    }

    async fn stored_pages(&self) -> Result<u64, StorageError> {
        let mut stored = 0;
        for number in 1..self.end()? {
            stored += u64::from(self.page(number)?.is_some());
        }
        Ok(stored)
    }

    async fn read_pages(
        &self,
        first: PageNumber,
        count: u64,
    ) -> Result<Vec<(PageNumber, Buffer)>, StorageError> {
        let mut pages = Vec::new();
        for number in first..first.saturating_add(count).min(self.end()?) {
            pages.extend(self.page(number)?.map(|buffer| (number, buffer)));
        }
        Ok(pages)
    }

    /// As strictly as can be, however it is asked for: a page may be written only once the header before is on stable
    /// storage, so that less would save little.
    async fn write(&self, batch: &CommitBatch, _: Durability) -> Result<(), StorageError> {
        self.write_batch(batch).await
    }
}
