//! Snapshots: a state that was visible stays readable until the guard is dropped.
//!
//! Time in the page space is an epoch number that grows at every snapshot and every seal. A page born in epoch `b`
//! and freed in epoch `f` is visible to a snapshot of epoch `s` exactly when `b <= s < f`.
//! A moment (`moments.rs`) freezes as a snapshot does, for as long as the pager lives.
//! Invariant: a page with `born <= frozen` is never changed in place.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The epochs of one pager and its live snapshots.
#[derive(Debug)]
pub(crate) struct Epochs {
    current: Cell<u64>,
    sealed: Cell<u64>,
    frozen: Cell<u64>,
    /// Pages born in this epoch or before may be a moment's.
    kept: Cell<u64>,
    released: Cell<bool>,
    /// Epochs of live snapshots, ascending.
    live: RefCell<Vec<u64>>,
}

impl Epochs {
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Self {
            current: Cell::new(1),
            sealed: Cell::new(0),
            frozen: Cell::new(0),
            kept: Cell::new(0),
            released: Cell::new(false),
            live: RefCell::new(Vec::new()),
        })
    }

    /// The epoch that pages allocated now are born in.
    #[inline]
    pub(crate) fn current(&self) -> u64 {
        self.current.get()
    }

    /// Pages born in this epoch or before are part of a sealed batch.
    #[inline]
    pub(crate) fn sealed(&self) -> u64 {
        self.sealed.get()
    }

    /// Pages born in this epoch or before may not be changed in place.
    #[inline]
    pub(crate) fn frozen(&self) -> u64 {
        self.frozen.get()
    }

    /// Pages born in this epoch or before may be seen by a snapshot, or are part of a sealed batch.
    pub(crate) fn seen(&self) -> u64 {
        let newest = self.live.borrow().last().copied().unwrap_or(0);
        newest.max(self.sealed.get())
    }

    /// Freezes the present state for a moment; gives the last epoch that belongs to it.
    pub(crate) fn keep(&self) -> u64 {
        let now = self.current.get();
        self.kept.set(now);
        self.frozen.set(now);
        self.current.set(now + 1);
        now
    }

    /// Everything allocated until now belongs to a sealed batch.
    pub(crate) fn seal(&self) {
        let now = self.current.get();
        self.sealed.set(now);
        self.frozen.set(now);
        self.current.set(now + 1);
    }

    /// Whether a live snapshot sees a page born and freed in these epochs.
    pub(crate) fn is_visible(&self, born: u64, freed: u64) -> bool {
        let live = self.live.borrow();
        let first = live.partition_point(|epoch| *epoch < born);
        live.get(first).is_some_and(|epoch| *epoch < freed)
    }

    /// Whether a snapshot was released since the last call.
    pub(crate) fn take_released(&self) -> bool {
        self.released.replace(false)
    }

    fn open(self: &Rc<Self>) -> Snapshot {
        let epoch = self.current.get();
        self.live.borrow_mut().push(epoch);
        self.frozen.set(epoch);
        self.current.set(epoch + 1);
        Snapshot {
            epoch,
            epochs: Rc::clone(self),
        }
    }

    fn release(&self, epoch: u64) {
        let mut live = self.live.borrow_mut();
        let at = live.partition_point(|other| *other < epoch);
        if live.get(at) == Some(&epoch) {
            live.remove(at);
        }
        let newest = live.last().copied().unwrap_or(0);
        let settled = self.sealed.get().max(self.kept.get());
        self.frozen.set(newest.max(settled));
        self.released.set(true);
    }
}

/// A guard: the trees as they are now stay readable, through copies of their handles, until it is dropped.
///
/// Cheap to open and to drop. A snapshot that was opened inside a savepoint does not survive that savepoint's
/// rollback: drop it.
#[derive(Debug)]
pub struct Snapshot {
    epoch: u64,
    epochs: Rc<Epochs>,
}

impl Snapshot {
    pub(crate) fn open(epochs: &Rc<Epochs>) -> Self {
        epochs.open()
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        self.epochs.release(self.epoch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropping_the_newest_snapshot_thaws_pages() {
        let epochs = Epochs::new();
        let born = epochs.current();
        let snapshot = Snapshot::open(&epochs);
        assert!(born <= epochs.frozen());
        assert!(epochs.is_visible(born, epochs.current()));
        drop(snapshot);
        assert!(born > epochs.frozen());
        assert!(epochs.take_released());
        assert!(!epochs.is_visible(born, epochs.current()));
    }

    #[test]
    fn an_older_snapshot_does_not_see_what_came_later() {
        let epochs = Epochs::new();
        let old = Snapshot::open(&epochs);
        let born = epochs.current();
        let middle = Snapshot::open(&epochs);
        let freed = epochs.current();
        drop(middle);
        assert!(!epochs.is_visible(born, freed));
        assert!(epochs.is_visible(0, freed));
        drop(old);
        assert!(!epochs.is_visible(0, freed));
    }
}
