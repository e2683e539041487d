//! Pipelines over collections: how an aggregation reads, and reads again across `getMore`.
//!
//! Invariant: every collection read, the pipeline's own and those of `$lookup`, `$graphLookup` and `$unionWith`, is
//! planned by the planner, so indexes are used alike.

use super::describe;
use super::find;
use super::prepare::{PlannedRead, Prepared, aside, prepare};
use super::views;
use super::watched::{self, ReadContext, Watch};
use crate::aggregate::stages::fusion;
use crate::aggregate::{Leading, Pipeline, SharedReport};
use crate::bson::{Array, ArrayBuf, Document, DocumentBuf, ReadValue, ValueRef};
use crate::catalog::{Catalog, Collection, RecordId, names};
use crate::collation::Collation;
use crate::command::maintenance::cluster_parameters::{
    self, CHANGE_STREAM_OPTIONS, images_seconds,
};
use crate::error::{Code, CommandError};
use crate::exec::namespaces::{
    DocumentVisitor, EntryVisitor, EqualityJoin, JoinTarget, PlacedVisitor, Reads,
};
use crate::exec::watch::Slot;
use crate::exec::{
    Build, ExecContext, Namespaces, Record, Stage, Visitor, key_look_up, total_examined,
};
use crate::expr::CompileContext;
use crate::plan::Plan;
use crate::planner::field_range::FieldRange;
use crate::planner::prepared::{self, ReadShape};
use crate::planner::{self, Grouping, Hint, Planned, QueryRequest, Reader};
use crate::query::predicate::comparison::{Comparison, ComparisonKind};
use crate::query::predicate::near;
use crate::query::{MatchNode, Matcher, Projection, QueryPath};
use std::cell::RefCell;
use std::ops::Bound;
use std::rc::Rc;

/// The collections of a deployment as a pipeline sees them.
pub struct Collections<'c> {
    /// The context of the reads, but for the collections.
    exec: ExecContext<'c>,
    catalog: &'c Catalog,
    /// The pipeline's own database.
    database: &'c str,
    /// Where reads of other collections are noted, when somebody asks.
    pub notes: Option<Rc<RefCell<Reads>>>,
    /// Where the pipeline itself is kept, for an observed command. Reads below it are its own.
    pub watch: Option<&'c Watch>,
}

/// A collection read whose cost is noted when the pipeline above drops it.
struct NotedRead {
    /// Taken when this is dropped.
    stage: Option<Box<dyn Stage>>,
    noted: Noted,
}

/// Where a read is noted.
enum Noted {
    /// For explain: the stages themselves.
    Finished(Slot),
    /// For a stage that reads several times, as `$lookup` does, and shows the sum: the read's cost, with the facts of
    /// its plan.
    Cost(Rc<RefCell<Reads>>, Reads),
}

impl Stage for NotedRead {
    fn advance(&mut self, context: &ExecContext<'_>) -> Result<bool, CommandError> {
        match &mut self.stage {
            Some(stage) => stage.advance(context),
            None => Ok(false),
        }
    }

    fn current(&self) -> Record<'_> {
        let stage = self.stage.as_ref();
        stage.map_or_else(Record::default, |stage| stage.current())
    }

    fn visit(
        &mut self,
        context: &ExecContext<'_>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        match &mut self.stage {
            Some(stage) => stage.visit(context, visitor),
            None => Ok(true),
        }
    }
}

impl Drop for NotedRead {
    fn drop(&mut self) {
        let Some(stage) = self.stage.take() else {
            return;
        };
        match &self.noted {
            Noted::Finished(finished) => *finished.borrow_mut() = Some(stage),
            Noted::Cost(notes, facts) => note(&mut notes.borrow_mut(), facts, &*stage),
        }
    }
}

/// Adds the keys and documents that a read examined, and the facts of its plan, to the notes.
fn note(notes: &mut Reads, facts: &Reads, stage: &dyn Stage) {
    let (keys, documents) = total_examined(stage);
    notes.add(facts);
    notes.keys += keys;
    notes.documents += documents;
}

/// The indexes and the collection scans of a plan, which explain shows beside the keys and documents examined.
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

