//! The place where a deployment is stored: a header record, kept twice, and pages by number.
//!
//! Invariants every device keeps (`conformance` proves them): a batch applies wholly or not at all; it applies only
//! when the stored sequence and lineage are those it expects; a batch that is stored already is accepted again, so that
//! a write whose outcome was never heard of can be repeated; one lost or damaged copy of the header costs nothing, and
//! is mended by the next batch; pages without a readable header are damage and never overwritten.

use super::commit::CommitBatch;
use super::demand::NOT_STORED;
use super::page::{Buffer, PageNumber};
use super::pager::Pager;
use crate::error::StorageError;

/// How far a write must have come before it counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Handed to the operating system: survives the end of the process.
    Relaxed,
    /// On stable storage: survives a power cut.
    Strict,
}

/// A store of pages. Reads may run while a write is under way and see the state before it.
///
/// Everything runs on one thread, so the futures need not be `Send`.
#[allow(async_fn_in_trait)]
pub trait PageDevice {
    /// The header record that counts (`current_header`); `None` for a device that was never written.
    ///
    /// # Errors
    /// `Device`; `UnsupportedFormat` and `Corrupt` (page 0) when no copy can be read although something is stored.
    async fn read_header(&self) -> Result<Option<Vec<u8>>, StorageError>;

    /// How many pages are stored, damaged ones too.
    ///
    /// # Errors
    /// `Device`.
    async fn stored_pages(&self) -> Result<u64, StorageError>;

    /// The stored pages among `count` numbers from `first`, ascending, as they are: the reader checks them. A number
    /// without a page is left out; a stored record that is not `PAGE_SIZE` long is delivered as zeros, which no check
    /// accepts.
    ///
    /// # Errors
    /// `Device`.
    async fn read_pages(
        &self,
        first: PageNumber,
        count: u64,
    ) -> Result<Vec<(PageNumber, Buffer)>, StorageError>;

    /// Writes a batch, pages and header, wholly or not at all. Returns once it is as durable as asked. When the stored
    /// header is the batch's own already, that is a success.
    ///
    /// # Errors
    /// `Fenced` when the stored sequence is not `batch.expected`, or the lineage another; those of `read_header`;
    /// `OutOfSpace`; `Device`. Nothing was written then, or (`Device` only) it is unknown whether anything was: write
    /// the same batch again.
    async fn write(&self, batch: &CommitBatch, durability: Durability) -> Result<(), StorageError>;
}

/// A deployment read from a device.
#[derive(Debug)]
pub struct Loaded {
    /// All pages resident.
    pub pager: Pager,
    /// Pages in use that were missing or failed their checks; reading them is an error that names them.
    pub damaged: Vec<PageNumber>,
}

/// Reads a whole deployment; `None` when the device was never written.
///
/// # Errors
/// `Device`; `UnsupportedFormat` and `Corrupt` (page 0) of the header. Damaged pages are no error here: the others stay
/// readable.
pub async fn load<D: PageDevice>(device: &D) -> Result<Option<Loaded>, StorageError> {
    let Some(header) = device.read_header().await? else {
        return Ok(None);
    };
    let mut pager = Pager::open(&header)?;
    for (number, buffer) in device.read_pages(1, pager.page_count() - 1).await? {
        // A page that fails its checks is marked; if it is a free one nobody will ask for it.
        let _ = pager.insert_buffer(number, buffer);
    }
    // A damaged free list refuses writes when they come; reading works without it.
    let _ = pager.load_free_list();
    let damaged = pager.absent_pages();
    // The device was asked for all pages, so it does not have those that did not come.
    for number in &damaged {
        pager.give_up(*number, NOT_STORED);
    }
    Ok(Some(Loaded { pager, damaged }))
}
