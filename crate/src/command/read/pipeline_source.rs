//! Pipelines over collections: how an aggregation reads, and reads again across `getMore`.
//!
//! Invariant: every collection read, the pipeline's own and those of `$lookup` and its kin, is
//! planned by the planner, so indexes are used alike.

use super::describe;
use super::find;
use super::prepare::{self, PlannedRead};
use super::views;
use crate::aggregate::{
    Cursor, EqualityJoin, Leading, Namespaces, Pipeline, PipelineContext, PlacedVisitor, Reads,
    Running, SharedReport, SomeVisitor, Visitor,
};
use crate::bson::{Array, Document, ReadValue, ValueRef};
use crate::catalog::plan_cache::KeyAccess;
use crate::catalog::{Catalog, Collection};
use crate::collation::Collation;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::{
    DocumentSource, ExecContext, Execution, Given, PullContext, RowDocument, Took, express,
    total_examined, usage,
};
use crate::expr::CompileContext;
use crate::plan::Plan;
use crate::planner::{self, Grouping, Hint, Planned, QueryRequest, prepared};
use crate::query::predicate::comparison::{Comparison, ComparisonKind};
use crate::query::{FieldPath, MatchNode, Matcher, Projection};
use crate::storage::Pager;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// The collections of a deployment as a pipeline sees them.
pub struct Collections<'c> {
    pub pager: &'c Pager,
    pub catalog: &'c Catalog,
    pub env: &'c dyn Env,
    /// The pipeline's own database.
    pub database: &'c str,
    /// The engine's time of the command.
    pub now_millis: i64,
    /// Where reads of other collections are noted, when somebody asks.
    pub notes: Option<Rc<RefCell<Reads>>>,
}

/// Where a read goes once nobody pulls it any more.
pub type FinishedRead = Rc<RefCell<Option<Execution>>>;

/// A planned collection read, as a pipeline's input.
struct PlanCursor {
    /// Taken when the cursor is dropped.
    execution: Option<Execution>,
    finished: Option<FinishedRead>,
    /// What a stage that reads several times tells of all its reads; with the plan's own facts.
    notes: Option<(Rc<RefCell<Reads>>, Reads)>,
}

impl PlanCursor {
    /// `counted`: the context of a read that answers a command, so that what it uses counts.
    fn new(read: &PlannedRead, counted: Option<&ExecContext<'_>>) -> Self {
        let (plan, collection) = (&read.planned.winner, &read.collection);
        Self {
            execution: Some(match counted {
                Some(exec) => Execution::new(plan, collection, exec),
                None => Execution::explaining(plan, collection),
            }),
            finished: None,
            notes: None,
        }
    }

    fn execution(&mut self) -> Result<&mut Execution, CommandError> {
        self.execution.as_mut().ok_or_else(|| {
            CommandError::new(Code::InternalError, "a pipeline's cursor has been closed")
        })
    }
}

impl Drop for PlanCursor {
    fn drop(&mut self) {
        let Some(execution) = self.execution.take() else {
            return;
        };
        if let Some((notes, facts)) = self.notes.take() {
            let (keys, documents) = total_examined(execution.stage());
            let mut notes = notes.borrow_mut();
            notes.add(&facts);
            notes.keys += keys;
            notes.documents += documents;
        }
        if let Some(finished) = &self.finished {
            *finished.borrow_mut() = Some(execution);
        }
    }
}

/// What an equality join found out of its collection.
#[derive(Default)]
struct PreparedJoin {
    namespace: String,
    /// The collection as it was then: the same one as long as nothing was written to it.
    collection: Option<Rc<Collection>>,
    /// The look-up that answers whatever the value.
    look_up: Option<KeyAccess>,
}

/// What one run of a plan tells beside what it examined: the indexes, and whether it reads a whole collection.
fn plan_facts(plan: &Plan) -> Reads {
    let mut facts = Reads::default();
    add_facts(plan, &mut facts);
    facts
}

fn add_facts(plan: &Plan, facts: &mut Reads) {
    match plan {
        Plan::CollectionScan { .. } => facts.collection_scans += 1,
        Plan::Express { index, .. } | Plan::IdLookUp { index, .. } => {
            facts.use_index(&index.name);
        }
        Plan::IndexScan(scan) | Plan::CountScan(scan) | Plan::DistinctScan { scan, .. } => {
            facts.use_index(&scan.index.name);
        }
        other => {
            for input in other.inputs() {
                add_facts(input, facts);
            }
        }
    }
}

