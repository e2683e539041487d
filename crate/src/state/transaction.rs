//! A transaction: a unit that is open between commands, beside others.
//!
//! It has all that it works on: pages of its own (`storage/branch.rs`), which share the buffers of the present as it
//! was at its beginning, collections, cursors, and its changes with their documents. Its commands are units on these.
//! `commit.rs` makes its changes once more on the present.
//!
//! Invariants: nothing of it is seen outside before its commit; a snapshot of the present keeps the pages that it has
//! not read yet; its pages and its changes are bounded.

use super::base::{Base, StoreMut};
use super::changes::{Changes, Interest};
use super::claims::{Claims, Own, Owner};
use super::cursors::CursorTable;
use super::session_id::SessionId;
use super::view::View;
use crate::bson::DocumentBuf;
use crate::catalog::Catalog;
use crate::error::{Code, CommandError};
use crate::storage::{PAGE_SIZE, Pager, Snapshot};

/// How many pages of its own a transaction may have: 64 MiB.
const MOST_PAGES: u64 = 4096;
/// How many bytes the documents of its changes may have.
const MOST_BYTES: usize = MOST_PAGES as usize * PAGE_SIZE;

/// One open transaction.
pub struct Transaction {
    owner: Owner,
    pages: Pager,
    catalog: Catalog,
    pub cursors: CursorTable,
    /// The options by which its first command names a version of the API.
    pub api: DocumentBuf,
    /// The changes of the command that runs.
    changes: Changes,
    /// Those of the commands before it.
    done: Changes,
    /// Keeps the pages of the state that it began on.
    _snapshot: Snapshot,
    /// How many commands it had.
    commands: u64,
    /// Pages of the state that it began on cannot be had any more.
    has_gaps: bool,
}

impl Transaction {
    /// Begins a transaction on the present.
    pub fn begin(base: &mut Base, name: (SessionId, i64)) -> Self {
        Self {
            owner: base.claims.begin(name),
            pages: base.pages.branch(MOST_PAGES),
            catalog: base.catalog.apart(),
            cursors: CursorTable::default(),
            api: DocumentBuf::default(),
            changes: Changes::with(Interest::Documents),
            done: Changes::with(Interest::Documents),
            _snapshot: base.pages.open_snapshot(),
            commands: 0,
            has_gaps: false,
        }
    }

    /// What its commands work on.
    pub(super) fn parts<'s>(
        &'s mut self,
        (present, outside): (View<'s>, &'s CursorTable),
        claims: &'s mut Claims,
    ) -> StoreMut<'s> {
        self.pages.take_arrived(present.pages);
        self.catalog.set_now(present.catalog.now_millis());
        StoreMut {
            pages: &mut self.pages,
            catalog: &mut self.catalog,
            cursors: &mut self.cursors,
            changes: &mut self.changes,
            claims,
            own: Some(Own {
                owner: self.owner,
                present,
                cursors: outside,
            }),
        }
    }

    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// Its collections.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The changes of all its commands.
    pub fn whole(&self) -> &Changes {
        &self.done
    }

    /// Whether no command of it has ended yet: its first one is run again once a page is there.
    pub fn is_fresh(&self) -> bool {
        self.commands == 0
    }

    /// Whether every page of its state is in memory.
    pub fn is_resident(&self) -> bool {
        self.pages.is_resident()
    }

    /// Whether a statement of the last command was refused.
    pub fn has_refusal(&self) -> bool {
        self.changes.has_refusal()
    }

    /// A command of it ended well: its changes are the transaction's.
    ///
    /// # Errors
    /// 257 `TransactionTooLarge`.
    pub fn keep(&mut self) -> Result<(), CommandError> {
        self.commands += 1;
        self.done.absorb(&mut self.changes);
        match self.done.bytes() > MOST_BYTES || self.pages.pages_left() == 0 {
            true => Err(too_large()),
            false => Ok(()),
        }
    }

    /// The present moves on to another writer's state: pages that are absent are to be taken before.
    pub fn take_arrived(&mut self, present: &Pager) {
        self.pages.take_arrived(present);
    }

    /// The present has moved on: what is absent stays so.
    pub fn leave(&mut self) {
        let reason = "it was not read before another writer went on";
        self.has_gaps |= self.pages.give_up_absent(reason);
    }

    /// The error to report for one that a command of it met.
    pub fn explain(&self, error: CommandError) -> CommandError {
        match error.code {
            code if code == Code::DataCorruptionDetected as i32 && self.has_gaps => {
                CommandError::new(
                    Code::SnapshotUnavailable,
                    "another tab wrote over pages of the transaction's snapshot that were not read yet; please \
                     retry the transaction",
                )
            }
            code if code == Code::OutOfDiskSpace as i32 => too_large(),
            _ => error,
        }
    }
}

#[cold]
fn too_large() -> CommandError {
    CommandError::new(
        Code::TransactionTooLarge,
        format!(
            "transaction is too large: its changes take more than {} MiB",
            MOST_BYTES >> 20
        ),
    )
}
