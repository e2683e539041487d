//! The cost of a command: pages, bytes, keys and documents.
//!
//! Invariant: pages are counted once a command: a page read a hundred times by one command is one page
//! read. `Accounting::take` ends a command. Keys and documents examined are counted by `exec`, here only kept.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How often an index or a kind of scan was used, and since when that is counted: in memory, as long as the engine.
#[derive(Debug, Default)]
pub struct UseCount {
    count: Cell<i64>,
    since_millis: Cell<Option<i64>>,
}

impl UseCount {
    /// How often it was used.
    pub fn count(&self) -> i64 {
        self.count.get()
    }

    /// When the count began, in engine time; `None` for one that no command has ended with yet.
    pub fn since_millis(&self) -> Option<i64> {
        self.since_millis.get()
    }

    /// Says when the count began, once.
    pub fn begin(&self, now_millis: i64) {
        if self.since_millis.get().is_none() {
            self.since_millis.set(Some(now_millis));
        }
    }
}

/// The running counters of the current command. Shared by reference: every counter is a `Cell`.
#[derive(Debug, Default)]
pub struct Accounting {
    /// Distinct pages looked at.
    pub pages_read: Cell<u64>,
    /// Distinct pages changed or created.
    pub pages_written: Cell<u64>,
    /// Pages taken from the free list or from the end of the file.
    pub pages_allocated: Cell<u64>,
    /// Pages given back.
    pub pages_freed: Cell<u64>,
    /// Bytes of values handed out by `get`.
    pub bytes_read: Cell<u64>,
    /// Bytes of keys and values stored.
    pub bytes_written: Cell<u64>,
    /// Index keys examined (counted by `exec`).
    pub keys_examined: Cell<u64>,
    /// Documents examined (counted by `exec`).
    pub documents_examined: Cell<u64>,
    /// Index keys added and removed (counted by `catalog`).
    pub keys_inserted: Cell<u64>,
    pub keys_deleted: Cell<u64>,
    /// The uses of indexes and collection scans by this command. They are counted when it has ended, because a command
    /// that misses a page runs again.
    uses: RefCell<Vec<(Rc<UseCount>, i64)>>,
}

/// A copy of the counters at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageCounters {
    /// Distinct pages looked at.
    pub pages_read: u64,
    /// Distinct pages changed or created.
    pub pages_written: u64,
    /// Pages taken from the free list or from the end of the file.
    pub pages_allocated: u64,
    /// Pages given back.
    pub pages_freed: u64,
    /// Bytes of values handed out by `get`.
    pub bytes_read: u64,
    /// Bytes of keys and values stored.
    pub bytes_written: u64,
    /// Index keys examined.
    pub keys_examined: u64,
    /// Documents examined.
    pub documents_examined: u64,
    /// Index keys added and removed.
    pub keys_inserted: u64,
    pub keys_deleted: u64,
}

/// Adds to a counter.
#[inline]
pub fn bump(counter: &Cell<u64>, by: u64) {
    counter.set(counter.get().wrapping_add(by));
}

impl Accounting {
    /// The counters now.
    pub fn counters(&self) -> PageCounters {
        PageCounters {
            pages_read: self.pages_read.get(),
            pages_written: self.pages_written.get(),
            pages_allocated: self.pages_allocated.get(),
            pages_freed: self.pages_freed.get(),
            bytes_read: self.bytes_read.get(),
            bytes_written: self.bytes_written.get(),
            keys_examined: self.keys_examined.get(),
            documents_examined: self.documents_examined.get(),
            keys_inserted: self.keys_inserted.get(),
            keys_deleted: self.keys_deleted.get(),
        }
    }

    /// Counts the writes since `before` as never made: it was rolled back, to be done in another way.
    pub fn take_back_writes(&self, before: &PageCounters) {
        self.pages_allocated.set(before.pages_allocated);
        self.pages_freed.set(before.pages_freed);
        self.bytes_written.set(before.bytes_written);
        self.keys_inserted.set(before.keys_inserted);
    }

    /// Notes one use by the command.
    pub fn note_use(&self, used: &Rc<UseCount>) {
        self.note_uses(used, 1);
    }

    /// Adds `more` to the command's uses of an index.
    pub fn note_uses(&self, used: &Rc<UseCount>, more: i64) {
        let mut uses = self.uses.borrow_mut();
        match uses.iter_mut().find(|(known, _)| Rc::ptr_eq(known, used)) {
            Some((_, times)) => *times += more,
            None => uses.push((Rc::clone(used), more)),
        }
    }

    /// Ends the command's list of uses: counts them, or forgets them when the command is to run again.
    pub fn settle_uses(&self, keep: bool) {
        for (used, times) in self.uses.borrow_mut().drain(..) {
            if keep {
                used.count.set(used.count.get() + times);
            }
        }
    }

    /// Goes on from these counters.
    pub fn set(&self, counters: &PageCounters) {
        for (counter, value) in [
            (&self.pages_read, counters.pages_read),
            (&self.pages_written, counters.pages_written),
            (&self.pages_allocated, counters.pages_allocated),
            (&self.pages_freed, counters.pages_freed),
            (&self.bytes_read, counters.bytes_read),
            (&self.bytes_written, counters.bytes_written),
            (&self.keys_examined, counters.keys_examined),
            (&self.documents_examined, counters.documents_examined),
            (&self.keys_inserted, counters.keys_inserted),
            (&self.keys_deleted, counters.keys_deleted),
        ] {
            counter.set(value);
        }
    }

    /// The counters now, and zero from here on.
    pub fn take(&self) -> PageCounters {
        let counters = self.counters();
        self.set(&PageCounters::default());
        counters
    }
}
