//! The catalog of one deployment: every collection of every database.
//!
//! Collections live in memory behind `Rc`; `write_back` puts the changed ones into the catalog tree
//! just before a seal. Invariants: while a savepoint is open, every change is undoable; the map and the
//! catalog tree agree after `write_back`; one change costs no walk over the other collections, so that a command may
//! change all of them (`undo_tests.rs`).

use super::collection::Collection;
use super::filter::FilterCompiler;
use super::latencies::LatencyTable;
use super::names;
use super::options::CollectionOptions;
use super::stored::{self, uuid_value};
use super::ttl::TtlStatistics;
use crate::algorithms::sorting;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError, StorageError};
use crate::storage::{Pager, SortedMap, Tree};
use std::rc::Rc;

/// All databases of one deployment.
#[derive(Default)]
pub struct Catalog {
    places: SortedMap<Rc<str>, Place>,
    /// How many collections each database has, by `database_key`.
    databases: SortedMap<Box<str>, u32>,
    /// Namespaces whose row in the catalog tree is out of date; those in `undo` come to them when they are kept.
    dirty: SortedMap<Rc<str>, ()>,
    /// What to put back, newest last.
    undo: Vec<Former>,
    /// Some place is empty.
    has_gaps: bool,
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

/// The place of a namespace.
#[derive(Default)]
struct Place {
    /// None while savepoints are open, where it was dropped since: the places behind it are moved once for all drops.
    collection: Option<Rc<Collection>>,
    /// How long `undo` is with the newest entry of this namespace; 0 where it has none.
    noted: usize,
}

/// A namespace as it was at a savepoint.
struct Former {
    namespace: Rc<str>,
    place: Place,
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
            catalog.set(&Rc::clone(&collection.namespace), Some(Rc::new(collection)));
            on_entry = cursor.next(pager)?;
        }
        Ok(catalog)
    }

    /// The same collections as a catalog of its own, whose rows are never written.
    pub fn apart(&self) -> Self {
        let mut apart = Self {
            now_millis: self.now_millis,
            ..Self::default()
        };
        for collection in self.collections() {
            apart.set(&collection.namespace, Some(Rc::clone(collection)));
        }
        apart
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
        for collection in self.collections() {
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
            match self.named(namespace) {
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
        for Former { namespace, place } in self.undo.get(start..).unwrap_or_default() {
            let row = |collection: &Rc<Collection>| stored::write(collection).into_bytes();
            let now = self.named(namespace).map(row);
            if place.collection.as_ref().map(row) == now {
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
        if !self.savepoints.is_empty() {
            return;
        }
        let mut undo = std::mem::take(&mut self.undo);
        for Former { namespace, .. } in &undo {
            if let Some(place) = self.places.get_mut(namespace) {
                place.noted = 0;
                if let Some(changed) = &place.collection {
                    changed.begin_use_counts(self.now_millis);
                }
            }
            self.dirty.insert(Rc::clone(namespace), ());
        }
        if let Some(Former { place, .. }) = undo.pop() {
            self.spare = place.collection;
        }
        undo.clear();
        self.undo = undo;
        self.close_gaps();
    }

    /// Undoes the changes since the savepoint and ends it (and those inside it).
    pub fn rollback_to(&mut self, savepoint: CatalogSavepoint) {
        let Some(start) = self.savepoints.get(savepoint.0.wrapping_sub(1)).copied() else {
            return;
        };
        while self.undo.len() > start
            && let Some(Former { namespace, place }) = self.undo.pop()
        {
            self.set(&namespace, place.collection);
            if let Some(back) = self.places.get_mut(&namespace) {
                back.noted = place.noted;
            }
        }
        self.savepoints.truncate(savepoint.0.saturating_sub(1));
        if self.savepoints.is_empty() {
            self.close_gaps();
        }
    }

    /// Takes the empty places out, all at once.
    fn close_gaps(&mut self) {
        if std::mem::take(&mut self.has_gaps) {
            self.places.retain(&mut |place| place.collection.is_some());
        }
    }

    /// Marks a namespace as changed, and keeps its present state for a rollback: once a savepoint, before the first
    /// change.
    fn touch(&mut self, namespace: &Rc<str>) {
        let Some(start) = self.savepoints.last().copied() else {
            self.dirty.insert(Rc::clone(namespace), ());
            return;
        };
        let place = self.places.get_mut(namespace);
        let noted = place.as_ref().map_or(0, |place| place.noted);
        if noted > start {
            return;
        }
        let collection = place.as_ref().and_then(|place| place.collection.clone());
        self.undo.push(Former {
            namespace: Rc::clone(namespace),
            place: Place { collection, noted },
        });
        let noted = self.undo.len();
        match place {
            Some(place) => place.noted = noted,
            None => self.places.insert(
                Rc::clone(namespace),
                Place {
                    collection: None,
                    noted,
                },
            ),
        }
    }

    /// Puts a collection, or none, into the place of a namespace.
    fn set(&mut self, namespace: &Rc<str>, collection: Option<Rc<Collection>>) {
        let is_there = collection.is_some();
        let was_there = match self.places.get_mut(namespace) {
            Some(place) => std::mem::replace(&mut place.collection, collection).is_some(),
            None if is_there => {
                let noted = 0;
                let place = Place { collection, noted };
                self.places.insert(Rc::clone(namespace), place);
                false
            }
            None => return,
        };
        if is_there != was_there {
            self.count_in_database(namespace, is_there);
        }
        if !is_there {
            match self.savepoints.is_empty() {
                true => drop(self.places.remove(namespace)),
                false => self.has_gaps = true,
            }
        }
    }

    /// Counts a collection of a database that came or went.
    #[inline(never)]
    fn count_in_database(&mut self, namespace: &str, came: bool) {
        let key = database_key(names::split(namespace).0);
        match (self.databases.get_mut(&*key), came) {
            (Some(count), true) => *count += 1,
            (Some(count), false) if *count > 1 => *count -= 1,
            (_, false) => drop(self.databases.remove(&*key)),
            (None, true) => self.databases.insert(key.into(), 1),
        }
    }

    /// A collection, to read.
    pub fn collection(&self, namespace: &str) -> Option<&Rc<Collection>> {
        self.named(namespace).filter(|named| named.has_documents())
    }

    /// The collection or the view of a name.
    pub fn named(&self, namespace: &str) -> Option<&Rc<Collection>> {
        self.places.get(namespace)?.collection.as_ref()
    }

    /// Refuses a collection that is not the one that a command expects under its name.
    ///
    /// # Errors
    /// 361 `CollectionUUIDMismatch`, with the names of both collections.
    pub fn check_uuid(
        &self,
        namespace: &str,
        expected: Option<[u8; 16]>,
    ) -> Result<(), CommandError> {
        let Some(expected) = expected else {
            return Ok(());
        };
        if { self.collection(namespace) }.is_some_and(|collection| collection.uuid == expected) {
            return Ok(());
        }
        let (database, name) = names::split(namespace);
        let mut details = DocumentBuilder::new();
        details.append("db", database);
        details.append("collectionUUID", uuid_value(&expected));
        details.append("expectedCollection", name);
        let actual = self.collections_of(database);
        match { actual }.find(|one| one.has_documents() && one.uuid == expected) {
            Some(actual) => details.append("actualCollection", actual.name()),
            None => details.append("actualCollection", ValueRef::Null),
        };
        Err(CommandError::new(
            Code::CollectionUUIDMismatch,
            "Collection UUID does not match that specified",
        )
        .with_details(details.finish().into_bytes()))
    }

    /// A collection, to write. Ask again after a savepoint.
    pub fn collection_mut(&mut self, namespace: &str) -> Option<&mut Collection> {
        let key = Rc::clone(self.places.get_key(namespace)?);
        self.touch(&key);
        let slot = self.places.get_mut(&key)?.collection.as_mut()?;
        if !slot.has_documents() {
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
        // A time series makes the collection of its buckets, which nobody else makes.
        if options.kind.buckets().is_none() {
            names::check_creatable(namespace)?;
        }
        if self.named(namespace).is_some() {
            return Err(CommandError::new(
                Code::NamespaceExists,
                format!("Collection {namespace} already exists."),
            ));
        }
        self.check_database_case(names::split(namespace).0)?;
        let mut collection = Collection::new(namespace, uuid, options);
        collection.plant(pager)?;
        self.put_collection(collection);
        self.collection_mut(namespace)
            .ok_or_else(|| vanished(namespace))
    }

    /// Puts a prepared collection (a copy, a conversion) in the place of the one that the namespace has now.
    pub fn put_collection(&mut self, collection: Collection) {
        let key = Rc::clone(&collection.namespace);
        self.touch(&key);
        self.set(&key, Some(Rc::new(collection)));
    }

    /// Refuses a database whose name differs from an existing one only in case.
    ///
    /// # Errors
    /// 13297 `DatabaseDifferCase`.
    pub fn check_database_case(&self, database: &str) -> Result<(), CommandError> {
        let key = database_key(database);
        // One that is there was checked when it came.
        if self.databases.contains_key(&*key) {
            return Ok(());
        }
        let folded = &key[..=database.len()];
        let alike = { self.databases.starting_at(folded).first() }
            .filter(|(known, _)| known.starts_with(folded));
        match alike {
            None => Ok(()),
            Some((known, _)) => Err(CommandError::new(
                Code::DatabaseDifferCase,
                format!(
                    "db already exists with different case already have: [{}] trying to create [{database}]",
                    database_of(known)
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
        let Some(collection) = self.named(namespace).cloned() else {
            return Ok(None);
        };
        self.touch(&collection.namespace);
        self.set(&collection.namespace, None);
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
        let Some(collection) = self.named(from).cloned() else {
            return;
        };
        self.touch(&collection.namespace);
        self.set(&collection.namespace, None);
        let mut renamed = (*collection).clone();
        renamed.namespace = to.into();
        self.put_collection(renamed);
    }

    /// The names of the databases that hold a collection, ascending.
    pub fn databases(&self) -> Vec<&str> {
        let entries = self.databases.entries().iter();
        let mut databases: Vec<&str> = entries.map(|(key, _)| database_of(key)).collect();
        sorting::sort(&mut databases);
        databases
    }

    /// The collections of a database, by name.
    pub fn collections_of<'c>(
        &'c self,
        database: &str,
    ) -> impl Iterator<Item = &'c Rc<Collection>> + use<'c> {
        // The sign after the dot ends the names that begin with the database's.
        let of = |end: char| self.places.starting_at(&*format!("{database}{end}"));
        let (from, beyond) = (of('.'), of('/'));
        from.iter()
            .take(from.len() - beyond.len())
            .filter_map(|(_, place)| place.collection.as_ref())
    }

    /// Every collection.
    pub fn collections(&self) -> impl Iterator<Item = &Rc<Collection>> {
        let places = self.places.entries().iter();
        places.filter_map(|(_, place)| place.collection.as_ref())
    }

    /// The TTL monitor's counts since the engine was opened.
    pub fn ttl_statistics(&self) -> TtlStatistics {
        self.ttl
    }
}

/// A database's name as `databases` has it: those that differ only in case lie together. Only ASCII letters fold: the
/// tables for all others would be the engine's only use of them.
fn database_key(database: &str) -> String {
    format!("{}\0{database}", database.to_ascii_lowercase())
}

fn database_of(key: &str) -> &str {
    key.split_once('\0').map_or(key, |(_, database)| database)
}

fn vanished(namespace: &str) -> CommandError {
    StorageError::broken(format!(
        "collection {namespace} vanished while it was created"
    ))
    .into()
}
