//! A collection's plan cache: the winning plans of its queries, its prepared reads and its index filters.
//!
//! Plain data, so that the collection owns it by its type; the planner alone reads and fills it (`planner::memory`).
//! Follows the manual's "Query Plans" page and that of `planCacheSetFilter`. Invariants: a cached plan is a choice
//! among the candidates there are, never a plan to be run as it is; a prepared read is the only plan there was,
//! with places for its values; every change of the collection's indexes empties both; nothing of it outlives the
//! engine.

use super::collection::Index;
use super::index::IndexDefinition;
use super::index::facts::IndexFacts;
use crate::bson::{ArrayBuf, Document, DocumentBuf, ValueRef};
use crate::keycode;
use std::rc::Rc;

/// Shapes kept for one collection; the oldest goes first.
const MOST_ENTRIES: usize = 500;
/// Prepared reads kept for one collection. They are searched one by one, and a collection has few indexes to read by.
const MOST_READS: usize = 32;
/// How much an inactive entry's works grow when a new winner took more.
const GROWTH: u64 = 2;

/// A query's shape, with the indexes that decide which plans it has.
pub struct QueryShape {
    /// The shape as text.
    pub text: String,
    /// The shape and the indexes there are to choose from.
    pub key: String,
}

impl QueryShape {
    /// `planCacheShapeHash` and `queryHash`.
    pub fn hash(&self) -> String {
        hash(&self.text)
    }

    /// `planCacheKey`.
    pub fn key_hash(&self) -> String {
        hash(&self.key)
    }
}

/// FNV-1a in 32 bits, as eight hexadecimal digits.
fn hash(text: &str) -> String {
    let folded = text.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("{folded:08X}")
}

/// The winner of a shape's trial runs.
pub struct CacheEntry {
    pub shape: QueryShape,
    /// Whether it takes the place of trial runs.
    pub is_active: bool,
    pub found: Finding,
    pub has_filter: bool,
}

/// The result of the trial runs of a query's candidate plans.
pub struct Finding {
    /// How many units of work the winner's trial run took.
    pub works: u64,
    pub choice: String,
    pub created_millis: i64,
    pub created_from: DocumentBuf,
    pub plan: DocumentBuf,
    pub trials: Vec<DocumentBuf>,
    pub scores: Vec<f64>,
}

/// The only indexes that queries of one shape may use.
pub struct IndexFilter {
    shape: String,
    /// `query`, `sort` and `projection` as they were given.
    pub described: DocumentBuf,
    pub indexes: ArrayBuf,
}

impl IndexFilter {
    /// The text of the shape.
    pub fn shape(&self) -> &str {
        &self.shape
    }
}

/// How a read of one field's value or range reaches its records: by the keys of one index. For example `{qty: {$gte:
/// 5}}` with the index `{qty: 1}` reads the keys from 5 on, forward, and then the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyAccess {
    /// The index's position in the collection's list.
    pub index: usize,
    /// Whether the first field of the index runs downwards.
    pub is_descending: bool,
    /// Whether the keys are read from the last to the first.
    pub is_backward: bool,
    /// Whether the first key is the only one that is wanted.
    pub is_one_key: bool,
    /// Whether documents are read, and not keys alone.
    pub reads_documents: bool,
    /// Whether the index had arrays when this was decided.
    pub is_multikey: bool,
}

impl KeyAccess {
    /// The look-up of one key, and of its document.
    pub fn look_up(index: &IndexFacts) -> Self {
        Self {
            index: index.position,
            is_descending: index.leads_descending(),
            is_backward: false,
            is_one_key: true,
            reads_documents: true,
            is_multikey: index.is_multikey,
        }
    }

    /// The bytes that every key of a value begins with.
    pub fn key_of(&self, value: ValueRef<'_>) -> Vec<u8> {
        let mut key = Vec::with_capacity(32);
        let mut type_bits = keycode::TypeBits::default();
        keycode::encode(value, self.is_descending, &mut key, &mut type_bits);
        key
    }
}

/// A key access with its values: the keys that it reads, and how many of them.
#[derive(Debug, Clone)]
pub struct KeyRead {
    pub access: KeyAccess,
    /// The keys at or after this; where one key is wanted, the first that begins with it.
    pub start: Vec<u8>,
    /// The keys before this; `None`: all from the start on.
    pub end: Option<Vec<u8>>,
    pub limit: Option<u64>,
}

/// The command that reads a query's documents. Only for some of them the server does a look-up of one value without a
/// plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reader {
    /// A command that gives documents or values, in batches of the server's own size.
    #[default]
    Query,
    /// A cursor with batches of a given size.
    SizedBatches,
    /// A command that changes or removes the documents it finds.
    Write,
    /// One that inserts where it finds nothing.
    Upsert,
    /// One that gives a part of the document it changes.
    GivingWrite,
}

/// The order of a field's values in which a read gives its documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedOrder {
    Any,
    Ascending,
    Descending,
}

/// The traits of a read of one field that do not depend on the field's name and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadTraits {
    /// One value, rather than a range.
    pub is_point: bool,
    /// The values are strings, which collations compare.
    pub is_text: bool,
    pub order: WantedOrder,
    /// One document is wanted.
    pub is_first_only: bool,
    /// Only the number of documents is wanted.
    pub is_count: bool,
    pub reader: Reader,
}

