//! One collection: its documents, indexes and counters, and how they are read.
//!
//! Invariant: cheap to clone (handles and shared definitions), and a clone taken together with a
//! pager snapshot keeps reading that moment. Every index holds exactly the keys of the documents in
//! `records`; only `write` and `build` change either.

use super::index::IndexDefinition;
use super::index::KeySet;
use super::index::facts::FactsSlot;
use super::options::CollectionOptions;
use super::plan_cache::PlanCache;
use crate::algorithms::sorting;
use crate::bson::ValueRef;
use crate::error::StorageError;
use crate::keycode::{self, TypeBits};
use crate::storage::accounting::UseCount;
use crate::storage::compare::common_prefix;
use crate::storage::{Located, Pager, Tree};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Bound;
use std::rc::Rc;

/// Identifies a document inside its collection; grows with every insert and is never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u64);

impl RecordId {
    /// The first id of a collection.
    pub const FIRST: RecordId = RecordId(1);

    /// The key in a collection's tree and the last bytes of every index key: eight bytes, big-endian.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// The id of a key in a collection's tree; `None` when the key is not eight bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes
            .try_into()
            .ok()
            .map(|bytes| Self(u64::from_be_bytes(bytes)))
    }

    /// The id at the end of an index key.
    pub fn from_index_key(key: &[u8]) -> Option<Self> {
        Self::from_bytes(key.get(key.len().checked_sub(8)?..)?)
    }
}

/// One index and its state.
#[derive(Clone)]
pub struct Index {
    pub definition: Rc<IndexDefinition>,
    /// Key components followed by the RecordId → type bits.
    pub tree: Tree,
    /// Label → string, of an index with a collation: see `collated_keys`.
    pub labels: Tree,
    /// Whether some document has more than one key or an array on an indexed path.
    pub multikey: bool,
    /// For each field a bit set of path components that are arrays in some document (bit 0: the
    /// first component). Empty while the index is not multikey.
    pub multikey_paths: Rc<[u64]>,
    /// In a wildcard index the paths that hold an array in some document, in order.
    pub array_paths: Rc<[Box<str>]>,
    /// The facts of the index that plans need.
    pub facts_slot: FactsSlot,
}

impl Index {
    /// An index over nothing, without a page yet.
    pub fn new(definition: Rc<IndexDefinition>) -> Self {
        Self {
            definition,
            tree: Tree::new(),
            labels: Tree::new(),
            multikey: false,
            multikey_paths: Rc::from([]),
            array_paths: Rc::from([]),
            facts_slot: FactsSlot::default(),
        }
    }

    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// Whether a document with these keys has an array that is not noted.
    pub(super) fn is_news(&self, keys: &KeySet) -> bool {
        if self.definition.kind.rules().keeps_array_paths() {
            let mut paths = keys.array_paths().iter();
            return paths.any(|path| self.array_paths.binary_search(path).is_err());
        }
        let paths = keys.multikey_paths().iter().enumerate();
        let mut unknown = paths.map(|(field, components)| {
            components & !self.multikey_paths.get(field).copied().unwrap_or(0)
        });
        (keys.is_multikey() && !self.multikey) || unknown.any(|components| components != 0)
    }

    /// As `note_multikey`, of a wildcard index.
    #[inline(never)]
    fn note_array_paths(&mut self, keys: &KeySet) {
        if self.is_news(keys) {
            let all = self.array_paths.iter().chain(keys.array_paths());
            let mut all: Vec<Box<str>> = all.cloned().collect();
            sorting::sort(&mut all);
            all.dedup();
            self.array_paths = all.into();
            self.multikey = true;
        }
    }

