//! A device in memory: for tests, for deployments without storage, and as the base of the fault device.
//!
//! Invariant: it stores pages as a device would have them on disk: copies, never buffers shared with a pager.

use super::commit::CommitBatch;
use super::device::{Durability, PageDevice};
use super::header::{HEADER_COPIES, current_header, header_identity};
use super::page::{Buffer, PAGE_SIZE, PageNumber, buffer_from, zeroed_buffer};
use crate::error::StorageError;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Pages and a header in memory. Cloning gives another handle to the same store, as two tabs have; `copy` gives a store
/// of its own.
#[derive(Debug, Clone, Default)]
pub struct MemoryDevice {
    stored: Rc<RefCell<Stored>>,
}

#[derive(Debug, Clone, Default)]
struct Stored {
    headers: [Option<Vec<u8>>; HEADER_COPIES],
    pages: BTreeMap<PageNumber, Vec<u8>>,
}

impl Stored {
    fn header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        current_header(self.headers.clone(), !self.pages.is_empty())
    }
}

impl MemoryDevice {
    /// A device that was never written.
    pub fn new() -> Self {
        Self::default()
    }

    /// A store of its own with the same content.
    pub fn copy(&self) -> Self {
        Self {
            stored: Rc::new(RefCell::new(self.stored.borrow().clone())),
        }
    }

    /// The stored bytes of a page.
    pub fn page(&self, number: PageNumber) -> Option<Vec<u8>> {
        self.stored.borrow().pages.get(&number).cloned()
    }

    /// Numbers of the stored pages, ascending.
    pub fn page_numbers(&self) -> Vec<PageNumber> {
        self.stored.borrow().pages.keys().copied().collect()
    }

    /// Stores a page as it is, with no check of its bytes: to model damage.
    pub fn put_page(&self, number: PageNumber, bytes: &[u8]) {
        self.stored
            .borrow_mut()
            .pages
            .insert(number, bytes.to_vec());
    }

    /// Takes a page away: to model damage.
    pub fn remove_page(&self, number: PageNumber) {
        self.stored.borrow_mut().pages.remove(&number);
    }

    /// One of the header's copies as it is stored.
    pub fn header_copy(&self, copy: usize) -> Option<Vec<u8>> {
        self.stored.borrow().headers.get(copy)?.clone()
    }

    /// Stores one of the header's copies as it is, or takes it away: to model damage, and builds that kept one only.
    pub fn put_header(&self, copy: usize, bytes: Option<&[u8]>) {
        if let Some(header) = self.stored.borrow_mut().headers.get_mut(copy) {
            *header = bytes.map(<[u8]>::to_vec);
        }
    }

    /// Whether the batch may be written: `Ok(false)` when it is stored already.
    ///
    /// # Errors
    /// `Fenced`, and the errors of a damaged or missing header.
    pub(crate) fn admit(&self, batch: &CommitBatch) -> Result<bool, StorageError> {
        let stored = self.stored.borrow();
        let header = match stored.header() {
            Err(error) if batch.over_damage && error.is_corrupt() => return Ok(true),
            header => header?,
        };
        let (sequence, lineage) = match header {
            Some(header) if header[..] == batch.header[..] => return Ok(false),
            Some(header) => header_identity(&header)?,
            None => (0, 0),
        };
        if (sequence, lineage) != (batch.expected, batch.expected_lineage) {
            return Err(StorageError::fenced(sequence, batch.expected));
        }
        Ok(true)
    }
}

impl PageDevice for MemoryDevice {
    async fn read_header(&self) -> Result<Option<Vec<u8>>, StorageError> {
        self.stored.borrow().header()
    }

    async fn stored_pages(&self) -> Result<u64, StorageError> {
        Ok(self.stored.borrow().pages.len() as u64)
    }

    async fn read_pages(
        &self,
        first: PageNumber,
        count: u64,
    ) -> Result<Vec<(PageNumber, Buffer)>, StorageError> {
        let stored = self.stored.borrow();
        let range = stored.pages.range(first..first.saturating_add(count));
        Ok(range
            .map(|(number, bytes)| (*number, buffer_from(bytes).unwrap_or_else(zeroed_buffer)))
            .collect())
    }

    async fn write(
        &self,
        batch: &CommitBatch,
        _durability: Durability,
    ) -> Result<(), StorageError> {
        if !self.admit(batch)? {
            return Ok(());
        }
        let mut stored = self.stored.borrow_mut();
        for (number, buffer) in &batch.pages {
            let page = stored
                .pages
                .entry(*number)
                .or_insert_with(|| vec![0; PAGE_SIZE]);
            page.clear();
            page.extend_from_slice(&buffer[..]);
        }
        stored.pages.split_off(&batch.page_count);
        stored.headers.fill(Some(batch.header.to_vec()));
        Ok(())
    }
}
