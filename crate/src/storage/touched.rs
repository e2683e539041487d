//! The pages that the commands of a run looked at and changed, as the shell's caller shows them.
//!
//! A run is all commands between two calls of `Pager::take_touched`. Invariants: work of the engine between commands
//! does not count; neither do changes that were rolled back, with their command or as a part of it, nor trial runs of
//! plans, as in `Accounting`. A run that is not watched is not noted.

use super::page::PageNumber;
use super::pager::Pager;
use std::cell::{Cell, RefCell};

/// A run's reads and writes of a page, as bits.
pub mod touch {
    pub const READ: u8 = 1;
    pub const WRITTEN: u8 = 2;
}

/// The notes of the run under way.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Whether a run is watched.
    is_watched: Cell<bool>,
    /// Whether a command of that run is under way.
    is_noting: Cell<bool>,
    /// By page number, as long as the highest page that was noted.
    marks: RefCell<Vec<u8>>,
    /// The pages that the command under way changed, in the order of their first change.
    changed: RefCell<Vec<PageNumber>>,
}

impl Touched {
    /// Notes a page that the command looks at for the first time.
    #[inline]
    pub(crate) fn read(&self, page: PageNumber) {
        if self.is_noting.get() {
            self.mark(page, touch::READ);
        }
    }

    /// Notes a page that the command changes for the first time.
    #[inline]
    pub(crate) fn written(&mut self, page: PageNumber) {
        self.changed.get_mut().push(page);
    }

    /// How many pages the command changed so far.
    pub(crate) fn written_so_far(&mut self) -> usize {
        self.changed.get_mut().len()
    }

    /// Forgets, and gives, the pages that the command changed after its first `so_far`: their changes were rolled back.
    pub(crate) fn take_back(&mut self, so_far: usize) -> Vec<PageNumber> {
        let changed = self.changed.get_mut();
        changed.split_off(so_far.min(changed.len()))
    }

    /// A command begins or ended.
    pub(crate) fn forget_written(&self) {
        self.changed.borrow_mut().clear();
    }

    /// Switches noting on or off, and gives how it was before.
    pub(crate) fn note(&self, on: bool) -> bool {
        self.is_noting.replace(on)
    }

    #[cold]
    fn mark(&self, page: PageNumber, bit: u8) {
        let mut marks = self.marks.borrow_mut();
        let at = page as usize;
        if marks.len() <= at {
            marks.resize(at + 1, 0);
        }
        marks[at] |= bit;
    }
}

impl Pager {
    /// A command begins, which may be one of a watched run.
    pub fn begin_touching(&self) {
        self.touched.note(self.touched.is_watched.get());
    }

    /// The command ended. The pages that it changed count if its changes are kept.
    pub fn end_touching(&self, is_kept: bool) {
        if self.touched.note(false) && is_kept {
            for page in self.touched.changed.borrow().iter() {
                self.touched.mark(*page, touch::WRITTEN);
            }
        }
    }

    /// Ends the run that was watched, and begins another where `watch` says so. Gives the numbers of the pages that it
    /// touched in ascending order, each times four plus the bits of `touch`.
    pub fn take_touched(&self, watch: bool) -> Vec<u32> {
        self.touched.is_watched.set(watch);
        let marks = self.touched.marks.take();
        let rows = marks.iter().enumerate();
        rows.filter(|(_, mark)| **mark != 0)
            .map(|(page, mark)| (page as u32) << 2 | u32::from(*mark))
            .collect()
    }
}
