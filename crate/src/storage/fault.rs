//! A device that fails on purpose, at a write point of choice.
//!
//! Every page of a batch is a write point, each copy of its header is one, so is the removal of the pages beyond its
//! end, and its acknowledgement: see `points`. They are counted over all writes. Most faults keep the promise of a
//! device (wholly or not at all); the two torn ones break it, and a reader of such a device must find the last
//! durable commit or notice the damage.

use super::commit::CommitBatch;
use super::device::{Durability, PageDevice};
use super::header::HEADER_COPIES;
use super::memory::MemoryDevice;
use super::page::{Buffer, PageNumber};
use crate::error::StorageError;
use std::cell::Cell;

/// The kinds of failure that a test plans for a write point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// One write fails; the device works on. At the acknowledgement: the batch is stored all the same.
    Fail,
    /// The device cannot grow: `OutOfSpace` once.
    Full,
    /// The power goes: this write and every call after it fail until `revive`. At the acknowledgement: the batch is
    /// stored.
    Cut,
    /// The power goes: records before the point stay written, that of the point by half. The header's copies are
    /// written one after the other, and never before the pages.
    Torn,
    /// The power goes, the header is written, and pages from the point on are not, that of the point by half.
    TornBehindHeader,
}

/// A memory device with one planned fault.
#[derive(Debug, Default)]
pub struct FaultDevice {
    inner: MemoryDevice,
    plan: Cell<Option<(u64, Fault)>>,
    points: Cell<u64>,
    dead: Cell<bool>,
}

impl FaultDevice {
    /// A device over the records of a memory device, with no fault planned.
    pub fn over(inner: MemoryDevice) -> Self {
        Self {
            inner,
            ..Self::default()
        }
    }

    /// Plans one fault at the write point `at`, counted from now.
    pub fn plan(&self, at: u64, fault: Fault) {
        self.points.set(0);
        self.plan.set(Some((at, fault)));
    }

    /// The power is back.
    pub fn revive(&self) {
        self.dead.set(false);
        self.plan.set(None);
    }

    /// Whether the planned fault has not happened yet.
    pub fn is_pending(&self) -> bool {
        self.plan.get().is_some()
    }

    /// The stored pages and headers.
    pub fn stored(&self) -> &MemoryDevice {
        &self.inner
    }

    fn alive(&self) -> Result<(), StorageError> {
        if self.dead.get() {
            Err(failure("the device has no power"))
        } else {
            Ok(())
        }
    }

    /// Leaves behind the records of a device that is not atomic: `whole` whole ones, and the start of the next. The end
    /// of a record may be zeros, so that half of one can be all of it.
    fn tear(&self, batch: &CommitBatch, whole: usize) {
        let cut = |old: Option<Vec<u8>>, new: &[u8]| {
            let mut record = old.unwrap_or_else(|| vec![0; new.len()]);
            record.resize(new.len(), 0);
            record[..new.len() / 3].copy_from_slice(&new[..new.len() / 3]);
            record
        };
        for (index, (number, buffer)) in batch.pages.iter().enumerate().take(whole + 1) {
            if index < whole {
                self.inner.put_page(*number, &buffer[..]);
            } else {
                let part = cut(self.inner.page(*number), &buffer[..]);
                self.inner.put_page(*number, &part);
            }
        }
        for copy in 0..HEADER_COPIES {
            let index = batch.pages.len() + copy;
            if index < whole {
                self.inner.put_header(copy, Some(&batch.header));
            } else if index == whole {
                let part = cut(self.inner.header_copy(copy), &batch.header);
                self.inner.put_header(copy, Some(&part));
            }
        }
    }
}

/// How many write points a batch has: its pages, the copies of its header, the removal of pages beyond its end, and the
/// acknowledgement, which is the last.
pub fn points(batch: &CommitBatch) -> u64 {
    (batch.pages.len() + HEADER_COPIES) as u64 + 2
}

fn failure(reason: &str) -> StorageError {
    StorageError::device(reason.to_owned())
}

impl PageDevice for FaultDevice {
    async fn read_header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        self.alive()?;
        self.inner.read_header().await
    }

    async fn stored_pages(&self) -> Result<u64, StorageError> {
        self.alive()?;
        self.inner.stored_pages().await
    }

    async fn read_pages(
        &self,
        first: PageNumber,
        count: u64,
    ) -> Result<Vec<(PageNumber, Buffer)>, StorageError> {
        self.alive()?;
        self.inner.read_pages(first, count).await
    }

    async fn write(&self, batch: &CommitBatch, durability: Durability) -> Result<(), StorageError> {
        self.alive()?;
        if !self.inner.admit(batch)? {
            return Ok(());
        }
        let from = self.points.get();
        let end = from + points(batch);
        self.points.set(end);
        let Some((at, fault)) = self.plan.get().filter(|(at, _)| (from..end).contains(at)) else {
            return self.inner.write(batch, durability).await;
        };
        self.plan.set(None);
        if at + 1 == end {
            self.inner.write(batch, durability).await?;
        }
        match fault {
            Fault::Fail => return Err(failure("the write failed")),
            Fault::Full => return Err(StorageError::out_of_space()),
            Fault::Cut => {}
            Fault::Torn => self.tear(batch, (at - from) as usize),
            Fault::TornBehindHeader => {
                self.tear(batch, (at - from) as usize);
                for copy in 0..HEADER_COPIES {
                    self.inner.put_header(copy, Some(&batch.header));
                }
            }
        }
        self.dead.set(true);
        Err(failure("the power went"))
    }
}
