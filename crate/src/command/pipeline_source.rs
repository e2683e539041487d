//! Pipelines over collections: how an aggregation reads, and reads again across `getMore`.
//!
//! Invariant: every collection read, the pipeline's own and those of `$lookup` and its kin, is
//! planned by the planner, so indexes are used alike.

use super::find;
use super::plan_cache_stats;
use super::views;
use crate::aggregate::{Cursor, Leading, Namespaces, Pipeline, PipelineContext, Running, Visitor};
use crate::bson::{Array, Document, DocumentBuf, ValueRef};
use crate::catalog::{Catalog, Collection};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::exec::{DocumentSource, ExecContext, Execution, PullContext, RowDocument, express};
use crate::expr::CompileContext;
use crate::planner::{Hint, Plan, Planned, QueryRequest};
use crate::query::predicate::comparison::{Comparison, ComparisonKind};
use crate::query::{FieldPath, MatchNode, Matcher, Projection};
use crate::storage::Pager;
use std::any::Any;
use std::rc::Rc;

/// The collections of a deployment as a pipeline sees them.
pub struct Collections<'c> {
    pub pager: &'c Pager,
    pub catalog: &'c Catalog,
    pub env: &'c dyn Env,
    pub deadline_millis: Option<f64>,
    /// The pipeline's own database.
    pub database: &'c str,
    /// The pipeline's own collection, if it has one.
    pub collection: Option<&'c str>,
}

/// A planned collection read, as a pipeline's input.
struct PlanCursor {
    execution: Execution,
}

impl Cursor for PlanCursor {
    fn current(&self) -> Document<'_> {
        self.execution.row().document().unwrap_or(Document::EMPTY)
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
        Some(filter) => Rc::clone(filter),
        None => Rc::new(Matcher::compile(Document::EMPTY, compile)?),
    };
    let sort = match &leading.sort {
        Some(sort) => find::compile_sort(sort.as_document())?,
        None => None,
    };
    let only_from_key = match leading.projection() {
        Some(projection) if leading.limit != Some(0) && !projection.as_document().is_empty() => {
            Projection::compile(projection.as_document(), &matcher, compile)
                .ok()
                .map(Rc::new)
        }
        _ => None,
    };
    Ok(QueryRequest {
        sort,
        skip: leading.skip,
        limit: leading.limit,
        hint,
        only_if_covered: only_from_key,
        ..QueryRequest::filter(matcher)
    })
}

/// Starts what is left of a pipeline on its planned read.
pub fn start(pipeline: Pipeline, planned: &Planned, collection: &Rc<Collection>) -> Running {
    let execution = Execution::new(&planned.winner, collection);
    pipeline.start(Box::new(PlanCursor { execution }))
}

impl Collections<'_> {
    fn exec_context(&self) -> ExecContext<'_> {
        ExecContext::new(self.pager, self.env, self.deadline_millis)
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
        if let Some(resolved) = views::resolve(self.catalog, &namespace)? {
            joined = resolved.with(stages);
            stages = joined.as_array();
            namespace = resolved.namespace;
        }
        let mut pipeline = Pipeline::compile(stages, context)?;
        if pipeline.has_own_source() {
            return Ok(pipeline.start_without_source());
        }
        let leading = pipeline.take_leading();
        let query = leading_query(&leading, hint, context)?;
        let (planned, collection) =
            find::plan_in(self.catalog, &self.exec_context(), &namespace, &query)?;
        Ok(start(pipeline, &planned, &collection))
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
        plan_cursor(cursor)?.execution.advance(&self.exec_context())
    }

    fn visit(
        &mut self,
        cursor: &mut dyn Cursor,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), CommandError> {
        let execution = &mut plan_cursor(cursor)?.execution;
        execution.visit(&self.exec_context(), &mut |_, document| {
            visitor(document)?;
            Ok(true)
        })
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
        database: Option<&str>,
        collection: &str,
        (path, value): (&str, ValueRef<'_>),
        filter: Option<&MatchNode>,
        visitor: &mut Visitor<'_>,
    ) -> Result<bool, CommandError> {
        let mut node = Comparison::compile(FieldPath::new(path), ComparisonKind::Equal, value)?;
        if let Some(filter) = filter {
            node = MatchNode::And(vec![node, filter.clone()]).optimise();
        }
        let query = QueryRequest::filter(Rc::new(Matcher::from_node(node)));
        let namespace = format!("{}.{collection}", database.unwrap_or(self.database));
        let exec = self.exec_context();
        if self.catalog.view(&namespace).is_some() {
            return Ok(false);
        }
        let (planned, collection) = find::plan_in(self.catalog, &exec, &namespace, &query)?;
        if let Plan::Express { index, key, .. } = &planned.winner
            && let Some(found) = collection.indexes.get(index.position)
        {
            let descending = index.fields.first().is_some_and(|(_, down)| *down);
            let (tree, key) = (&found.tree, key.as_ref());
            let found = express::look_up_document(exec.pager, &collection, tree, key, descending)?;
            if let Some((_, bytes)) = found {
                visitor(Document::from_valid_bytes(&bytes))?;
            }
            return Ok(true);
        }
        let mut execution = Execution::new(&planned.winner, &collection);
        execution.visit(&exec, &mut |_, document| {
            visitor(document)?;
            Ok(true)
        })?;
        Ok(true)
    }

    fn database(&self) -> &str {
        self.database
    }

    fn has_unique_key(&self, database: &str, collection: &str, fields: &[String]) -> bool {
        let Some(collection) = self.catalog.collection(&format!("{database}.{collection}")) else {
            return false;
        };
        collection.indexes.iter().any(|index| {
            let definition = &index.definition;
            (definition.unique || definition.is_id_index())
                && definition.partial.is_none()
                && definition.fields.len() == fields.len()
                && definition
                    .fields
                    .iter()
                    .all(|field| fields.iter().any(|path| *path == *field.path))
        })
    }

    fn describe(&mut self, stage: &str, _: ValueRef<'_>) -> Result<Vec<DocumentBuf>, CommandError> {
        if stage == "$planCacheStats" {
            let namespace = format!("{}.{}", self.database, self.collection.unwrap_or_default());
            let collection = self.catalog.collection(&namespace);
            return Ok(
                collection.map_or_else(Vec::new, |collection| plan_cache_stats::all(collection))
            );
        }
        Err(CommandError::new(
            Code::NotImplemented,
            format!("{stage} is not supported"),
        ))
    }
}

/// A running pipeline as a cursor's source.
pub struct PipelineSource {
    pub running: Running,
    pub database: String,
    /// The collection that the pipeline began with.
    pub collection: Option<String>,
}

impl DocumentSource for PipelineSource {
    fn next(&mut self, context: &PullContext<'_>) -> Result<Option<RowDocument>, CommandError> {
        let mut collections = Collections {
            pager: context.exec.pager,
            catalog: context.catalog,
            env: context.exec.env,
            deadline_millis: context.exec.deadline_millis,
            database: &self.database,
            collection: self.collection.as_deref(),
        };
        let mut pipeline = PipelineContext {
            env: context.exec.env,
            now_millis: context.now_millis,
            namespaces: &mut collections,
        };
        if !self.running.advance(&mut pipeline)? {
            return Ok(None);
        }
        Ok(Some(RowDocument::Built(self.running.current().to_buf())))
    }
}