impl Cursor for PlanCursor {
    fn current(&self) -> Document<'_> {
        { self.execution.as_ref() }
            .and_then(|execution| execution.row().document())
            .unwrap_or(Document::EMPTY)
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The query that the front of a pipeline makes of its collection.
///
/// # Errors
/// What the query language says of the filter and the sort.
pub fn leading_query(
    leading: &Leading,
    hint: Option<Hint>,
    compile: &CompileContext<'_>,
) -> Result<QueryRequest, CommandError> {
    let matcher = match &leading.filter {
        Some(filter) if *filter.collation() == compile.collation => Rc::clone(filter),
        // A filter that was moved to the front has predicates that know of the collation, but is new itself.
        Some(filter) => Rc::new(Matcher::clone(filter).with_collation(&compile.collation)),
        None => Rc::new(Matcher::compile(Document::EMPTY, compile)?),
    };
    let sort = match &leading.sort {
        Some(sort) => find::compile_sort(sort.as_document(), &compile.collation)?,
        None => None,
    };
    find::check_metadata(
        compile,
        leading.projection.as_deref(),
        leading.sort.is_none(),
    )?;
    // A path that no projection can name is read from whole documents.
    let reads = leading.reads().and_then(|reads| {
        Projection::compile(reads.as_document(), &matcher, compile)
            .ok()
            .map(Rc::new)
    });
    Ok(QueryRequest {
        sort,
        projection: leading.projection.clone(),
        skip: leading.skip,
        limit: leading.limit,
        hint,
        count_only: leading.only_counts(),
        reads,
        metadata: leading.metadata.metadata().cloned(),
        ..QueryRequest::filter(matcher)
    })
}

/// How a read is asked for beside its pipeline.
#[derive(Default)]
pub struct ReadOptions {
    pub hint: Option<Hint>,
    pub allow_disk_use: bool,
    /// The plan is to be shown.
    pub explain: bool,
}

/// Plans what the front of a pipeline asks of its collection, and takes that off the pipeline.
///
/// # Errors
/// What the query language and the planner say.
pub fn plan_read(
    pipeline: &mut Pipeline,
    catalog: &Catalog,
    exec: &ExecContext<'_>,
    namespace: &str,
    options: ReadOptions,
    compile: &CompileContext<'_>,
) -> Result<PlannedRead, CommandError> {
    let leading = pipeline.take_leading();
    let mut query = leading_query(&leading, options.hint, compile)?;
    query.allow_disk_use = options.allow_disk_use;
    query.explain = options.explain;
    let is_whole = query.projection.is_none()
        && query.skip == 0
        && query.limit.is_none()
        && query.metadata.is_none();
    if is_whole
        && let Some(key) = pipeline.leading_group()
        && let Some(collection) = catalog.collection(namespace)
    {
        let grouping = Grouping {
            field: &key.field,
            last: key.last,
            reads_document: key.reads_document,
        };
        if let Some(winner) = planner::choose_grouping(&query, &grouping, collection) {
            pipeline.group_single_documents();
            let planned = Planned::only(winner);
            return Ok(PlannedRead {
                query,
                planned,
                collection: Rc::clone(collection),
            });
        }
    }
    prepare::plan_in(catalog, exec, namespace, query)
}

/// Starts what is left of a pipeline on its planned read.
pub fn start(pipeline: Pipeline, read: &PlannedRead, exec: &ExecContext<'_>) -> Running {
    pipeline.start(Box::new(PlanCursor::new(read, Some(exec))))
}

/// Starts it so that its run can be told of: a report for each of its stages, the read first, and, once it is
/// dropped, the read itself.
pub fn start_observed(
    pipeline: Pipeline,
    read: &PlannedRead,
) -> (Running, Vec<SharedReport>, FinishedRead) {
    let mut cursor = PlanCursor::new(read, None);
    let finished = FinishedRead::default();
    cursor.finished = Some(Rc::clone(&finished));
    let (running, reports) = pipeline.start_observed(Some(Box::new(cursor)));
    (running, reports, finished)
}

impl Collections<'_> {
    fn joined_namespace(&self, join: &EqualityJoin) -> String {
        let database = join.database.as_deref().unwrap_or(self.database);
        format!("{database}.{}", join.collection)
    }