/// The query that the front of a pipeline makes of its collection.
///
/// # Errors
/// Errors of the query language about the filter and the sort.
fn leading_query(
    leading: &Leading,
    reads: Option<&DocumentBuf>,
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
        Some(sort) => find::compile_sort(sort.as_document(), compile)?,
        None => None,
    };
    find::check_metadata(
        compile,
        leading.projection.as_deref(),
        leading.sort.is_none(),
    )?;
    // A path that no projection can name is read from whole documents.
    let reads = reads.and_then(|reads| {
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
        settings: compile.query_settings.clone(),
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
    /// The read's cost is told, so it must be planned.
    pub is_watched: bool,
}

/// Takes the front off a pipeline and prepares it as a read of the collection.
///
/// # Errors
/// Errors of the query language and the planner.
pub fn prepare_read(
    pipeline: &mut Pipeline,
    catalog: &Catalog,
    exec: &ReadContext<'_>,
    namespace: &str,
    options: ReadOptions,
    compile: &CompileContext<'_>,
) -> Result<Prepared, CommandError> {
    let collection = catalog.collection(namespace);
    if pipeline.geo_near().is_some() {
        return prepare_near(pipeline, catalog, exec, namespace, options, compile);
    }
    let leading = pipeline.take_leading();
    let reads = leading.reads();
    let mut query = || {
        let mut query = leading_query(&leading, reads.as_ref(), options.hint.clone(), compile)?;
        query.allow_disk_use = options.allow_disk_use;
        query.explain = options.explain || exec.explains();
        Ok(query)
    };
    let is_whole = leading.projection.is_none()
        && leading.skip == 0
        && leading.limit.is_none()
        && leading.metadata.metadata().is_none();
    if is_whole
        && let Some(key) = pipeline.leading_group()
        && let Some(collection) = collection
    {
        let grouping = Grouping {
            field: &key.field,
            last: key.last,
            reads_document: key.reads_document,
        };
        let query = query()?;
        let planned = match planner::choose_grouping(&query, &grouping, collection) {
            Some(winner) => {
                pipeline.group_single_documents();
                Planned::only(winner)
            }
            None => aside(exec, || planner::choose(&query, collection, &exec.exec))?,
        };
        exec.allow(&planned)?;
        return Ok(Prepared::Planned(Rc::new(PlannedRead {
            query,
            planned,
            collection: Rc::clone(collection),
        })));
    }
    let has_shape = options.hint.is_none()
        && !options.explain
        && !options.is_watched
        && compile.query_settings.is_none()
        && compile.collation.is_simple();
    let shape = match has_shape {
        true => shape_of(&leading, reads.as_ref()),
        false => None,
    };
    let mut read = prepare(
        catalog,
        exec,
        namespace,
        collection,
        shape.as_ref(),
        &mut query,
    )?;
    if let Prepared::Known(known) = &mut read {
        known.projection = leading.projection;
    }
    Ok(read)
}

/// Prepares the read of a pipeline that begins with `$geoNear`: of the documents that its `$near` finds.
fn prepare_near(
    pipeline: &mut Pipeline,
    catalog: &Catalog,
    exec: &ReadContext<'_>,
    namespace: &str,
    options: ReadOptions,
    compile: &CompileContext<'_>,
) -> Result<Prepared, CommandError> {
    near::offer(&compile.metadata);
    find::check_metadata(compile, None, false)?;
    let metadata = pipeline.take_leading().metadata;
    let Some(collection) = catalog.collection(namespace) else {
        return Err(CommandError::new(
            Code::NamespaceNotFound,
            format!("$geoNear requires a geo index to run, but {namespace} does not exist"),
        ));
    };
    let Some(stage) = pipeline.geo_near() else {
        return Err(no_geo_index());
    };
    let field = match stage.key() {
        Some(key) => key,
        None => near_field(collection, namespace)?,
    };
    let filter = stage.filter(&field)?;
    let matcher = Matcher::compile_query_without_scripts(filter.as_document(), compile)?;
    stage.measure(matcher.near());
    let query = QueryRequest {
        hint: options.hint,
        allow_disk_use: options.allow_disk_use,
        explain: options.explain || exec.explains(),
        metadata: metadata.metadata().cloned(),
        settings: compile.query_settings.clone(),
        ..QueryRequest::filter(Rc::new(matcher))
    };
    let collection = Some(collection);
    prepare(catalog, exec, namespace, collection, None, &mut || {
        Ok(query.clone())
    })
}

/// The stages that those of a hybrid search over a collection stand for.
///
/// # Errors
/// A specification that is refused, and 10557301 for a time series.
pub fn fused(
    catalog: &Catalog,
    namespace: &str,
    stages: Array<'_>,
) -> Result<Option<ArrayBuf>, CommandError> {
    let collection = names::split(namespace).1;
    let is_series = catalog.measured(namespace).is_some() || collection.starts_with(names::BUCKETS);
    fusion::expand(stages, collection, is_series)
}

fn no_geo_index() -> CommandError {
    CommandError::new(
        Code::IndexNotFound,
        "$geoNear requires a 2d or 2dsphere index, but none were found",
    )
}

/// The only field with a geospatial index; one of the plane goes before one of the sphere.
fn near_field(collection: &Collection, namespace: &str) -> Result<String, CommandError> {
    for name in ["2d", "2dsphere"] {
        let indexes = { collection.indexes.iter() }.filter(|index| !index.definition.hidden);
        let mut found = indexes.filter_map(|index| {
            let mut fields = index.definition.key.as_document().iter();
            fields.find(|field| field.value.as_str() == Some(name))
        });
        match (found.next(), found.next()) {
            (None, _) => {}
            (Some(field), None) => return Ok(field.name.to_owned()),
            (Some(_), Some(_)) => {
                return Err(CommandError::new(
                    Code::IndexNotFound,
                    format!(
                        "There is more than one {name} index on {namespace}; unsure which to use for $geoNear"
                    ),
                ));
            }
        }
    }
    Err(no_geo_index())
}

/// The shape of a pipeline's read, where the pipeline first asks for one field's value or range.
fn shape_of<'l>(leading: &'l Leading, reads: Option<&'l DocumentBuf>) -> Option<ReadShape<'l>> {
    let filter = leading.filter.as_ref()?;
    if leading.skip > 0 || leading.metadata.metadata().is_some() {
        return None;
    }
    let given = { leading.projection.as_deref() }.map(Projection::specification);
    let given = given.or(reads.map(DocumentBuf::as_document));
    let shape = ReadShape::of(
        FieldRange::of_node(filter.root()),
        { leading.sort.as_ref() }.map_or(Document::EMPTY, DocumentBuf::as_document),
        given.unwrap_or(Document::EMPTY),
        leading.limit,
        Reader::Query,
    )?;
    Some(match leading.only_counts() {
        true => shape.counting(),
        false => shape,
    })
}

/// Starts the read, and on it the pipeline's stages that the read does not do itself.
pub fn start(pipeline: Pipeline, read: Prepared, exec: &ReadContext<'_>) -> Box<dyn Stage> {
    pipeline.start(read.start(exec, Build::default()).boxed())
}

/// Starts it so that its run can be told of: a report for each of its stages, the read first, and, once it is
/// dropped, the read itself.
pub fn start_observed(
    pipeline: Pipeline,
    read: &PlannedRead,
) -> (Box<dyn Stage>, Vec<SharedReport>, Slot) {
    let finished = Slot::default();
    let input = NotedRead {
        stage: Some(read.shown()),
        noted: Noted::Finished(Rc::clone(&finished)),
    };
    let (running, reports) = pipeline.start_observed(Some(Box::new(input)), false);
    (running, reports, finished)
}

impl<'c> Collections<'c> {
    pub fn new(exec: ExecContext<'c>, catalog: &'c Catalog, database: &'c str) -> Self {
        Self {
            exec,
            catalog,
            database,
            notes: None,
            watch: None,
        }
    }

    fn joined_namespace(&self, join: &EqualityJoin) -> String {
        let database = join.database.as_deref().unwrap_or(self.database);
        format!("{database}.{}", join.collection)
    }

    /// Facts about a join's collection, found anew when it is no longer the same.
    fn prepare_join<'j>(&self, join: &'j mut EqualityJoin) -> &'j JoinTarget {
        let current = self.catalog.collection(&join.target.namespace);
        let known = { current.zip(join.target.collection.as_ref()) }
            .is_some_and(|(current, held)| Rc::ptr_eq(current, held));
        if !known {
            let namespace = self.joined_namespace(join);
            let collection = self.catalog.collection(&namespace).cloned();
            let look_up = { collection.as_ref() }
                .and_then(|collection| prepared::look_up_of(&join.path, collection));
            join.target = JoinTarget {
                namespace,
                collection,
                look_up,
            };
        }
        &join.target
    }

    /// The context of reads of these collections. Reads by stages are not kept for a watch: they are their pipeline's
    /// own.
    pub fn exec_context(&self) -> ReadContext<'_> {
        let exec = ExecContext {
            namespaces: self,
            ..self.exec
        };
        ReadContext {
            exec,
            watch: None,
            forbids_scans: false,
        }
    }

    /// Opens a pipeline over a collection or a view.
    ///
    /// # Errors
    /// Errors of compiling and planning.
    pub fn open_hinted(
        &self,
        mut namespace: String,
        stages: Array<'_>,
        mut hint: Option<Hint>,
        context: &CompileContext<'_>,
    ) -> Result<Box<dyn Stage>, CommandError> {
        let joined;
        let fused = fused(self.catalog, &namespace, stages)?;
        let mut stages = fused.as_ref().map_or(stages, |all| all.as_array());
        let is_series = self.catalog.measured(&namespace).is_some();
        if !describe::is_of_a_view(stages, is_series)
            && let Some(resolved) = views::resolve(self.catalog, &namespace)?
        {
            views::check_collation(self.catalog, &namespace, &context.collation)?;
            joined = resolved.with(stages);
            stages = joined.as_array();
            hint = views::hint_below(self.catalog, &namespace, hint)?;
            namespace = resolved.namespace;
        }
        let mut pipeline = Pipeline::compile(stages, context)?;
        if let Some(stage) = pipeline.describing() {
            describe::provide_of_collection(
                stage,
                self.catalog,
                &namespace,
                (self.exec.env, self.exec.now_millis),
            )?;
        }
        if pipeline.has_own_source() {
            return Ok(pipeline.start_without_source());
        }
        let options = ReadOptions {
            hint,
            is_watched: self.notes.is_some(),
            ..ReadOptions::default()
        };
        let (exec, catalog) = (self.exec_context(), self.catalog);
        if let Some(watch) = self.watch {
            let exec = ReadContext {
                watch: self.watch,
                ..exec
            };
            let read = prepare_read(&mut pipeline, catalog, &exec, &namespace, options, context)?;
            let (stages, read) = (pipeline.explained(), read.start_watched(&exec));
            return Ok(watched::start(pipeline, Some(read), stages, watch));
        }
        let read = prepare_read(&mut pipeline, catalog, &exec, &namespace, options, context)?;
        let (Some(notes), Some(planned)) = (&self.notes, read.planned()) else {
            return Ok(start(pipeline, read, &exec));
        };
        let facts = plan_facts(&planned.planned.winner);
        Ok(pipeline.start(Box::new(NotedRead {
            stage: Some(planned.shown()),
            noted: Noted::Cost(Rc::clone(notes), facts),
        })))
    }
}