    /// Records that this document's keys made the index multikey, and by which of its fields.
    pub(super) fn note_multikey(&mut self, keys: &KeySet) {
        if self.definition.kind.rules().keeps_array_paths() {
            self.note_array_paths(keys);
            return;
        }
        if !keys.is_multikey() {
            return;
        }
        let paths = keys.multikey_paths();
        self.multikey = true;
        let known = |field: usize| self.multikey_paths.get(field).copied().unwrap_or(0);
        if paths
            .iter()
            .enumerate()
            .any(|(field, components)| known(field) | components != known(field))
            || self.multikey_paths.is_empty()
        {
            let fields = self.definition.fields.len();
            self.multikey_paths = (0..fields)
                .map(|field| known(field) | paths.get(field).copied().unwrap_or(0))
                .collect();
        }
    }
}

/// One collection of one database.
#[derive(Clone)]
pub struct Collection {
    /// `database.collection`.
    pub namespace: Rc<str>,
    pub uuid: [u8; 16],
    pub options: Rc<CollectionOptions>,
    /// RecordId → document.
    pub records: Tree,
    pub next_record: RecordId,
    /// The `_id` index first, then in the order they were built.
    pub indexes: Vec<Index>,
    /// The collection's cached plans, prepared reads and index filters, shared by all its clones; never stored.
    pub plans: Rc<RefCell<PlanCache>>,
    /// How often the collection was scanned, shared by all its clones; never stored.
    pub scans: Rc<ScanCounts>,
}

/// Scans of a whole collection.
#[derive(Debug, Default)]
pub struct ScanCounts {
    pub total: Rc<UseCount>,
    /// Those of cursors that end with the last document.
    pub non_tailable: Rc<UseCount>,
}

impl Collection {
    /// An empty collection with its `_id` index, without a page yet; one without documents has no index.
    pub fn new(namespace: &str, uuid: [u8; 16], options: CollectionOptions) -> Self {
        let id_index = || {
            let definition = IndexDefinition::id_index_of(namespace, &options);
            Index::new(Rc::new(definition))
        };
        let has_documents = options.kind.view().is_none();
        let indexes = has_documents.then(id_index).into_iter().collect();
        Self {
            namespace: namespace.into(),
            uuid,
            options: Rc::new(options),
            records: Tree::new(),
            next_record: RecordId::FIRST,
            indexes,
            plans: Rc::default(),
            scans: Rc::default(),
        }
    }

    /// Gives the documents and each index an empty root page, as every collection that is stored has from its creation.
    ///
    /// # Errors
    /// Storage errors: roll back.
    pub fn plant(&mut self, pager: &mut Pager) -> Result<(), StorageError> {
        self.records.plant(pager)?;
        for index in &mut self.indexes {
            index.tree.plant(pager)?;
        }
        Ok(())
    }

    /// Becomes a copy of another collection, in the room that this one takes.
    pub(super) fn copy_from(&mut self, other: &Self) {
        let Self {
            namespace,
            uuid,
            options,
            records,
            next_record,
            indexes,
            plans,
            scans,
        } = other;
        self.namespace.clone_from(namespace);
        self.uuid = *uuid;
        self.options.clone_from(options);
        self.records = *records;
        self.next_record = *next_record;
        self.indexes.clone_from(indexes);
        self.plans.clone_from(plans);
        self.scans.clone_from(scans);
    }

    /// Begins the counts of uses of the indexes that have none yet.
    pub(super) fn begin_use_counts(&self, now_millis: i64) {
        for index in &self.indexes {
            index.definition.uses.begin(now_millis);
        }
    }

    /// The collection's own name.
    pub fn name(&self) -> &str {
        super::names::split(&self.namespace).1
    }

    /// How many documents there are.
    pub fn count(&self) -> u64 {
        self.records.len()
    }

    /// The documents' bytes.
    pub fn data_size(&self) -> u64 {
        self.records.value_bytes()
    }

    /// Whether it holds documents of its own. Otherwise a read of its name is a pipeline over another collection.
    #[inline]
    pub fn has_documents(&self) -> bool {
        self.options.kind.view().is_none()
    }

    /// Whether documents lie in the order of their `_id`, as far as anybody can see.
    #[inline]
    pub fn is_in_id_order(&self) -> bool {
        self.options.kind.clustering().is_some()
    }

