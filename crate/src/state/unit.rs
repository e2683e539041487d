//! Units: changes that are kept or undone together.
//!
//! A command that may write is a unit, and a fork is one that is never committed. Invariant: whatever a unit changed is
//! undone as one, pages, collections and the cursors that it ended or opened on a fork.

use super::base::StoreMut;
use super::changes::Changes;
use super::claims::{Claims, Guard, Own};
use super::cursors::CursorTable;
use super::oplog;
use super::view::{HeldView, View};
use super::write::Writer;
use crate::catalog::{Catalog, CatalogSavepoint, FilterCompiler};
use crate::error::{CommandError, StorageError};
use crate::storage::{self, Pager};

/// A moment to come back to, of the pages and of the catalog.
struct Savepoint {
    pages: storage::Savepoint,
    catalog: CatalogSavepoint,
}

/// What a unit works on.
pub struct Unit<'s> {
    pages: &'s mut Pager,
    catalog: &'s mut Catalog,
    cursors: &'s mut CursorTable,
    changes: &'s mut Changes,
    claims: &'s mut Claims,
    /// Set where the unit is of a transaction.
    own: Option<Own<'s>>,
    /// The state that is read, where it is not the one that the unit may change.
    on: Option<&'s HeldView>,
    /// None: the unit does not write.
    savepoint: Option<Savepoint>,
    /// Its changes have their times in the oplog.
    is_timed: bool,
}

/// Collections and cursors that a fork has of its own, so that plan caches, uses of indexes and open cursors of the
/// base are as before.
pub struct Fork {
    catalog: Catalog,
    cursors: CursorTable,
    changes: Changes,
    claims: Claims,
}

impl<'s> Unit<'s> {
    pub(super) fn begin(base: StoreMut<'s>, may_write: bool) -> Self {
        let StoreMut {
            pages,
            catalog,
            cursors,
            changes,
            claims,
            own,
        } = base;
        let savepoint = may_write.then(|| Savepoint {
            pages: pages.savepoint(),
            catalog: catalog.savepoint(),
        });
        Self {
            pages,
            catalog,
            cursors,
            changes,
            claims,
            own,
            on: None,
            savepoint,
            is_timed: false,
        }
    }

