//! How every command gets at what a query finds: it prepares a read, and runs it or shows it.
//!
//! A command says what it asks for, and how to compile that. A request of a shape that was met before
//! (`planner::prepared`) is not compiled; any other is compiled and planned. Running makes stages of either: what
//! only reads keys and documents becomes one stage (`exec::build`). Explain asks for the `PlannedRead` alone and
//! prints it: with it nothing else would run.
//!
//! ```text
//! find, count ─────────────────┐ shape? ── known ──► KeyRead ────────┐
//! update, delete ──────────────┤                                     ├─► Execution
//! findAndModify, pipeline, ────┴─ compile, plan ──► PlannedRead ─────┘
//! distinct, explain                                      └─► explain
//! ```

use super::read_options;
use crate::catalog::plan_cache::KeyRead;
use crate::catalog::{self, Catalog, Collection, RecordId};
use crate::command::context::CommandContext;
use crate::error::CommandError;
use crate::exec::{Build, ExecContext, Execution};
use crate::plan::Plan;
use crate::planner::prepared::{self, ReadShape};
use crate::planner::{self, Planned, QueryRequest};
use std::rc::Rc;

/// A compiled query and its plan.
pub struct PlannedRead {
    pub query: QueryRequest,
    pub planned: Planned,
    pub collection: Rc<Collection>,
}

/// A read that can be run.
pub enum Prepared {
    /// One whose shape was met before.
    Known(KeyRead, Rc<Collection>),
    Planned(Box<PlannedRead>),
}

impl Prepared {
    /// Starts the read. `wanted`: how many rows are wanted at once, if that is known.
    pub fn start(self, context: &CommandContext<'_>, wanted: Option<u64>) -> Execution {
        let how = Build {
            wanted,
            ..Build::default()
        };
        self.build(&context.exec_context(), how)
    }

    fn build(self, exec: &ExecContext<'_>, how: Build) -> Execution {
        match self {
            Self::Known(read, collection) => Execution::reading(read, &collection, exec, how),
            Self::Planned(read) => {
                Execution::built(&read.planned.winner, &read.collection, exec, how)
            }
        }
    }

    /// The records that the read finds, in its order: the first, or all. The document of a single key is not read:
    /// whoever changes it does.
    ///
    /// # Errors
    /// Whatever stops the command.
    pub fn records(
        self,
        context: &CommandContext<'_>,
        single: bool,
    ) -> Result<Vec<RecordId>, CommandError> {
        let how = Build {
            wanted: single.then_some(1),
            records_only: true,
            ..Build::default()
        };
        let exec = context.exec_context();
        self.build(&exec, how)
            .record_ids(&exec, single.then_some(1))
    }

    /// The collection that is read, as it was when the read was prepared.
    pub fn collection(&self) -> &Rc<Collection> {
        match self {
            Self::Known(_, collection) => collection,
            Self::Planned(read) => &read.collection,
        }
    }
}

/// Prepares a read of a namespace. `compile` is asked when the request has no shape, or one that was not met yet.
///
/// # Errors
/// What compiling and planning say.
pub fn prepare(
    context: &CommandContext<'_>,
    namespace: &str,
    shape: Option<ReadShape<'_>>,
    compile: &mut dyn FnMut() -> Result<QueryRequest, CommandError>,
) -> Result<Prepared, CommandError> {
    if let Some(shape) = &shape
        && let Some(collection) = context.deployment.catalog.collection(namespace)
        && let Some(read) = prepared::known(shape, collection)
    {
        return Ok(Prepared::Known(read, Rc::clone(collection)));
    }
    let read = plan(context, namespace, compile()?)?;
    if let Some(shape) = &shape {
        prepared::keep(shape, &read.collection, &read.planned);
    }
    Ok(Prepared::Planned(Box::new(read)))
}

/// Plans a query over whatever its namespace is.
///
/// # Errors
/// What the planner says.
pub fn plan(
    context: &CommandContext<'_>,
    namespace: &str,
    query: QueryRequest,
) -> Result<PlannedRead, CommandError> {
    plan_in(
        &context.deployment.catalog,
        &context.exec_context(),
        namespace,
        query,
    )
}

/// Plans a query over whatever its namespace is: a collection, a virtual one, or nothing.
///
/// # Errors
/// What the planner says.
pub fn plan_in(
    catalog: &Catalog,
    exec: &ExecContext<'_>,
    namespace: &str,
    query: QueryRequest,
) -> Result<PlannedRead, CommandError> {
    let (database, name) = catalog::names::split(namespace);
    let virtual_documents = catalog.virtual_collection(database, name);
    let (planned, collection) = match (virtual_documents, catalog.collection(namespace)) {
        (Some(_), _) if query.has_key_range() => return Err(planner::key_range::needs_hint()),
        (Some(documents), _) => {
            let filter = (!query.matcher.is_empty()).then(|| Rc::clone(&query.matcher));
            let source = Plan::Virtual {
                documents: Rc::new(documents),
                filter,
            };
            (Planned::only(planner::finish::shape(source, &query)), None)
        }
        (None, None) => (Planned::only(Plan::Eof), None),
        (None, Some(collection)) => (
            planner::choose(&query, collection, exec)?,
            Some(Rc::clone(collection)),
        ),
    };
    Ok(PlannedRead {
        query,
        planned,
        collection: collection
            .unwrap_or_else(|| read_options::collection_or_empty(catalog, namespace)),
    })
}
