//! A source of pages that can be read in the midst of a command: a file, whose reads do not wait.
//!
//! Without one a command that meets an absent page stops, and is run again once its host has fetched the page
//! (`demand`). With one it goes on, and clean pages may be forgotten between commands (`Pager::spare`), so that a
//! deployment may be larger than memory. Invariant: the source gives each page as the last durable batch has it, as
//! long as the pager has not given out its number again.
//!
//! A page behind the end of the page space is claimed of the source before it is given out, so that a command is
//! refused where storage has no room for its pages, and not after it was acknowledged.

use super::page::{Buffer, PageNumber};
use super::pager::{Pager, State};
use crate::algorithms::sorting;
use crate::error::StorageError;
use std::fmt::Debug;

/// Stored pages by number.
pub trait PageSource: Debug {
    /// The page as it is stored, unchecked; `None` where nothing is stored under this number.
    ///
    /// # Errors
    /// `Device`.
    fn read(&self, number: PageNumber) -> Result<Option<Buffer>, StorageError>;

    /// Has room in storage for every page below `end`; with `spare` for those behind it too that are kept for commands
    /// which free room.
    ///
    /// # Errors
    /// `OutOfSpace`; `Device`.
    fn claim(&self, end: PageNumber, spare: bool) -> Result<(), StorageError>;

    /// The state that is sealed ends here: what was claimed behind it may go, but for the spare pages.
    fn disclaim(&self, end: PageNumber);
}

impl Pager {
    /// Claims room for the pages below this number, where they are to be stored at a source.
    pub(crate) fn claim(&self, end: PageNumber) -> Result<(), StorageError> {
        match &self.source {
            Some(source) if self.claims => source.claim(end, self.keeps()),
            _ => Ok(()),
        }
    }

    /// Forgets at most `wanted` clean pages; the pages that commands looked at last are forgotten last. Gives the
    /// number of forgotten pages: 0 without a source, in a savepoint, or while batches are not confirmed.
    pub fn spare(&mut self, wanted: usize) -> usize {
        if self.source.is_none() || self.undo.is_open() || !self.unconfirmed.is_empty() {
            return 0;
        }
        let sealed = self.epochs.sealed();
        let rows = self.table.iter().enumerate();
        // By the last command that looked at the page.
        let mut clean: Vec<u64> = rows
            .filter(|(_, entry)| {
                entry.state == State::Used && entry.born <= sealed && entry.buffer.get().is_some()
            })
            .map(|(number, entry)| u64::from(entry.read.get()) << 32 | number as u64)
            .collect();
        sorting::sort(&mut clean);
        let oldest = clean.iter().take(wanted);
        oldest
            .filter(|row| self.evict(**row & u64::from(u32::MAX)))
            .count()
    }
}