    /// The state that the unit's readers see: with its own changes, if it made some.
    #[inline]
    pub fn view(&self) -> View<'_> {
        let own = View {
            pages: self.pages,
            catalog: self.catalog,
        };
        match self.on {
            None => own,
            Some(state) => state.over(own),
        }
    }

    /// The state to be changed.
    #[inline]
    pub fn store_mut(&mut self) -> StoreMut<'_> {
        StoreMut {
            pages: self.pages,
            catalog: self.catalog,
            cursors: self.cursors,
            changes: self.changes,
            claims: self.claims,
            own: self.own,
        }
    }

    /// The door to write.
    pub fn writer(&mut self) -> Writer<'_> {
        self.writer_and_cursors().0
    }

    /// The door to write what is of the deployment's own: its changes are noted apart.
    pub fn writer_apart<'w>(&'w mut self, apart: &'w mut Changes) -> Writer<'w> {
        Writer::new(self.pages, self.catalog, apart)
    }

    /// The door to write, and the open cursors.
    pub fn writer_and_cursors(&mut self) -> (Writer<'_>, &mut CursorTable) {
        let guard = Guard::of(self.claims, self.own);
        let writer = Writer::new(self.pages, self.catalog, self.changes).guarded(guard);
        (writer, self.cursors)
    }

    /// Whether the unit is of a transaction.
    #[inline]
    pub fn is_within(&self) -> bool {
        self.own.is_some()
    }

    /// Whether a cursor is open outside of the transaction that the unit is of.
    pub fn is_outside_cursor(&self, id: i64) -> bool {
        { self.own }.is_some_and(|own| own.cursors.iter().any(|(known, _)| known == id))
    }

    /// What the open transactions have written.
    pub fn claims_mut(&mut self) -> &mut Claims {
        self.claims
    }

    /// Notes that a statement of the command was refused: a transaction ends with it.
    pub fn note_refusal(&mut self) {
        if self.is_within() {
            self.changes.note_refusal();
        }
    }

    /// Creates the oplog where there is none: entries are made of all changes from now on.
    ///
    /// # Errors
    /// 2 `BadValue` for a size out of range; storage errors: undo.
    // Apart: once a deployment.
    #[inline(never)]
    pub fn begin_oplog(&mut self, uuid: [u8; 16], bytes: i64) -> Result<(), CommandError> {
        if oplog::is_on(self.catalog) {
            return Ok(());
        }
        let options = oplog::options(bytes)?;
        self.writer().create(oplog::NAMESPACE, uuid, options)?;
        self.changes.set_logging(true);
        self.is_timed = true;
        oplog::Appender(self.writer()).begin()
    }

    /// Writes the unit's changes into the oplog, where there is one, before it is kept.
    ///
    /// # Errors
    /// Storage errors: undo.
    #[inline(never)]
    pub fn log(&mut self) -> Result<(), CommandError> {
        // The changes of a transaction are logged when it is committed.
        if self.own.is_some() {
            return Ok(());
        }
        let log = self.changes.take_log();
        if log.is_empty() {
            return Ok(());
        }
        self.is_timed = true;
        let author = self.changes.author();
        oplog::Appender(self.writer()).log(&log, author)
    }

    /// What the unit changed so far.
    pub fn changes(&self) -> &Changes {
        self.changes
    }

    /// What the unit changed so far, to add to it.
    pub fn changes_mut(&mut self) -> &mut Changes {
        self.changes
    }

    /// The pages, for their counts and lists.
    #[inline]
    pub fn pages_mut(&mut self) -> &mut Pager {
        self.pages
    }

    /// The open cursors.
    #[inline]
    pub fn cursors(&self) -> &CursorTable {
        self.cursors
    }

    /// The open cursors, to open, read on and close some.
    #[inline]
    pub fn cursors_mut(&mut self) -> &mut CursorTable {
        self.cursors
    }

    /// The view that a cursor goes on with in later commands: its pages stay as they are.
    pub fn hold(&self) -> HeldView {
        match self.on {
            None => HeldView::default().kept(self.pages),
            Some(state) => state.kept(self.pages),
        }
    }

    /// The same unit, whose readers see another state.
    pub fn on<'o>(&'o mut self, state: &'o HeldView) -> Unit<'o> {
        Unit {
            pages: self.pages,
            catalog: self.catalog,
            cursors: self.cursors,
            changes: self.changes,
            claims: self.claims,
            own: self.own,
            on: Some(state),
            savepoint: None,
            is_timed: false,
        }
    }

    /// Begins a unit inside this one on the same pages, with collections and cursors of its own. It is to be undone.
    pub fn fork<'f>(&'f mut self, own: &'f mut Fork) -> Unit<'f> {
        let parts = StoreMut {
            pages: self.pages,
            catalog: &mut own.catalog,
            cursors: &mut own.cursors,
            changes: &mut own.changes,
            claims: &mut own.claims,
            own: None,
        };
        Unit::begin(parts, true)
    }

    /// Keeps the unit's changes. Such a change has a time of its own.
    pub fn commit(self) {
        if !self.changes.is_empty() && !self.is_timed {
            self.pages.clock().next(self.catalog.now_millis());
        }
        if let Some(savepoint) = self.savepoint {
            self.pages.release(savepoint.pages);
            self.catalog.release(savepoint.catalog);
            self.cursors.settle(true);
        }
    }

    /// Undoes the unit's changes.
    ///
    /// # Errors
    /// `Broken` where the log does not fit the pages.
    pub fn undo(self) -> Result<(), StorageError> {
        self.end(false)
    }

    /// Keeps the unit's changes, or undoes them.
    ///
    /// # Errors
    /// Those of `undo`.
    pub fn end(self, keeps: bool) -> Result<(), StorageError> {
        if keeps {
            self.commit();
            return Ok(());
        }
        match self.savepoint {
            Some(savepoint) => {
                self.changes.clear();
                self.cursors.settle(false);
                self.catalog.rollback_to(savepoint.catalog);
                self.pages.rollback_to(savepoint.pages)
            }
            None => Ok(()),
        }
    }
}

impl Fork {
    /// A fork of the state that the pages hold: rows of changed collections are written back.
    ///
    /// # Errors
    /// Corrupt or absent catalog pages.
    pub fn of(
        pages: &Pager,
        compiler: &dyn FilterCompiler,
        now_millis: i64,
    ) -> Result<Self, CommandError> {
        let mut catalog = Catalog::open(pages, compiler)?;
        catalog.set_now(now_millis);
        catalog.begin_use_counts(now_millis);
        Ok(Self {
            catalog,
            cursors: CursorTable::default(),
            changes: Changes::default(),
            claims: Claims::default(),
        })
    }
}
