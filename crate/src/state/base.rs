//! The present state of a deployment, which units are begun on.
//!
//! Invariant: pages and catalog change through a unit alone, but for what has no effect on data: rows written back
//! before a batch, pages that arrive, another writer's newer state.

use super::changes::Changes;
use super::claims::{Claims, Own};
use super::cursors::CursorTable;
use super::oplog;
use super::transaction::Transaction;
use super::unit::Unit;
use super::view::{Left, View};
use crate::catalog::{Catalog, FilterCompiler};
use crate::error::{CommandError, StorageError};
use crate::storage::{Buffer, PageNumber, Pager};
use std::rc::Rc;

/// The pages and collections of the present, and the cursors that are open.
pub struct Base {
    pub pages: Pager,
    pub catalog: Catalog,
    pub cursors: CursorTable,
    /// What the unit that is open has changed so far.
    pub changes: Changes,
    /// What the open transactions have written.
    pub claims: Claims,
}

/// Pages and collections to be changed, and the cursors over them.
pub struct StoreMut<'s> {
    pub pages: &'s mut Pager,
    pub catalog: &'s mut Catalog,
    pub cursors: &'s mut CursorTable,
    pub changes: &'s mut Changes,
    pub claims: &'s mut Claims,
    /// Set where they are a transaction's.
    pub own: Option<Own<'s>>,
}

impl Base {
    /// The state that these pages hold.
    ///
    /// # Errors
    /// Corrupt or absent catalog pages.
    pub fn open(pages: Pager, compiler: &dyn FilterCompiler) -> Result<Self, CommandError> {
        let catalog = Catalog::open(&pages, compiler)?;
        Ok(Self {
            pages,
            catalog,
            cursors: CursorTable::default(),
            changes: Changes::default(),
            claims: Claims::default(),
        })
    }

    /// The present.
    pub fn view(&self) -> View<'_> {
        View {
            pages: &self.pages,
            catalog: &self.catalog,
        }
    }

    /// Begins a unit on the present; one that does not write has nothing to undo.
    pub fn begin(&mut self, may_write: bool) -> Unit<'_> {
        if may_write {
            self.changes.set_logging(oplog::is_on(&self.catalog));
        }
        let parts = StoreMut {
            pages: &mut self.pages,
            catalog: &mut self.catalog,
            cursors: &mut self.cursors,
            changes: &mut self.changes,
            claims: &mut self.claims,
            own: None,
        };
        Unit::begin(parts, may_write)
    }

    /// Begins a unit inside a transaction: what it changes is the transaction's.
    pub fn begin_within<'s>(&'s mut self, transaction: &'s mut Transaction) -> Unit<'s> {
        let present = View {
            pages: &self.pages,
            catalog: &self.catalog,
        };
        Unit::begin(
            transaction.parts((present, &self.cursors), &mut self.claims),
            true,
        )
    }

    /// Whether changes wait to be sealed.
    pub fn has_changes(&self) -> bool {
        self.catalog.is_dirty() || self.pages.has_changes()
    }

    /// Whether all of the present is stored.
    pub fn is_stored(&self) -> bool {
        !self.has_changes() && self.pages.unconfirmed_count() == 0
    }

    /// Writes the rows of changed collections into the catalog's tree.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn write_back(&mut self) -> Result<(), StorageError> {
        self.catalog.write_back(&mut self.pages)
    }

    /// Writes the changes of earlier commands into the catalog's tree and the moments' lists, so that moments and forks
    /// can be made of the pages.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn settle(&mut self) -> Result<(), StorageError> {
        self.write_back()?;
        self.pages.settle_moments()
    }

    /// Takes the state that other pages hold for the present. Cursors go on over the state that they were opened on,
    /// unless something of it was never stored: then they end.
    ///
    /// # Errors
    /// Corrupt or absent catalog pages; nothing is changed then.
    pub fn replace(
        &mut self,
        mut pages: Pager,
        compiler: &dyn FilterCompiler,
    ) -> Result<(), CommandError> {
        let catalog = Catalog::open(&pages, compiler)?;
        pages.share_clock(&self.pages);
        let is_stored = self.is_stored();
        let old = std::mem::replace(&mut self.pages, pages);
        if is_stored {
            self.leave(old, compiler);
        } else {
            self.cursors = CursorTable::default();
        }
        self.replace_catalog(catalog);
        Ok(())
    }

    /// Moves on to the state that another writer stored: its header, and the pages that changed since this sequence.
    /// Cursors go on over the state that they were opened on.
    ///
    /// # Errors
    /// `Broken` when something here is not stored, and a damaged header: nothing changed then. Corrupt or absent
    /// catalog pages: the deployment must be loaded anew then.
    pub fn move_on(
        &mut self,
        header: &[u8],
        changed: Vec<(PageNumber, Buffer)>,
        compiler: &dyn FilterCompiler,
    ) -> Result<(), CommandError> {
        let numbers: Vec<PageNumber> = changed.iter().map(|(number, _)| *number).collect();
        let old = self.pages.refresh(header, &numbers)?;
        for (number, buffer) in changed {
            // A page that fails its checks is marked; if it is a free one nobody will ask for it.
            let _ = self.pages.insert_buffer(number, buffer);
        }
        // A damaged free list refuses writes when they come; reading works without it.
        let _ = self.pages.load_free_list();
        self.leave(old, compiler);
        let catalog = Catalog::open(&self.pages, compiler)?;
        self.replace_catalog(catalog);
        Ok(())
    }

    /// Keeps a state that the deployment moved on from for the cursors that read it.
    #[inline(never)]
    fn leave(&mut self, old: Pager, compiler: &dyn FilterCompiler) {
        if !self.cursors.keep_present() {
            return;
        }
        match Left::new(old, compiler) {
            Ok(left) => self.cursors.leave(&Rc::new(left)),
            Err(_) => self.cursors = CursorTable::default(),
        }
    }

    /// Takes a catalog that another writer's pages hold: indexes count their uses anew from the last command on.
    fn replace_catalog(&mut self, mut catalog: Catalog) {
        catalog.begin_use_counts(self.catalog.now_millis());
        catalog.latencies = std::mem::take(&mut self.catalog.latencies);
        self.catalog = catalog;
        self.cursors.end_dropped(&self.catalog);
    }
}
