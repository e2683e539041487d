//! How much of the heap is left: the engine's questions to the host, which owns the allocator.
//!
//! Invariant: an answer allocates nothing that stays, and never fails.

use crate::error::StorageError;

/// The kind of memory that a command needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Memory that stays in use: documents, index keys, pages.
    Keep,
    /// Working memory only: the command reads, or takes documents away.
    Work,
}

/// The allocator, as far as the engine asks about it.
pub trait Heap {
    /// A number that changes whenever the heap has grown. Cheaper than `has_room`: asked at every checkpoint.
    fn growth(&self) -> usize;

    /// Whether a command of this need may take more.
    fn has_room(&self, need: Need) -> bool;

    /// Whether the last no was for want of room that others hold.
    fn wants_room(&self) -> bool {
        true
    }

    /// Says that memory was given back before the command begins anew: what was short may be there now.
    fn begin_anew(&self) {}
}

/// A heap without a cap: the operating system's.
pub struct Uncapped;

impl Heap for Uncapped {
    fn growth(&self) -> usize {
        0
    }

    fn has_room(&self, _: Need) -> bool {
        true
    }
}

/// The heap as one command may use it.
#[derive(Clone, Copy)]
pub struct Room {
    pub heap: &'static dyn Heap,
    pub need: Need,
}

impl Room {
    /// The room of a host that has no cap.
    pub const UNCAPPED: Self = Self {
        heap: &Uncapped,
        need: Need::Work,
    };

    /// Whether the command may go on taking memory.
    ///
    /// # Errors
    /// `OutOfMemory`, once the heap has reached its cap.
    pub fn check(self) -> Result<(), StorageError> {
        match self.heap.has_room(self.need) {
            true => Ok(()),
            false => Err(StorageError::out_of_memory()),
        }
    }
}

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("need", &self.need).finish()
    }
}