    /// What is known of a join's collection, found out anew when that is no longer the same.
    fn prepare_join<'j>(&self, join: &'j mut EqualityJoin) -> &'j PreparedJoin {
        let holds = |prepared: &PreparedJoin| match &prepared.collection {
            Some(held) => { self.catalog.collection(&prepared.namespace) }
                .is_some_and(|current| Rc::ptr_eq(current, held)),
            None => false,
        };
        let known = { join.prepared.as_deref() }
            .and_then(<dyn Any>::downcast_ref::<PreparedJoin>)
            .is_some_and(holds);
        if !known {
            let namespace = self.joined_namespace(join);
            let collection = self.catalog.collection(&namespace).cloned();
            let look_up = { collection.as_ref() }
                .and_then(|collection| prepared::look_up_of(&join.path, collection));
            join.prepared = Some(Box::new(PreparedJoin {
                namespace,
                collection,
                look_up,
            }));
        }
        { join.prepared.as_deref() }
            .and_then(<dyn Any>::downcast_ref)
            .unwrap_or(
                const {
                    &PreparedJoin {
                        namespace: String::new(),
                        collection: None,
                        look_up: None,
                    }
                },
            )
    }

    fn exec_context(&self) -> ExecContext<'_> {
        ExecContext::new(self.pager, self.env)
    }

    /// Opens a pipeline over a collection or a view.
    ///
    /// # Errors
    /// What compiling and planning say.
    pub fn open_hinted(
        &self,
        mut namespace: String,
        stages: Array<'_>,
        hint: Option<Hint>,
        context: &CompileContext<'_>,
    ) -> Result<Running, CommandError> {
        let joined;
        let mut stages = stages;
        if !describe::is_of_a_view(stages)
            && let Some(resolved) = views::resolve(self.catalog, &namespace)?
        {
            views::check_collation(self.catalog, &namespace, &context.collation)?;
            joined = resolved.with(stages);
            stages = joined.as_array();
            namespace = resolved.namespace;
        }
        let mut pipeline = Pipeline::compile(stages, context)?;
        if let Some(stage) = pipeline.describing() {
            describe::provide_of_collection(stage, self.catalog, &namespace, self.now_millis)?;
        }
        if pipeline.has_own_source() {
            return Ok(pipeline.start_without_source());
        }
        let options = ReadOptions {
            hint,
            ..ReadOptions::default()
        };
        let exec = self.exec_context();
        let read = plan_read(
            &mut pipeline,
            self.catalog,
            &exec,
            &namespace,
            options,
            context,
        )?;
        let mut cursor = PlanCursor::new(&read, self.notes.is_none().then_some(&exec));
        if let Some(notes) = &self.notes {
            cursor.notes = Some((Rc::clone(notes), plan_facts(&read.planned.winner)));
        }
        Ok(pipeline.start(Box::new(cursor)))
    }
}

fn plan_cursor(cursor: &mut dyn Cursor) -> Result<&mut PlanCursor, CommandError> {
    cursor.as_any_mut().downcast_mut().ok_or_else(|| {
        CommandError::new(
            Code::InternalError,
            "a pipeline's cursor is of an unknown kind",
        )
    })
}

