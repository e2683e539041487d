//! The catalog of one deployment: every collection of every database.
//!
//! Collections live in memory behind `Rc`; `write_back` puts the changed ones into the catalog tree
//! just before a seal. Invariants: while a savepoint is open, every change is undoable; the map and the
//! catalog tree agree after `write_back`.

use super::collection::Collection;
use super::filter::FilterCompiler;
use super::latencies::LatencyTable;
use super::names;
use super::options::CollectionOptions;
use super::stored;
use super::ttl::TtlStatistics;
use crate::algorithms::sorting;
use crate::error::{Code, CommandError, StorageError};
use crate::storage::{Pager, SortedMap, Tree};
use std::rc::Rc;

/// All databases of one deployment.
#[derive(Default)]
pub struct Catalog {
    collections: SortedMap<Rc<str>, Rc<Collection>>,
    /// Namespaces whose row in the catalog tree is out of date.
    dirty: SortedMap<Rc<str>, ()>,
    /// The namespaces to put back, newest last, each with its former definition.
    undo: Vec<(Rc<str>, Option<Rc<Collection>>)>,
    /// Where in `undo` each open savepoint starts.
    savepoints: Vec<usize>,
    /// A collection as it was before the last command, kept for the room it takes.
    spare: Option<Rc<Collection>>,
    /// How long commands on each namespace took.
    pub latencies: LatencyTable,
    /// The engine's time of the command that runs.
    now_millis: i64,
    pub(super) ttl: TtlStatistics,
}

/// A moment of the catalog to come back to, beside a pager's savepoint.
#[must_use = "a savepoint stays open until it is released or rolled back to"]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CatalogSavepoint(usize);

impl Catalog {
    /// An empty catalog.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the catalog tree.
    ///
    /// # Errors
    /// Errors of the page space, and errors of the compiler about a stored partial filter.
    pub fn open(pager: &Pager, compiler: &dyn FilterCompiler) -> Result<Self, CommandError> {
        Self::of_root(pager, pager.catalog_root(), compiler)
    }

    /// Reads the catalog tree of a state that the pager has.
    pub(super) fn of_root(
        pager: &Pager,
        root: Tree,
        compiler: &dyn FilterCompiler,
    ) -> Result<Self, CommandError> {
        let mut catalog = Self::new();
        let mut cursor = root.cursor();
        let mut on_entry = cursor.first(pager)?;
        while on_entry {
            let collection = stored::read(cursor.key(), &cursor.value_ref(pager)?, compiler)?;
            catalog
                .collections
                .insert(Rc::clone(&collection.namespace), Rc::new(collection));
            on_entry = cursor.next(pager)?;
        }
        Ok(catalog)
    }

    /// The same collections as a catalog of its own, whose rows are never written.
    pub fn apart(&self) -> Self {
        Self {
            collections: self.collections.clone(),
            now_millis: self.now_millis,
            ..Self::default()
        }
    }

    /// Tells the engine's time, before a command runs.
    pub fn set_now(&mut self, now_millis: i64) {
        self.now_millis = now_millis;
    }

    /// The engine's time of the last command.
    pub fn now_millis(&self) -> i64 {
        self.now_millis
    }

    /// Begins the counts of uses of every index that has none yet.
    pub fn begin_use_counts(&self, now_millis: i64) {
        for (_, collection) in self.collections.entries() {
            collection.begin_use_counts(now_millis);
        }
    }

    /// Whether there are rows for `write_back` to write.
    pub fn is_dirty(&self) -> bool {
        !self.dirty.entries().is_empty()
    }