    /// Whether commands show an `_id` index beside the documents.
    pub fn shows_id_index(&self) -> bool {
        !self.is_in_id_order() && !self.id_index().definition.is_unlisted()
    }

    /// The indexes beside the documents: a clustered one is the documents' own order.
    pub fn own_indexes(&self) -> impl Iterator<Item = &Index> {
        let indexes = self.indexes.iter();
        indexes.filter(|index| !index.definition.kind.is_clustered())
    }

    /// The `_id` index.
    pub fn id_index(&self) -> &Index {
        self.indexes
            .first()
            .expect("every collection has its _id index")
    }

    pub fn index_named(&self, name: &str) -> Option<&Index> {
        self.indexes
            .iter()
            .find(|index| index.definition.shown_name() == name)
    }

    /// The document of a RecordId, borrowed from its page when it lies in one.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn read<'p>(
        &self,
        pager: &'p Pager,
        id: RecordId,
    ) -> Result<Option<Cow<'p, [u8]>>, StorageError> {
        self.records.get_ref(pager, &id.to_bytes())
    }

    /// Where a record's document is, until the collection is written to; `None`: the record is gone.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn locate(&self, pager: &Pager, id: RecordId) -> Result<Option<Located>, StorageError> {
        self.records.locate(pager, &id.to_bytes())
    }

    /// The document of a record that was located.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn read_at<'p>(
        &self,
        pager: &'p Pager,
        located: &Located,
    ) -> Result<Cow<'p, [u8]>, StorageError> {
        self.records.value_at(pager, located)
    }

    /// The RecordId of the document with that `_id`.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn find_by_id(
        &self,
        pager: &Pager,
        id: ValueRef<'_>,
    ) -> Result<Option<RecordId>, StorageError> {
        let mut key = Vec::with_capacity(32);
        let id = self.id_index().key_of(pager, id)?;
        keycode::encode(id.as_ref(), false, &mut key, &mut TypeBits::new());
        find_prefix(&self.id_index().tree, pager, &key)
    }

    /// The oldest document's RecordId.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn first_record(&self, pager: &Pager) -> Result<Option<RecordId>, StorageError> {
        let mut cursor = self.records.cursor();
        Ok(if cursor.first(pager)? {
            RecordId::from_bytes(cursor.key())
        } else {
            None
        })
    }

    /// The newest document's RecordId.
    ///
    /// # Errors
    /// Errors of the page space.
    pub fn last_record(&self, pager: &Pager) -> Result<Option<RecordId>, StorageError> {
        let mut cursor = self.records.cursor();
        Ok(if cursor.last(pager)? {
            RecordId::from_bytes(cursor.key())
        } else {
            None
        })
    }
}

/// The RecordId of the first index entry whose components begin with `prefix`, which is whole components.
///
/// # Errors
/// Errors of the page space.
pub fn find_prefix(
    tree: &Tree,
    pager: &Pager,
    prefix: &[u8],
) -> Result<Option<RecordId>, StorageError> {
    let near = tree.near(pager, prefix)?;
    record_of_prefix(tree, pager, prefix, near)
}

/// The same, where the first key from the prefix on may be known.
///
/// # Errors
/// Errors of the page space.
#[inline]
pub fn record_of_prefix(
    tree: &Tree,
    pager: &Pager,
    prefix: &[u8],
    near: Option<&[u8]>,
) -> Result<Option<RecordId>, StorageError> {
    if let Some(key) = near {
        return Ok(record_behind(key, prefix));
    }
    let mut cursor = tree.cursor();
    if !cursor.seek(pager, Bound::Included(prefix))? {
        return Ok(None);
    }
    Ok(record_behind(cursor.key(), prefix))
}

/// The RecordId of an index key whose components begin with `prefix`.
fn record_behind(key: &[u8], prefix: &[u8]) -> Option<RecordId> {
    // A slice's own comparison goes byte by byte under wasm.
    match common_prefix(key, prefix) == prefix.len() {
        true => RecordId::from_index_key(key),
        false => None,
    }
}
