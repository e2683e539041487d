//! The way of a deployment's changes to its device: the write under way, the durability asked for, and the trouble met.
//!
//! ```text
//!      begin              end
//! Idle ─────▶ Writing ─────────▶ Idle
//!  │  ▲
//!  │  └──────── end_lending ──────┐
//!  └───── lend ─────▶ Lent ───────┘
//! ```
//!
//! Nothing here decides when something is written or lent: `web/src/worker/flushing.ts` does. Invariants: one writer at
//! a time, this thread or the one that batches were lent to; the strictest durability that was asked for is kept until
//! a write has given it; a trouble stays until a write succeeded, or until the deployment begins anew.

use crate::error::{StorageError, StorageFault};
use crate::storage::Durability;
use std::cell::{Cell, RefCell};

/// Which write is under way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Idle,
    /// A batch of this thread is under way.
    Writing,
    /// Batches were lent to another thread: none is written here before it has given them back.
    Lent,
}

/// The reasons why changes are not stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The device has no room: a later write may succeed.
    Full,
    /// Another writer took over; changes that are not stored here are lost.
    Displaced,
    /// For good.
    Failed,
}

impl Trouble {
    pub(super) fn of(error: &StorageError) -> Self {
        match error.fault() {
            StorageFault::OutOfSpace => Self::Full,
            StorageFault::Fenced { stored, expected } if stored > expected => Self::Displaced,
            _ => Self::Failed,
        }
    }
}

pub(super) struct Storing {
    phase: Cell<Phase>,
    /// The reason why changes are not stored, and its words for a person.
    trouble: RefCell<Option<(Trouble, String)>>,
    /// The strictest durability asked for by changes that no batch has taken yet.
    wanted: Cell<Durability>,
    /// A batch was stored with less than the strictest durability since the last strict write.
    unsynced: Cell<bool>,
}

impl Default for Storing {
    fn default() -> Self {
        Self {
            phase: Cell::new(Phase::Idle),
            trouble: RefCell::new(None),
            wanted: Cell::new(Durability::Relaxed),
            unsynced: Cell::new(false),
        }
    }
}

impl Storing {
    /// A command asked that its changes be stored so.
    pub(super) fn want(&self, durability: Durability) {
        self.wanted.set(self.wanted.get().max(durability));
    }

    /// Whether a command asked for its journal and no strict batch was taken since.
    pub(super) fn wants_strict(&self) -> bool {
        self.wanted.get() == Durability::Strict
    }

    /// The durability of the batch that is taken now.
    pub(super) fn take_wanted(&self) -> Durability {
        self.wanted.replace(Durability::Relaxed)
    }

    /// A batch was stored so.
    pub(super) fn stored(&self, durability: Durability) {
        self.unsynced.set(durability != Durability::Strict);
    }

    /// Whether a stored batch may not be on stable storage yet.
    pub(super) fn is_unsynced(&self) -> bool {
        self.unsynced.get()
    }

    /// Begins a write.
    ///
    /// # Errors
    /// Another writer is at work: two would meet at the fence.
    pub(super) fn begin(&self) -> Result<(), StorageError> {
        match self.phase.get() {
            Phase::Idle => self.phase.set(Phase::Writing),
            Phase::Writing => return Err(StorageError::broken("a write amid another")),
            Phase::Lent => return Err(StorageError::broken("a write amid lent batches")),
        }
        Ok(())
    }

    /// The write has ended, however.
    pub(super) fn end(&self) {
        self.phase.set(Phase::Idle);
    }

    /// Whether batches may be lent now.
    pub(super) fn may_lend(&self) -> bool {
        self.phase.get() != Phase::Writing && self.trouble.borrow().is_none()
    }

    /// A batch was lent; gives the durability that it is to be stored with.
    pub(super) fn lend(&self) -> Durability {
        let durability = self.take_wanted();
        self.phase.set(Phase::Lent);
        self.stored(durability);
        durability
    }

    /// The other thread stores nothing more; the rest is to be written strictly.
    pub(super) fn end_lending(&self, stored_all: bool) {
        self.phase.set(Phase::Idle);
        if !stored_all {
            self.want(Durability::Strict);
        }
    }

    pub(super) fn meet(&self, trouble: Trouble, reason: String) {
        *self.trouble.borrow_mut() = Some((trouble, reason));
    }

    /// The reason why changes are not stored.
    pub(super) fn trouble(&self) -> Option<Trouble> {
        self.trouble.borrow().as_ref().map(|(trouble, _)| *trouble)
    }

    /// The reason why changes are not stored, and its words for a person.
    pub(super) fn explained(&self) -> Option<(Trouble, String)> {
        self.trouble.borrow().clone()
    }

    /// Nothing is in the way any more.
    pub(super) fn recover(&self) {
        self.trouble.borrow_mut().take();
    }

    /// The unstored changes are dropped: nothing is asked for, and nothing is in the way.
    pub(super) fn start_anew(&self) {
        self.recover();
        self.wanted.set(Durability::Relaxed);
        self.unsynced.set(false);
        self.phase.set(Phase::Idle);
    }
}