/// The plan of all reads of one shape.
struct PreparedRead {
    path: Box<str>,
    traits: ReadTraits,
    /// The request's projection; empty where whole documents are given.
    projection: DocumentBuf,
    access: KeyAccess,
}

impl PreparedRead {
    fn is_of(&self, path: &str, traits: ReadTraits, projection: Document<'_>) -> bool {
        self.traits == traits
            && *self.path == *path
            && self.projection.as_bytes() == projection.as_bytes()
    }
}

/// Cached plans, prepared reads and index filters of one collection.
#[derive(Default)]
pub struct PlanCache {
    entries: Vec<CacheEntry>,
    reads: Vec<PreparedRead>,
    filters: Vec<IndexFilter>,
    /// The indexes that entries and reads chose among.
    definitions: Vec<Rc<IndexDefinition>>,
}

impl PlanCache {
    /// Forgets choices made among other indexes than there are now.
    pub fn forget_stale(&mut self, indexes: &[Index]) {
        let is_same =
            self.definitions.len() == indexes.len() && { self.definitions.iter().zip(indexes) }
                .all(|(known, index)| Rc::ptr_eq(known, &index.definition));
        if !is_same {
            self.entries.clear();
            self.reads.clear();
            self.definitions = indexes
                .iter()
                .map(|index| Rc::clone(&index.definition))
                .collect();
        }
    }

    /// The prepared read of a shape, unless its index has come to hold arrays.
    pub fn read(
        &self,
        path: &str,
        traits: ReadTraits,
        projection: Document<'_>,
        indexes: &[Index],
    ) -> Option<KeyAccess> {
        let read = { self.reads.iter() }.find(|read| read.is_of(path, traits, projection))?;
        let index = indexes.get(read.access.index)?;
        (index.multikey == read.access.is_multikey).then_some(read.access)
    }

    /// Keeps the prepared read of a shape in place of an earlier one.
    pub fn keep_read(
        &mut self,
        path: &str,
        traits: ReadTraits,
        projection: Document<'_>,
        access: KeyAccess,
    ) {
        self.reads
            .retain(|read| !read.is_of(path, traits, projection));
        if self.reads.len() >= MOST_READS {
            self.reads.remove(0);
        }
        self.reads.push(PreparedRead {
            path: path.into(),
            traits,
            projection: projection.to_buf(),
            access,
        });
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> &[CacheEntry] {
        &self.entries
    }

    fn position(&self, shape: &QueryShape) -> Option<usize> {
        { self.entries.iter() }.position(|entry| entry.shape.key == shape.key)
    }

    /// The choice and works of a shape's active entry.
    pub fn active(&self, shape: &QueryShape) -> Option<(String, u64)> {
        let entry = self.entries.get(self.position(shape)?)?;
        entry
            .is_active
            .then(|| (entry.found.choice.clone(), entry.found.works))
    }

    /// Lets the shape's next query have trial runs again.
    pub fn deactivate(&mut self, shape: &QueryShape) {
        if let Some(at) = self.position(shape) {
            self.entries[at].is_active = false;
        }
    }

    /// Takes in a result of trial runs. A new shape is inactive at first, and becomes active when a later run does not
    /// take more works.
    pub fn record(&mut self, shape: QueryShape, found: Finding) {
        let position = self.position(&shape);
        if let Some(known) = position.map(|at| &mut self.entries[at])
            && found.works > known.found.works
        {
            if !known.is_active {
                let works = known.found.works;
                known.found.works = works.saturating_mul(GROWTH).max(works + 1);
            }
            return;
        }
        if let Some(at) = position {
            self.entries.remove(at);
        } else if self.entries.len() >= MOST_ENTRIES {
            self.entries.remove(0);
        }
        let has_filter = self.filters.iter().any(|filter| filter.shape == shape.text);
        self.entries.push(CacheEntry {
            shape,
            is_active: position.is_some(),
            found,
            has_filter,
        });
    }

    /// Forgets the plans of one shape, or of all. Prepared reads all go: they are made again with one plan each.
    pub fn clear_plans(&mut self, shape: Option<&str>) {
        self.reads.clear();
        self.entries
            .retain(|entry| shape.is_some_and(|shape| entry.shape.text != shape));
    }

    pub fn filters(&self) -> &[IndexFilter] {
        &self.filters
    }

    /// Sets a shape's index filter in place of an earlier one.
    pub fn set_filter(&mut self, shape: String, described: DocumentBuf, indexes: ArrayBuf) {
        self.clear_plans(Some(&shape));
        let filter = IndexFilter {
            shape,
            described,
            indexes,
        };
        match self
            .filters
            .iter_mut()
            .find(|known| known.shape == filter.shape)
        {
            Some(known) => *known = filter,
            None => self.filters.push(filter),
        }
    }

    /// Removes the index filter of one shape, or all.
    pub fn clear_filters(&mut self, shape: Option<&str>) {
        match shape {
            None => {
                let filters = std::mem::take(&mut self.filters);
                for filter in filters {
                    self.clear_plans(Some(&filter.shape));
                }
            }
            Some(shape) => {
                self.filters.retain(|filter| filter.shape != shape);
                self.clear_plans(Some(shape));
            }
        }
    }
}