impl Namespaces for Collections<'_> {
    fn open(
        &self,
        database: Option<&str>,
        collection: &str,
        stages: Array<'_>,
        context: &CompileContext<'_>,
    ) -> Result<Box<dyn Stage>, CommandError> {
        let namespace = format!("{}.{collection}", database.unwrap_or(self.database));
        self.open_hinted(namespace, stages, None, context)
    }

    fn find_equal(
        &self,
        join: &mut EqualityJoin,
        value: ValueRef<'_>,
        visitor: &mut DocumentVisitor<'_>,
    ) -> Result<bool, CommandError> {
        let namespace = self.joined_namespace(join);
        let named = self.catalog.named(&namespace);
        if named.is_some_and(|named| !named.has_documents()) {
            return Ok(false);
        }
        let range = match (&join.filter, &self.notes) {
            (None, None) => FieldRange::point(&join.path, value),
            _ => None,
        };
        let none = Document::EMPTY;
        let shape = ReadShape::of(range, none, none, None, Reader::Query);
        let exec = self.exec_context();
        let shape = shape.as_ref();
        let read = prepare(self.catalog, &exec, &namespace, named, shape, &mut || {
            let path = QueryPath::new(&join.path);
            let kind = ComparisonKind::Equal;
            let mut node = Comparison::compile(path, kind, value, &Collation::SIMPLE)?;
            if let Some(filter) = &join.filter {
                node = MatchNode::And(vec![node, filter.clone()]).optimise();
            }
            Ok(QueryRequest::filter(Rc::new(Matcher::from_node(node))))
        })?;
        let visitor = &mut |record: &Record<'_>| {
            visitor(record.document())?;
            Ok(true)
        };
        let (Some(notes), Some(planned)) = (&self.notes, read.planned()) else {
            read.start(&exec, Build::default())
                .stage()
                .visit(&exec, visitor)?;
            return Ok(true);
        };
        let mut stage = planned.shown();
        stage.visit(&exec, visitor)?;
        let facts = plan_facts(&planned.planned.winner);
        note(&mut notes.borrow_mut(), &facts, &*stage);
        Ok(true)
    }

    fn joins_at_once(&self, join: &mut EqualityJoin) -> bool {
        // Explain tells of a run the cost of its look-ups one by one.
        self.notes.is_none() && join.filter.is_none() && self.prepare_join(join).look_up.is_some()
    }

    fn find_each(
        &self,
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
        let accounting = self.exec.pager.accounting();
        accounting.note_uses(uses, values.len() as i64);
        let visitor =
            &mut |position, bytes: &[u8]| visitor(position, Document::from_valid_bytes(bytes));
        key_look_up::look_up_each(
            self.exec.pager,
            collection,
            &index.tree,
            values,
            access.is_descending,
            visitor,
        )
    }

    fn visit_oplog(
        &self,
        from: u64,
        visitor: &mut EntryVisitor<'_>,
    ) -> Result<Option<u64>, CommandError> {
        let Some(oplog) = self.catalog.collection(names::OPLOG) else {
            return Ok(None);
        };
        let pager = self.exec.pager;
        let oldest = oplog.first_record(pager)?.map_or(0, |oldest| oldest.0);
        let mut cursor = oplog.records.cursor();
        let mut on_entry = cursor.seek(pager, Bound::Included(&from.to_be_bytes()))?;
        while on_entry {
            self.exec.env.checkpoint()?;
            let at = RecordId::from_bytes(cursor.key()).map_or(0, |id| id.0);
            let entry = cursor.value_ref(pager)?;
            if !visitor(at, Document::from_valid_bytes(&entry))? {
                break;
            }
            drop(entry);
            on_entry = cursor.next(pager)?;
        }
        Ok(Some(oldest))
    }

    fn newest_entry(&self) -> Option<u64> {
        let oplog = self.catalog.collection(names::OPLOG)?;
        Some(oplog.next_record.0.saturating_sub(1))
    }

    fn images_expired(&self) -> Result<i64, CommandError> {
        let id = CHANGE_STREAM_OPTIONS.into();
        let options = self.find_by_id(cluster_parameters::NAMESPACE, id)?;
        let seconds = options.and_then(|options| images_seconds(options.as_document()));
        Ok(seconds.map_or(i64::MIN, |seconds| {
            { self.exec.now_millis }.saturating_sub(seconds.saturating_mul(1000))
        }))
    }

    fn find_by_id(
        &self,
        namespace: &str,
        id: ValueRef<'_>,
    ) -> Result<Option<DocumentBuf>, CommandError> {
        let Some(collection) = self.catalog.collection(namespace) else {
            return Ok(None);
        };
        let Some(record) = collection.find_by_id(self.exec.pager, id)? else {
            return Ok(None);
        };
        let found = collection.read(self.exec.pager, record)?;
        Ok(found.map(|found| DocumentBuf::from_valid_bytes(found.into_owned())))
    }

    fn take_reads(&self) -> Reads {
        let notes = self.notes.as_ref();
        notes.map_or_else(Reads::default, |notes| notes.take())
    }

    fn database(&self) -> &str {
        self.database
    }

    fn unique_key(
        &self,
        database: &str,
        collection: &str,
        fields: &[String],
        collation: &Collation,
    ) -> Option<bool> {
        let collection = self
            .catalog
            .collection(&format!("{database}.{collection}"))?;
        let unique = collection.indexes.iter().filter(|index| {
            let definition = &index.definition;
            (definition.unique || definition.is_id_index())
                && definition.partial.is_none()
                && definition.collation == *collation
                && definition.fields.len() == fields.len()
                && definition
                    .fields
                    .iter()
                    .all(|field| fields.iter().any(|path| *path == *field.path))
        });
        unique.map(|index| !index.definition.sparse).max()
    }
}