impl Namespaces for Collections<'_> {
    fn advance(&mut self, cursor: &mut dyn Cursor) -> Result<bool, CommandError> {
        plan_cursor(cursor)?
            .execution()?
            .advance(&self.exec_context())
    }

    fn visit(
        &mut self,
        cursor: &mut dyn Cursor,
        visitor: &mut SomeVisitor<'_>,
    ) -> Result<(), CommandError> {
        let execution = plan_cursor(cursor)?.execution()?;
        execution.visit(&self.exec_context(), &mut |_, document| visitor(document))
    }

    fn open(
        &mut self,
        database: Option<&str>,
        collection: &str,
        stages: Array<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Running, CommandError> {
        let namespace = format!("{}.{collection}", database.unwrap_or(self.database));
        self.open_hinted(namespace, stages, None, context)
    }

    fn find_equal(
        &mut self,
        join: &mut EqualityJoin,
        value: ValueRef<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        if join.filter.is_none() && !matches!(value, ValueRef::Null) {
            let prepared = self.prepare_join(join);
            if let Some(collection) = &prepared.collection
                && let Some(access) = prepared.look_up
                && let Some(index) = collection.indexes.get(access.index)
            {
                if self.notes.is_none() {
                    usage::note_index(collection, access.index, self.pager.accounting());
                }
                let key = access.key_of(value);
                let found = express::look_up_document(self.pager, collection, &index.tree, &key)?;
                if let Some(notes) = &self.notes {
                    let mut notes = notes.borrow_mut();
                    notes.use_index(&index.definition.name);
                    notes.keys += u64::from(found.is_some());
                    notes.documents += u64::from(found.is_some());
                }
                if let Some((_, bytes)) = found {
                    visitor(Document::from_valid_bytes(&bytes))?;
                }
                return Ok(true);
            }
        }
        let path = FieldPath::new(&join.path);
        let mut node = Comparison::compile(path, ComparisonKind::Equal, value, &Collation::SIMPLE)?;
        if let Some(filter) = &join.filter {
            node = MatchNode::And(vec![node, filter.clone()]).optimise();
        }
        let query = QueryRequest::filter(Rc::new(Matcher::from_node(node)));
        let namespace = self.joined_namespace(join);
        let exec = self.exec_context();
        if self.catalog.view(&namespace).is_some() {
            return Ok(false);
        }
        let PlannedRead {
            planned,
            collection,
            ..
        } = prepare::plan_in(self.catalog, &exec, &namespace, query)?;
        let mut execution = match &self.notes {
            None => Execution::new(&planned.winner, &collection, &exec),
            Some(_) => Execution::explaining(&planned.winner, &collection),
        };
        execution.visit(&exec, &mut |_, document| {
            visitor(document)?;
            Ok(true)
        })?;
        if let Some(notes) = &self.notes {
            let (keys, documents) = total_examined(execution.stage());
            let mut notes = notes.borrow_mut();
            notes.add(&plan_facts(&planned.winner));
            notes.keys += keys;
            notes.documents += documents;
        }
        Ok(true)
    }

    fn joins_at_once(&mut self, join: &mut EqualityJoin) -> bool {
        // What is told of a run is what it would cost one by one.
        self.notes.is_none() && join.filter.is_none() && self.prepare_join(join).look_up.is_some()
    }

    fn find_each(
        &mut self,
        join: &mut EqualityJoin,
        values: &[ReadValue<'_>],
        visitor: &mut PlacedVisitor<'_>,
    ) -> Result<(), CommandError> {
        let prepared = self.prepare_join(join);
        let (Some(collection), Some(access)) = (&prepared.collection, prepared.look_up) else {
            return Ok(());
        };
        let Some(index) = collection.indexes.get(access.index) else {
            return Ok(());
        };
        let uses = &index.definition.uses;
        let accounting = self.pager.accounting();
        accounting.note_uses(uses, values.len() as i64);
        let visitor =
            &mut |position, bytes: &[u8]| visitor(position, Document::from_valid_bytes(bytes));
        express::look_up_each(
            self.pager,
            collection,
            &index.tree,
            values,
            access.is_descending,
            visitor,
        )
    }

    fn take_reads(&mut self) -> Reads {
        let notes = self.notes.as_ref();
        notes.map_or_else(Reads::default, |notes| notes.take())
    }

    fn database(&self) -> &str {
        self.database
    }

    fn has_unique_key(
        &self,
        database: &str,
        collection: &str,
        fields: &[String],
        collation: &Collation,
    ) -> bool {
        let Some(collection) = self.catalog.collection(&format!("{database}.{collection}")) else {
            return false;
        };
        collection.indexes.iter().any(|index| {
            let definition = &index.definition;
            (definition.unique || definition.is_id_index())
                && definition.partial.is_none()
                && definition.collation == *collation
                && definition.fields.len() == fields.len()
                && definition
                    .fields
                    .iter()
                    .all(|field| fields.iter().any(|path| *path == *field.path))
        })
    }
}

/// A running pipeline as a cursor's source.
pub struct PipelineSource {
    pub running: Running,
    pub database: String,
}

impl DocumentSource for PipelineSource {
    fn next(&mut self, context: &PullContext<'_>) -> Result<Option<RowDocument>, CommandError> {
        let given = self.give(context, &mut |_| Took::Left)?;
        Ok(match given {
            Given::Left(row) => Some(row),
            _ => None,
        })
    }

    fn give(
        &mut self,
        context: &PullContext<'_>,
        take: &mut dyn FnMut(Document<'_>) -> Took,
    ) -> Result<Given, CommandError> {
        let mut collections = Collections {
            pager: context.exec.pager,
            catalog: context.catalog,
            env: context.exec.env,
            database: &self.database,
            now_millis: context.now_millis,
            notes: None,
        };
        let mut pipeline = PipelineContext {
            env: context.exec.env,
            now_millis: context.now_millis,
            namespaces: &mut collections,
        };
        let mut given = Given::End;
        self.running.visit_some(&mut pipeline, &mut |document| {
            match take(document) {
                Took::More => return Ok(true),
                Took::Enough => given = Given::Enough,
                Took::Left => given = Given::Left(RowDocument::Built(document.to_buf())),
            }
            Ok(false)
        })?;
        Ok(given)
    }
}
