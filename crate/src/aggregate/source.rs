//! Where a pipeline's documents come from and what it asks of the collections around it.
//!
//! API boundary: a command implements `Namespaces`, and gives the first stage, which reads a collection; a pipeline
//! names no collection, page or index itself. Invariant: a stage borrows nothing, so that a running pipeline can lie
//! between two commands.

use super::stage::{SomeVisitor, Stage, Visitor};
use crate::bson::{
    Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ReadValue, ValueRef,
};
use crate::catalog::Collection;
use crate::catalog::plan_cache::KeyAccess;
use crate::collation::Collation;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::ExecContext;
use crate::expr::{Carried, CompileContext};
use crate::query::MatchNode;
use std::rc::Rc;

/// What every pull passes down the stages.
pub struct PipelineContext<'c> {
    pub env: &'c dyn Env,
    /// The engine's time of this command.
    pub now_millis: i64,
    pub namespaces: &'c mut dyn Namespaces,
}

/// Sees one document and the position of what it was looked up for.
pub type PlacedVisitor<'v> = dyn FnMut(usize, Document<'_>) -> Result<(), CommandError> + 'v;

/// The collections as a pipeline sees them.
pub trait Namespaces {
    /// What the stages of a collection's read work on.
    ///
    /// # Errors
    /// Where no collection is read.
    fn exec_context(&self) -> Result<ExecContext<'_>, CommandError> {
        let message = "this pipeline reads no collection";
        Err(CommandError::new(Code::InternalError, message))
    }

    /// Opens a pipeline over another collection or view of a database (`None`: the pipeline's own).
    /// The stages are planned as those of an `aggregate` command are, so a leading `$match` uses an
    /// index. A collection that does not exist is empty.
    fn open(
        &mut self,
        database: Option<&str>,
        collection: &str,
        stages: Array<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Running, CommandError>;

    /// Calls the visitor with every document that an equality join finds for a value, as a `$match` for equality finds
    /// them, without a pipeline to be compiled. `false`: not supported here, and nothing was visited.
    fn find_equal(
        &mut self,
        _join: &mut EqualityJoin,
        _value: ValueRef<'_>,
        _visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        Ok(false)
    }

    /// Whether `find_each` answers an equality join, because no value but null has more than one document.
    fn joins_at_once(&mut self, _join: &mut EqualityJoin) -> bool {
        false
    }

    /// Looks for many values at once: calls the visitor with a value's position and the document that has it, in whatever
    /// order reads least.
    fn find_each(
        &mut self,
        _join: &mut EqualityJoin,
        _values: &[ReadValue<'_>],
        _visitor: &mut PlacedVisitor<'_>,
    ) -> Result<(), CommandError> {
        Ok(())
    }

    /// What was read of other collections since the last call, where somebody keeps notes of it.
    fn take_reads(&mut self) -> Reads {
        Reads::default()
    }

    /// The pipeline's own database.
    fn database(&self) -> &str {
        ""
    }

    /// Whether those fields, in any order, are the key of a unique index over all documents: what
    /// `$merge` asks of its `on`. Its keys compare as the pipeline does.
    fn has_unique_key(
        &self,
        _database: &str,
        _collection: &str,
        _fields: &[String],
        _collation: &Collation,
    ) -> bool {
        false
    }

    /// Begins a collection that is to take a collection's place, with its indexes and options (`$out`).
    fn begin_replacing(&mut self, _database: &str, _collection: &str) -> Result<(), CommandError> {
        Err(read_only())
    }

    /// Stores documents in the collection that was begun.
    fn add_to_replacement(&mut self, _documents: &[DocumentBuf]) -> Result<(), CommandError> {
        Err(read_only())
    }

    /// Puts the collection that was begun in its place.
    fn finish_replacing(&mut self) -> Result<(), CommandError> {
        Err(read_only())
    }

    /// A new `_id`, for a document of `$merge` that has none.
    fn next_object_id(&mut self) -> Result<[u8; 12], CommandError> {
        Err(read_only())
    }

    /// Runs one unordered write command (`insert` or `update`, in a command's own form) for `$merge` and gives
    /// how many documents it inserted or matched. The first statement that failed is the error; the
    /// others are done.
    fn write(&mut self, _database: &str, _command: Document<'_>) -> Result<i64, CommandError> {
        Err(read_only())
    }
}

fn read_only() -> CommandError {
    CommandError::new(Code::InternalError, "this pipeline may not write")
}

/// A join with the documents of another collection that hold a value at a path.
pub struct EqualityJoin {
    /// `None`: the pipeline's own.
    pub database: Option<String>,
    pub collection: String,
    pub path: String,
    /// What is asked of the documents besides.
    pub filter: Option<MatchNode>,
    /// What was found out of the collection the last time.
    pub target: JoinTarget,
}

/// What an equality join found out of its collection.
#[derive(Default)]
pub struct JoinTarget {
    pub namespace: String,
    /// The collection as it was then: the same one as long as nothing was written to it.
    pub collection: Option<Rc<Collection>>,
    /// The look-up that answers whatever the value.
    pub look_up: Option<KeyAccess>,
}

/// What reading other collections cost.
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

    /// Adds what other reads cost.
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

/// A pipeline that is being pulled.
pub struct Running {
    last: Box<dyn Stage>,
}

impl Running {
    /// Wraps the last stage.
    pub fn new(last: Box<dyn Stage>) -> Self {
        Self { last }
    }

    /// Moves to the next document; `false` at the end. After the end it stays at the end.
    pub fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool, CommandError> {
        self.last.advance(cx)
    }

    /// Calls the visitor with documents until it answers that it needs no more, or there are none.
    ///
    /// # Errors
    /// Those of `advance` and of the visitor.
    pub fn visit_some(
        &mut self,
        cx: &mut PipelineContext<'_>,
        visitor: &mut SomeVisitor<'_>,
    ) -> Result<(), CommandError> {
        self.last.visit_some(cx, visitor)
    }

    /// The document of the last `advance` that gave `true`.
    pub fn current(&self) -> Document<'_> {
        self.last.current()
    }

    /// The last stage itself, to be another pipeline's input.
    pub fn into_stage(self) -> Box<dyn Stage> {
        self.last
    }
}

/// A stage over documents that lie in memory (`$documents`, `$facet`'s shared input).
pub struct DocumentsStage {
    documents: std::rc::Rc<Vec<DocumentBuf>>,
    next: usize,
    /// Where rows have more than their documents, these are rows as they were kept.
    metadata: Carried,
}

impl DocumentsStage {
    pub fn new(documents: std::rc::Rc<Vec<DocumentBuf>>) -> Self {
        Self::carrying(documents, &Carried::default())
    }

    /// Rows that were kept.
    pub fn carrying(kept: std::rc::Rc<Vec<DocumentBuf>>, metadata: &Carried) -> Self {
        Self {
            documents: kept,
            next: 0,
            metadata: metadata.clone(),
        }
    }
}

impl Stage for DocumentsStage {
    fn advance(&mut self, cx: &mut PipelineContext<'_>) -> Result<bool, CommandError> {
        if self.next < self.documents.len() {
            cx.env.checkpoint()?;
            self.next += 1;
            return Ok(true);
        }
        Ok(false)
    }

    fn current(&self) -> Document<'_> {
        match self
            .next
            .checked_sub(1)
            .and_then(|at| self.documents.get(at))
        {
            Some(kept) => self.metadata.go_back(kept.as_bytes()),
            None => Document::EMPTY,
        }
    }
}