    /// Writes the rows of changed collections into the catalog tree. Call it before every seal, outside savepoints.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn write_back(&mut self, pager: &mut Pager) -> Result<(), StorageError> {
        if self.dirty.entries().is_empty() {
            return Ok(());
        }
        let mut tree = pager.catalog_root();
        for (namespace, ()) in self.dirty.entries() {
            match self.collections.get(namespace) {
                Some(collection) => {
                    let row = stored::write(collection);
                    // Asking for a collection to write it marks it, even when nothing was written.
                    let is_stored = tree
                        .get_ref(pager, namespace.as_bytes())?
                        .is_some_and(|stored| *stored == *row.as_bytes());
                    if !is_stored {
                        tree.put(pager, namespace.as_bytes(), row.as_bytes())?;
                    }
                }
                None => {
                    tree.remove(pager, namespace.as_bytes())?;
                }
            }
        }
        pager.set_catalog_root(tree);
        self.dirty.clear();
        Ok(())
    }

    /// Writes the rows of namespaces that changed since the innermost savepoint into the catalog tree at once, so that
    /// the pages count for the command that made the change. `write_back` finds those rows stored.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn write_changed_rows(&self, pager: &mut Pager) -> Result<(), StorageError> {
        let start = self.savepoints.last().copied().unwrap_or_default();
        let mut tree = pager.catalog_root();
        for (namespace, before) in self.undo.get(start..).unwrap_or_default() {
            let row = |collection: &Rc<Collection>| stored::write(collection).into_bytes();
            let now = self.collections.get(namespace).map(row);
            if before.as_ref().map(row) == now {
                continue;
            }
            match now {
                Some(now) => tree.put(pager, namespace.as_bytes(), &now).map(drop)?,
                None => tree.remove(pager, namespace.as_bytes()).map(drop)?,
            }
        }
        pager.set_catalog_root(tree);
        Ok(())
    }

    /// Opens a savepoint. They nest.
    pub fn savepoint(&mut self) -> CatalogSavepoint {
        self.savepoints.push(self.undo.len());
        CatalogSavepoint(self.savepoints.len())
    }

    /// Keeps the changes since the savepoint and ends it (and those inside it).
    pub fn release(&mut self, savepoint: CatalogSavepoint) {
        self.savepoints.truncate(savepoint.0.saturating_sub(1));
        if self.savepoints.is_empty() {
            for (namespace, _) in &self.undo {
                if let Some(changed) = self.collections.get(namespace) {
                    changed.begin_use_counts(self.now_millis);
                }
            }
            if let Some((_, before)) = self.undo.pop() {
                self.spare = before;
            }
            self.undo.clear();
        }
    }

    /// Undoes the changes since the savepoint and ends it (and those inside it).
    pub fn rollback_to(&mut self, savepoint: CatalogSavepoint) {
        let Some(start) = self.savepoints.get(savepoint.0.wrapping_sub(1)).copied() else {
            return;
        };
        while self.undo.len() > start {
            match self.undo.pop() {
                Some((namespace, Some(before))) => {
                    self.collections.insert(namespace, before);
                }
                Some((namespace, None)) => {
                    self.collections.remove(&namespace);
                }
                None => break,
            }
        }
        self.savepoints.truncate(savepoint.0.saturating_sub(1));
    }

    /// Marks a namespace as changed, and keeps its present state for a rollback: once a savepoint, before the first
    /// change.
    fn touch(&mut self, namespace: &Rc<str>) {
        self.dirty.insert(Rc::clone(namespace), ());
        let Some(start) = self.savepoints.last().copied() else {
            return;
        };
        let since = self.undo.get(start..).unwrap_or_default();
        if !since.iter().any(|(known, _)| known == namespace) {
            self.undo.push((
                Rc::clone(namespace),
                self.collections.get(namespace).cloned(),
            ));
        }
    }

    /// A collection, to read.
    pub fn collection(&self, namespace: &str) -> Option<&Rc<Collection>> {
        self.named(namespace).filter(|named| !named.is_view())
    }

    /// The collection or the view of a name.
    pub fn named(&self, namespace: &str) -> Option<&Rc<Collection>> {
        self.collections.get(namespace)
    }

    /// A collection, to write. Ask again after a savepoint.
    pub fn collection_mut(&mut self, namespace: &str) -> Option<&mut Collection> {
        let key = Rc::clone(self.collections.get_key(namespace)?);
        self.touch(&key);
        let slot = self.collections.get_mut(&key)?;
        if slot.is_view() {
            return None;
        }
        // A shared value must be copied to be changed; an earlier copy that nobody needs any more has the room.
        if Rc::strong_count(slot) > 1
            && let Some(mut copy) = self.spare.take()
            && let Some(room) = Rc::get_mut(&mut copy)
        {
            room.copy_from(slot);
            *slot = copy;
        }
        Some(Rc::make_mut(slot))
    }

    /// A collection, or 26 `NamespaceNotFound`.
    ///
    /// # Errors
    /// 26 with the server's wording.
    pub fn required(&self, namespace: &str) -> Result<&Rc<Collection>, CommandError> {
        self.refuse_view(namespace)?;
        self.collection(namespace).ok_or_else(|| {
            CommandError::new(
                Code::NamespaceNotFound,
                format!("ns does not exist: {namespace}"),
            )
        })
    }

    /// Creates a collection with its `_id` index.
    ///
    /// # Errors
    /// 73 `InvalidNamespace`, 48 `NamespaceExists`, 13297 `DatabaseDifferCase`; storage errors: roll back.
    pub fn create_collection(
        &mut self,
        pager: &mut Pager,
        namespace: &str,
        uuid: [u8; 16],
        options: CollectionOptions,
    ) -> Result<&mut Collection, CommandError> {
        names::check_creatable(namespace)?;
        if self.collections.contains_key(namespace) {
            return Err(CommandError::new(
                Code::NamespaceExists,
                format!("Collection {namespace} already exists."),
            ));
        }
        self.check_database_case(names::split(namespace).0)?;
        let mut collection = Collection::new(namespace, uuid, options);
        collection.plant(pager)?;
        let key = Rc::clone(&collection.namespace);
        self.touch(&key);
        self.collections.insert(key, Rc::new(collection));
        self.collection_mut(namespace)
            .ok_or_else(|| vanished(namespace))
    }

    /// Puts a prepared collection (a copy, a conversion) in the place of the one that the namespace has now.
    pub fn put_collection(&mut self, collection: Collection) {
        let key = Rc::clone(&collection.namespace);
        self.touch(&key);
        self.collections.insert(key, Rc::new(collection));
    }

    /// Refuses a database whose name differs from an existing one only in case.
    ///
    /// # Errors
    /// 13297 `DatabaseDifferCase`.
    pub fn check_database_case(&self, database: &str) -> Result<(), CommandError> {
        // One that is there was checked when it came: not all collections are gone through for each new one.
        if self.collections_of(database).next().is_some() {
            return Ok(());
        }
        // Only ASCII letters fold: the tables for all others would be the engine's only use of them.
        match self
            .databases()
            .into_iter()
            .find(|known| *known != database && known.eq_ignore_ascii_case(database))
        {
            None => Ok(()),
            Some(known) => Err(CommandError::new(
                Code::DatabaseDifferCase,
                format!(
                    "db already exists with different case already have: [{known}] trying to create [{database}]"
                ),
            )),
        }
    }

    /// Drops a collection and gives its pages back. Gives its definition.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn drop_collection(
        &mut self,
        pager: &mut Pager,
        namespace: &str,
    ) -> Result<Option<Rc<Collection>>, StorageError> {
        let Some(collection) = self.collections.get(namespace).cloned() else {
            return Ok(None);
        };
        self.touch(&collection.namespace);
        self.collections.remove(namespace);
        let mut trees: Vec<Tree> = collection
            .indexes
            .iter()
            .flat_map(|index| [index.tree, index.labels])
            .collect();
        trees.push(collection.records);
        for mut tree in trees {
            tree.drop_tree(pager)?;
        }
        Ok(Some(collection))
    }

    /// Gives a collection another name; the target must not exist.
    pub fn rename_collection(&mut self, from: &str, to: &str) {
        let Some(collection) = self.collections.get(from).cloned() else {
            return;
        };
        self.touch(&collection.namespace);
        self.collections.remove(from);
        let mut renamed = (*collection).clone();
        renamed.namespace = to.into();
        self.put_collection(renamed);
    }

    /// The names of the databases that hold a collection, ascending.
    pub fn databases(&self) -> Vec<&str> {
        let mut databases: Vec<&str> = self
            .collections
            .entries()
            .iter()
            .map(|(namespace, _)| names::split(namespace).0)
            .collect();
        sorting::sort(&mut databases);
        databases.dedup();
        databases
    }

    /// The collections of a database, by name.
    pub fn collections_of<'c>(
        &'c self,
        database: &str,
    ) -> impl Iterator<Item = &'c Rc<Collection>> + use<'c> {
        // The sign after the dot ends the names that begin with the database's.
        let of = |end: char| self.collections.starting_at(&*format!("{database}{end}"));
        let (from, beyond) = (of('.'), of('/'));
        from.iter()
            .take(from.len() - beyond.len())
            .map(|(_, collection)| collection)
    }

    /// Every collection.
    pub fn collections(&self) -> impl Iterator<Item = &Rc<Collection>> {
        self.collections
            .entries()
            .iter()
            .map(|(_, collection)| collection)
    }

    /// The TTL monitor's counts since the engine was opened.
    pub fn ttl_statistics(&self) -> TtlStatistics {
        self.ttl
    }
}

fn vanished(namespace: &str) -> CommandError {
    StorageError::broken(format!(
        "collection {namespace} vanished while it was created"
    ))
    .into()
}
