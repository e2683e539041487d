//! The collections around a running pipeline, as its stages reach them.
//!
//! API boundary: commands implement `Namespaces` with the planner; a stage names no page or index itself.

use super::stage::Stage;
use crate::bson::{
    Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ReadValue, ValueRef,
};
use crate::catalog::Collection;
use crate::catalog::plan_cache::KeyAccess;
use crate::collation::Collation;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::query::MatchNode;
use std::rc::Rc;

/// Sees one document.
pub type DocumentVisitor<'v> = dyn FnMut(Document<'_>) -> Result<(), CommandError> + 'v;

/// Sees one document, and the position of the value that it was looked up for.
pub type PlacedVisitor<'v> = dyn FnMut(usize, Document<'_>) -> Result<(), CommandError> + 'v;

/// Sees an entry of the oplog with its time; false: that is enough.
pub type EntryVisitor<'v> = dyn FnMut(u64, Document<'_>) -> Result<bool, CommandError> + 'v;

/// The collections as a pipeline sees them.
pub trait Namespaces {
    /// Opens a pipeline over another collection or view of a database (`None`: the pipeline's own).
    /// The stages are planned as those of an `aggregate` command are, so a leading `$match` uses an
    /// index. A collection that does not exist is empty.
    fn open(
        &self,
        database: Option<&str>,
        collection: &str,
        stages: Array<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Box<dyn Stage>, CommandError>;

    /// Calls the visitor with every document that an equality join finds for a value, as a `$match` for equality finds
    /// them, without a pipeline to be compiled. `false`: not supported here, and nothing was visited.
    fn find_equal(
        &self,
        _join: &mut EqualityJoin,
        _value: ValueRef<'_>,
        _visitor: &mut DocumentVisitor<'_>,
    ) -> Result<bool, CommandError> {
        Ok(false)
    }

    /// Whether `find_each` answers an equality join, because no value but null has more than one document.
    fn joins_at_once(&self, _join: &mut EqualityJoin) -> bool {
        false
    }

    /// Looks for many values at once: calls the visitor with a value's position and the document that has it, in any
    /// order reads least.
    fn find_each(
        &self,
        _join: &mut EqualityJoin,
        _values: &[ReadValue<'_>],
        _visitor: &mut PlacedVisitor<'_>,
    ) -> Result<(), CommandError> {
        Ok(())
    }

    /// The reads of other collections since the last call, where notes of them are kept.
    fn take_reads(&self) -> Reads {
        Reads::default()
    }

    /// Visits the entries of the oplog from a time on, until the visitor has enough. Gives the time of the oldest entry
    /// that is there; none where the deployment has no oplog.
    fn visit_oplog(
        &self,
        _from: u64,
        _visitor: &mut EntryVisitor<'_>,
    ) -> Result<Option<u64>, CommandError> {
        Ok(None)
    }

    /// The time of the newest entry of the oplog.
    fn newest_entry(&self) -> Option<u64> {
        None
    }

    /// Images of documents that changed at this time, in milliseconds, or before it have expired.
    fn images_expired(&self) -> Result<i64, CommandError> {
        Ok(i64::MIN)
    }

    /// The document that a collection has of an `_id` now.
    fn find_by_id(
        &self,
        _namespace: &str,
        _id: ValueRef<'_>,
    ) -> Result<Option<DocumentBuf>, CommandError> {
        Ok(None)
    }

    /// The pipeline's own database.
    fn database(&self) -> &str {
        ""
    }

    /// Finds a unique index over all documents whose key is those fields, in any order: the `on` of a `$merge` needs
    /// one. The index's keys compare as the pipeline does. Gives whether the index holds documents that lack the fields
    /// too; `None` where there is no such index.
    fn unique_key(
        &self,
        _database: &str,
        _collection: &str,
        _fields: &[String],
        _collation: &Collation,
    ) -> Option<bool> {
        None
    }
}

/// No collection but the one that is read.
pub struct Alone;

impl Namespaces for Alone {
    fn open(
        &self,
        _: Option<&str>,
        _: &str,
        _: Array<'_>,
        _: &CompileContext<'_>,
    ) -> Result<Box<dyn Stage>, CommandError> {
        Err(CommandError::new(
            Code::InternalError,
            "these stages read no other collection",
        ))
    }
}

/// A join with the documents of another collection that hold a value at a path.
pub struct EqualityJoin {
    /// `None`: the pipeline's own.
    pub database: Option<String>,
    pub collection: String,
    pub path: String,
    /// A further filter on the documents.
    pub filter: Option<MatchNode>,
    /// The facts found about the collection the last time.
    pub target: JoinTarget,
}

/// Facts about the collection of an equality join.
#[derive(Default)]
pub struct JoinTarget {
    pub namespace: String,
    /// The collection as it was then: the same one as long as nothing was written to it.
    pub collection: Option<Rc<Collection>>,
    /// The look-up that answers for any value.
    pub look_up: Option<KeyAccess>,
}

/// The cost of reading other collections.
#[derive(Debug, Default, Clone)]
pub struct Reads {
    pub keys: u64,
    pub documents: u64,
    pub collection_scans: u64,
    /// Names, sorted.
    indexes: Vec<String>,
}

impl Reads {
    /// Notes an index.
    pub fn use_index(&mut self, name: &str) {
        if let Err(place) = self
            .indexes
            .binary_search_by(|held| held.as_str().cmp(name))
        {
            self.indexes.insert(place, name.to_owned());
        }
    }

    /// Adds the cost of other reads.
    pub fn add(&mut self, other: &Self) {
        self.keys += other.keys;
        self.documents += other.documents;
        self.collection_scans += other.collection_scans;
        for name in &other.indexes {
            self.use_index(name);
        }
    }

    /// Appends the counts as explain shows them of a stage.
    pub fn append_to(&self, builder: &mut DocumentBuilder) {
        builder
            .append("totalDocsExamined", self.documents as i64)
            .append("totalKeysExamined", self.keys as i64)
            .append("collectionScans", self.collection_scans as i64);
        let mut names = ArrayBuilder::new();
        for name in &self.indexes {
            names.push(name.as_str());
        }
        builder.append("indexesUsed", &names.finish());
    }
}
