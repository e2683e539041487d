//! A device that fails on purpose, at a write point of choice.
//!
//! Every page of a batch is a write point, its header is one, and its acknowledgement is one: a batch of `n` pages has
//! `n + 2`. Points are counted over all writes. Most faults keep the promise of a device (wholly or not at all); the two
//! torn ones break it, and whoever reads such a device must find the last durable commit or notice the damage.

use super::commit::CommitBatch;
use super::device::{Durability, PageDevice};
use super::memory::MemoryDevice;
use super::page::{Buffer, PAGE_SIZE, PageNumber};
use crate::error::StorageError;
use std::cell::Cell;

/// What goes wrong at the write point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// One write fails; the device works on. At the acknowledgement: the batch is stored all the same.
    Fail,
    /// The device cannot grow: `OutOfSpace` once.
    Full,
    /// The power goes: this write and every call after it fail until `revive`. At the acknowledgement: the batch is stored.
    Cut,
    /// The power goes and pages before the point stay written, that of the point by half. The header is never written
    /// before the pages.
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
    /// A device over what another one stores.
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

    /// What is stored.
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

    /// Leaves pages behind as a device would that is not atomic.
    fn tear(&self, batch: &CommitBatch, whole: usize) {
        for (index, (number, buffer)) in batch.pages.iter().enumerate() {
            if index < whole {
                self.inner.put_page(*number, &buffer[..]);
            } else if index == whole {
                let mut half = self
                    .inner
                    .page(*number)
                    .unwrap_or_else(|| vec![0; PAGE_SIZE]);
                half.resize(PAGE_SIZE, 0);
                half[..PAGE_SIZE / 2].copy_from_slice(&buffer[..PAGE_SIZE / 2]);
                self.inner.put_page(*number, &half);
            }
        }
    }
}

fn failure(reason: &str) -> StorageError {
    StorageError::device(reason.to_owned())
}

impl PageDevice for FaultDevice {
    async fn read_header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        self.alive()?;
        self.inner.read_header().await
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
        let pages = batch.pages.len() as u64;
        self.points.set(from + pages + 2);
        let Some((at, fault)) = self
            .plan
            .get()
            .filter(|(at, _)| (from..from + pages + 2).contains(at))
        else {
            return self.inner.write(batch, durability).await;
        };
        self.plan.set(None);
        let point = at - from;
        if point == pages + 1 {
            self.inner.write(batch, durability).await?;
        }
        match fault {
            Fault::Fail => return Err(failure("the write failed")),
            Fault::Full => return Err(StorageError::out_of_space()),
            Fault::Cut => {}
            Fault::Torn => self.tear(batch, point as usize),
            Fault::TornBehindHeader => {
                self.tear(batch, point as usize);
                self.inner.put_header(&batch.header);
            }
        }
        self.dead.set(true);
        Err(failure("the power went"))
    }
}
