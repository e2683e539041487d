//! What a command cost: pages, bytes, keys and documents.
//!
//! Invariant: pages are counted once a command: a page read a hundred times by one command is one page
//! read. `Accounting::take` ends a command. Keys and documents examined are counted by `exec`, here only kept.

use std::cell::Cell;

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
}

/// A copy of the counters at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
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
}

/// Adds to a counter.
#[inline]
pub fn bump(counter: &Cell<u64>, by: u64) {
    counter.set(counter.get().wrapping_add(by));
}

impl Accounting {
    /// The counters now.
    pub fn counters(&self) -> Counters {
        Counters {
            pages_read: self.pages_read.get(),
            pages_written: self.pages_written.get(),
            pages_allocated: self.pages_allocated.get(),
            pages_freed: self.pages_freed.get(),
            bytes_read: self.bytes_read.get(),
            bytes_written: self.bytes_written.get(),
            keys_examined: self.keys_examined.get(),
            documents_examined: self.documents_examined.get(),
        }
    }

    /// Counts what was written since `before` as never written: it was rolled back, to be done in another way.
    pub fn take_back_writes(&self, before: &Counters) {
        self.pages_allocated.set(before.pages_allocated);
        self.pages_freed.set(before.pages_freed);
        self.bytes_written.set(before.bytes_written);
    }

    /// The counters now, and zero from here on.
    pub fn take(&self) -> Counters {
        let counters = self.counters();
        for counter in [
            &self.pages_read,
            &self.pages_written,
            &self.pages_allocated,
            &self.pages_freed,
            &self.bytes_read,
            &self.bytes_written,
            &self.keys_examined,
            &self.documents_examined,
        ] {
            counter.set(0);
        }
        counters
    }
}
