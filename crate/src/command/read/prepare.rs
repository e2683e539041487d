//! The way of every command to the documents of a query: it prepares a read, and runs it or shows it.
//!
//! A command gives its query, and the way to compile it. A request of a shape that was met before (`planner::prepared`)
//! is not compiled; any other is compiled and planned. Running makes stages of either: a plan that only reads keys and
//! documents becomes one stage (`exec::build`). Explain asks for the `PlannedRead` and prints it. The `KeyRead` of a
//! known shape was taken from such a plan, of a kind that is the same for all values of the shape, so that the two
//! cannot differ (`prepared_tests` compares their rows and their counts).
//!
//! ```text
//! find, count ─────────────────┐ shape? ── known ──► KeyRead ────────┐
//! update, delete ──────────────┤                                     ├─► stages
//! findAndModify, pipeline, ────┴─ compile, plan ──► PlannedRead ─────┘
//! distinct, explain                                      └─► explain
//! ```

use super::read_options;
use super::watched::{Fact, ReadContext, WatchedInput, WatchedRead};
use crate::catalog::plan_cache::KeyRead;
use crate::catalog::{self, Catalog, Collection, RecordId};
use crate::error::CommandError;
use crate::exec::watch::Slot;
use crate::exec::{self, Build, ExecContext, Root, Stage, record_ids};
use crate::plan::Plan;
use crate::planner::prepared::{self, ReadShape};
use crate::planner::{self, Planned, QueryRequest};
use crate::query::Projection;
use std::rc::Rc;

/// A compiled query and its plan.
pub struct PlannedRead {
    pub query: QueryRequest,
    pub planned: Planned,
    pub collection: Rc<Collection>,
}

impl PlannedRead {
    /// The running stages for explain, one for each stage of the plan. `$indexStats` does not count their indexes.
    pub fn shown(&self) -> Box<dyn Stage> {
        exec::build(&self.planned.winner, &self.collection, Build::default())
    }
}

/// A read of a shape that was met before, with its values.
pub struct KnownRead {
    read: KeyRead,
    collection: Rc<Collection>,
    /// The projection of its documents. A `PlannedRead` has one inside its plan.
    pub projection: Option<Rc<Projection>>,
}

/// A read that can be run.
pub enum Prepared {
    Known(KnownRead),
    Planned(Rc<PlannedRead>),
}

impl Prepared {
    /// Starts the read.
    pub fn start(self, exec: &ReadContext<'_>, how: Build) -> Root {
        match self {
            Self::Known(known) => {
                exec::run_read(known.read, known.projection, &known.collection, exec, how)
            }
            Self::Planned(read) => Root::Stage(match exec.watch {
                Some(watch) => {
                    let (stage, slot) = start_watched(&read, exec);
                    watch.keep(Fact::Read(WatchedRead { read, slot }));
                    stage
                }
                None => exec::run(&read.planned.winner, &read.collection, exec, how),
            }),
        }
    }

    /// Starts the read of a pipeline that is observed.
    pub fn start_watched(self, exec: &ReadContext<'_>) -> WatchedInput {
        match self {
            Self::Planned(read) => {
                let (stage, slot) = start_watched(&read, exec);
                (stage, Some(WatchedRead { read, slot }))
            }
            // A read that is watched is planned.
            Self::Known(_) => (self.start(exec, Build::default()).boxed(), None),
        }
    }

    /// The records that the read finds, in its order: the first, or all. The document of a single key is not read:
    /// the command that changes it reads it then.
    ///
    /// # Errors
    /// Everything that stops the command.
    pub fn records(
        self,
        exec: &ReadContext<'_>,
        single: bool,
    ) -> Result<Vec<RecordId>, CommandError> {
        let how = Build {
            wanted: single.then_some(1),
            records_only: true,
            ..Build::default()
        };
        record_ids(self.start(exec, how).stage(), exec, single.then_some(1))
    }

    /// The plan, where there is one to be shown.
    pub fn planned(&self) -> Option<&Rc<PlannedRead>> {
        match self {
            Self::Known(_) => None,
            Self::Planned(read) => Some(read),
        }
    }
}

/// Calls `plan`. For an observed command the pages that trial runs read are left out of its account.
pub fn aside<T>(exec: &ReadContext<'_>, plan: impl FnOnce() -> T) -> T {
    if exec.watch.is_none() {
        return plan();
    }
    let before = exec.pager.step_aside();
    let planned = plan();
    exec.pager.step_back(before);
    planned
}

/// The stages of a plan, and where to look at them.
fn start_watched(read: &PlannedRead, exec: &ExecContext<'_>) -> (Box<dyn Stage>, Slot) {
    exec::run_watched(&read.planned.winner, &read.collection, exec)
}

/// Prepares a read of a namespace, and of the collection there, if there is one. `compile` is asked when the
/// request has no shape, or one that was not met yet.
///
/// # Errors
/// Errors of compiling and planning.
pub fn prepare(
    catalog: &Catalog,
    exec: &ReadContext<'_>,
    namespace: &str,
    collection: Option<&Rc<Collection>>,
    shape: Option<&ReadShape<'_>>,
    compile: &mut dyn FnMut() -> Result<QueryRequest, CommandError>,
) -> Result<Prepared, CommandError> {
    if exec.watch.is_some() {
        let query = QueryRequest {
            explain: exec.explains(),
            ..compile()?
        };
        let read = aside(exec, || plan(catalog, exec, namespace, query))?;
        exec.allow(&read.planned)?;
        return Ok(Prepared::Planned(Rc::new(read)));
    }
    if let Some(shape) = shape
        && let Some(collection) = collection
        && let Some(read) = prepared::known(shape, collection)
    {
        return Ok(Prepared::Known(KnownRead {
            read,
            collection: Rc::clone(collection),
            projection: None,
        }));
    }
    let read = plan(catalog, exec, namespace, compile()?)?;
    exec.allow(&read.planned)?;
    if let Some(shape) = shape {
        prepared::keep(shape, &read.collection, &read.planned);
    }
    Ok(Prepared::Planned(Rc::new(read)))
}

/// Plans a query over its namespace: a collection, a virtual one, or nothing.
///
/// # Errors
/// Errors of the planner.
pub fn plan(
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
            planner::text::refuse_without_collection(&query.matcher)?;
            let filter = (!query.matcher.is_empty()).then(|| Rc::clone(&query.matcher));
            let source = Plan::Virtual {
                documents: Rc::new(documents),
                filter,
            };
            (Planned::only(planner::finish::shape(source, &query)), None)
        }
        (None, None) => {
            planner::text::refuse_without_collection(&query.matcher)?;
            (Planned::only(Plan::Eof), None)
        }
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
