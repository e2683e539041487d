//! The explain of one planned command: its plan below the stages of the command itself, and the cost of a run of it.
//!
//! Invariant: a plan that is shown is the one that is run here, and nothing it finds is changed.

use super::count::windowed;
use super::prepare::PlannedRead;
use crate::bson::{Document, DocumentBuilder};
use crate::command::context::CommandContext;
use crate::command::write::change::{ChangeScratch, would_change};
use crate::command::write::find_and_modify::FindAndModify;
use crate::command::write::series_change::{PlannedDelete, would_delete};
use crate::command::write::update_statement::PlannedUpdate;
use crate::error::CommandError;
use crate::exec::explain::{Verbosity, append_plan, append_query, append_subplan};
use crate::exec::{Build, Stage, build, total_examined};
use crate::plan::Plan;
use crate::planner::memory;
use crate::planner::shape;
use crate::query::{MatchNode, Matcher, Projection};

/// The stage put around the plan's tree: that of the explained command itself.
#[derive(Clone, Copy)]
pub enum Wrapper<'a> {
    None,
    Count,
    /// The collection's counter answers; no plan runs.
    FastCount,
    Update {
        planned: &'a PlannedUpdate,
        giving: Giving<'a>,
    },
    Delete {
        multi: bool,
        giving: Giving<'a>,
    },
    /// A delete of measurements from their buckets.
    Modify {
        multi: bool,
        /// `None`: all measurements of the buckets.
        residual: Option<&'a Matcher>,
    },
}

/// The command that gives the document it changes, if that is one.
pub type Giving<'a> = Option<&'a FindAndModify<'a>>;

impl<'a> Wrapper<'a> {
    pub fn update(planned: &'a PlannedUpdate, giving: Giving<'a>) -> Self {
        Self::Update { planned, giving }
    }

    pub fn delete(multi: bool, giving: Giving<'a>) -> Self {
        Self::Delete { multi, giving }
    }

    /// The stage of a planned delete of measurements; whole buckets go as documents do.
    pub fn measurements(multi: bool, planned: &'a PlannedDelete) -> Self {
        match (&planned.residual, multi) {
            (None, true) => Self::delete(multi, None),
            (residual, _) => Self::Modify {
                multi,
                residual: residual.as_ref(),
            },
        }
    }

    pub fn is_write(self) -> bool {
        matches!(
            self,
            Self::Update { .. } | Self::Delete { .. } | Self::Modify { .. }
        )
    }

    fn giving(self) -> Giving<'a> {
        match self {
            Self::Update { giving, .. } | Self::Delete { giving, .. } => giving,
            _ => None,
        }
    }

    /// The projection of the documents given back.
    pub fn projection(self) -> Option<&'a Projection> {
        self.giving()?.projection.as_ref()
    }

    /// Whether the command is done with the first row.
    fn stops_at_first(self) -> bool {
        match self {
            Self::Update { planned, .. } => !planned.multi,
            Self::Delete { multi, .. } => !multi,
            _ => false,
        }
    }

    fn stage_name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Count => Some("COUNT"),
            Self::FastCount => Some("RECORD_STORE_FAST_COUNT"),
            Self::Update { .. } => Some("UPDATE"),
            Self::Delete { .. } => Some("DELETE"),
            Self::Modify { .. } => Some("TS_MODIFY"),
        }
    }

    /// The name of a write that a look-up carries out by itself.
    fn express_name(self) -> &'static str {
        match self {
            Self::Update { .. } => "EXPRESS_UPDATE",
            _ => "EXPRESS_DELETE",
        }
    }
}

/// Everything explain shows of one planned command.
pub struct Explained<'a> {
    pub namespace: &'a str,
    pub read: &'a PlannedRead,
    pub wrapper: Wrapper<'a>,
}

impl<'a> Explained<'a> {
    /// Whether a write finds its document by one `_id`.
    fn is_look_up(&self) -> bool {
        matches!(&self.read.planned.winner, Plan::Express { .. }) && self.wrapper.is_write()
    }

    /// How many documents a write gives that found `rows`.
    fn given(&self, rows: i64) -> i64 {
        match (self.wrapper.giving(), self.wrapper) {
            (Some(giving), Wrapper::Update { planned, .. }) if rows == 0 => {
                i64::from(planned.upsert && giving.new)
            }
            (Some(_), _) => rows,
            (None, _) => 0,
        }
    }

    /// Whether the branches of an `$or` were planned one by one: the whole filter is one, and nothing says which index
    /// to use.
    fn is_subplanned(&self) -> bool {
        let query = &self.read.query;
        let is_free = query.hint.is_none() && !query.has_key_range() && !query.tailable;
        is_free
            && matches!(query.matcher.root(), MatchNode::Or(_))
            && !matches!(self.read.planned.winner, Plan::Eof | Plan::Virtual { .. })
    }

    /// The plans for the whole query that lost; branches that were planned one by one leave none.
    fn rejected(&self) -> &'a [Plan] {
        match self.is_subplanned() {
            true => &[],
            false => &self.read.planned.rejected,
        }
    }
}

/// Appends `explainVersion`, `queryPlanner` and, from `executionStats` on, the cost of a run.
///
/// # Errors
/// Errors of running the plan.
pub fn append(
    context: &CommandContext<'_>,
    explained: &Explained<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    reply.append("explainVersion", "1");
    append_planning(explained, reply);
    if verbosity == Verbosity::QueryPlanner {
        return Ok(());
    }
    append_execution(context, explained, verbosity, reply)
}

/// Appends `queryPlanner`.
pub fn append_planning(explained: &Explained<'_>, reply: &mut DocumentBuilder) {
    reply.begin_document("queryPlanner");
    reply.append("namespace", explained.namespace);
    append_query("parsedQuery", &explained.read.query.matcher, reply);
    let is_filtered =
        memory::filtered_indexes(&explained.read.query, &explained.read.collection).is_some();
    reply.append("indexFilterSet", is_filtered);
    if let Some(settings) = &explained.read.query.settings {
        reply.append("querySettings", &**settings);
    }
    if let Some(collation) = explained.read.query.matcher.collation().spec() {
        reply.append("collation", &collation);
    }
    let shape = shape::of(&explained.read.query, &explained.read.collection);
    let hash = shape.hash();
    reply.append("queryHash", hash.as_str());
    reply.append("planCacheShapeHash", hash.as_str());
    reply.append("planCacheKey", shape.key_hash().as_str());
    let cached = memory::with(&explained.read.collection, |cache| cache.active(&shape));
    let is_cached = |plan: &Plan| {
        let choice = cached.as_ref().map(|(choice, _)| choice.as_str());
        choice.is_some_and(|choice| choice == memory::choice(plan))
    };
    reply.append("optimizationTimeMillis", 0);
    reply.append("maxIndexedOrSolutionsReached", false);
    reply.append("maxIndexedAndSolutionsReached", false);
    reply.append("maxScansToExplodeReached", false);
    reply.append("prunedSimilarIndexes", false);
    reply.begin_document("winningPlan");
    reply.append("isCached", is_cached(&explained.read.planned.winner));
    append_wrapped(explained, None, 0, reply);
    reply.end();
    reply.begin_array("rejectedPlans");
    for (position, plan) in explained.rejected().iter().enumerate() {
        reply.begin_document(&position.to_string());
        reply.append("isCached", is_cached(plan));
        append_plan(plan, None, reply);
        reply.end();
    }
    reply.end().end();
}

/// Appends the plan's tree below the command's own stages, if it has any.
fn append_wrapped(
    explained: &Explained<'_>,
    stage: Option<&dyn Stage>,
    changed: i64,
    reply: &mut DocumentBuilder,
) {
    let Some(projection) = explained.wrapper.projection() else {
        return append_written(explained, stage, changed, reply);
    };
    reply.append("stage", "PROJECTION_DEFAULT");
    if let Some(stage) = stage {
        append_own_counts(explained, stage, reply);
    }
    reply.append("transformBy", &projection.to_bson());
    reply.begin_document("inputStage");
    append_written(explained, stage, changed, reply);
    reply.end();
}

/// Appends the counts of a stage of the command itself.
fn append_own_counts(explained: &Explained<'_>, stage: &dyn Stage, reply: &mut DocumentBuilder) {
    let counts = stage.statistics();
    let given = explained.given(counts.advanced as i64);
    reply
        .append_integer("nReturned", given)
        .append_integer("executionTimeMillisEstimate", 0)
        .append_integer("works", counts.works as i64)
        .append_integer("advanced", given)
        .append_integer("needTime", (counts.works as i64 - 1 - given).max(0))
        .append_integer("needYield", 0)
        .append_integer("saveState", 0)
        .append_integer("restoreState", 0)
        .append_integer("isEOF", 1);
}

fn append_written(
    explained: &Explained<'_>,
    stage: Option<&dyn Stage>,
    changed: i64,
    reply: &mut DocumentBuilder,
) {
    let plan = &explained.read.planned.winner;
    let below = match explained.wrapper {
        Wrapper::Count => below_limits(plan, stage),
        _ => (plan, stage),
    };
    let append_planned = match explained.is_subplanned() {
        true => append_subplan,
        false => append_plan,
    };
    let Some(name) = explained.wrapper.stage_name() else {
        append_planned(plan, stage, reply);
        return;
    };
    if explained.is_look_up() {
        return append_express_write(explained, stage, changed, reply);
    }
    reply.append("stage", name);
    if let Wrapper::Modify { multi, residual } = explained.wrapper {
        reply.append("opType", if multi { "deleteMany" } else { "deleteOne" });
        append_query("bucketFilter", &explained.read.query.matcher, reply);
        match residual {
            Some(residual) => append_query("residualFilter", residual, reply),
            None => {
                reply.append("residualFilter", Document::EMPTY);
            }
        }
    }
    if let Some(stage) = stage {
        append_own_counts(explained, stage, reply);
        let counts = stage.statistics();
        let came = below.1.map_or(0, |stage| stage.statistics().advanced);
        append_wrapper_counts(explained, counts.advanced as i64, came, changed, reply);
    }
    if matches!(explained.wrapper, Wrapper::FastCount) {
        return;
    }
    reply.begin_document("inputStage");
    append_planned(below.0, below.1, reply);
    reply.end();
}

/// Appends a write by one `_id` that its own look-up carries out: one stage.
fn append_express_write(
    explained: &Explained<'_>,
    stage: Option<&dyn Stage>,
    changed: i64,
    reply: &mut DocumentBuilder,
) {
    let mut look_up = DocumentBuilder::new();
    append_plan(&explained.read.planned.winner, stage, &mut look_up);
    for field in look_up.finish().as_document().iter() {
        match field.name {
            "stage" => reply.append("stage", explained.wrapper.express_name()),
            // The look-up found a document; the write gives it only where a findAndModify asks for it.
            "nReturned" => {
                let found = stage.map_or(0, |stage| stage.statistics().advanced);
                reply.append_integer("nReturned", explained.given(found as i64))
            }
            name => reply.append(name, field.value),
        };
    }
    if let Some(stage) = stage {
        let found = stage.statistics().advanced;
        append_wrapper_counts(explained, found as i64, found, changed, reply);
    }
}

/// The plan and the stage whose rows a count counts, below the skip and the limit, which its own stage does.
fn below_limits<'p>(
    mut plan: &'p Plan,
    mut stage: Option<&'p dyn Stage>,
) -> (&'p Plan, Option<&'p dyn Stage>) {
    while let Plan::Limit { input, .. } | Plan::Skip { input, .. } = plan {
        plan = input;
        stage = stage.and_then(|stage| stage.inputs().first().copied());
    }
    (plan, stage)
}

/// Appends the command's own counts: of `came` rows it was given `rows`, and an update would change `changed` of them.
fn append_wrapper_counts(
    explained: &Explained<'_>,
    rows: i64,
    came: u64,
    changed: i64,
    reply: &mut DocumentBuilder,
) {
    match explained.wrapper {
        Wrapper::None => {}
        Wrapper::FastCount => {
            let query = &explained.read.query;
            let all = explained.read.collection.count();
            let counted = windowed(all, query.skip, query.limit);
            reply.append_integer("nCounted", counted as i64);
            reply.append_integer("nSkipped", query.skip as i64);
        }
        Wrapper::Count => {
            reply
                .append_integer("nCounted", rows)
                .append_integer("nSkipped", explained.read.query.skip.min(came) as i64);
        }
        Wrapper::Update { planned, .. } => {
            reply
                .append_integer("nMatched", rows)
                .append_integer("nWouldModify", changed);
            reply.append_integer("nWouldUpsert", i64::from(planned.upsert && rows == 0));
        }
        Wrapper::Delete { .. } => {
            reply.append_integer("nWouldDelete", rows);
        }
        Wrapper::Modify { .. } => {
            reply.append_integer("nBucketsUnpacked", rows);
            reply.append_integer("nMeasurementsMatched", changed);
            reply.append_integer("nMeasurementsDeleted", changed);
        }
    }
}

fn append_execution(
    context: &CommandContext<'_>,
    explained: &Explained<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let pager = context.view().pages;
    let exec = context.exec_context();
    // The planner's trial runs do not count towards the winner's cost.
    let _ = pager.take_accounting();
    let start = context.env.monotonic_millis();
    let fast = matches!(explained.wrapper, Wrapper::FastCount);
    let plan = if fast {
        &Plan::Eof
    } else {
        &explained.read.planned.winner
    };
    let mut stage = build(plan, &explained.read.collection, Build::default());
    let mut failure = None;
    let (mut returned, mut changed) = (0_i64, 0);
    let mut scratch = ChangeScratch::default();
    loop {
        let advanced = match (stage.advance(&exec), explained.wrapper) {
            (Ok(true), Wrapper::Update { planned, .. }) => match stage.current().record_id {
                Some(record) => would_change(
                    context,
                    &explained.read.collection,
                    record,
                    planned,
                    &mut scratch,
                )
                .map(|is_change| {
                    changed += i64::from(is_change);
                    true
                }),
                None => Ok(true),
            },
            (Ok(true), Wrapper::Modify { residual, .. }) => {
                let bucket = stage.current();
                would_delete(
                    &explained.read.collection,
                    bucket.document(),
                    residual,
                    context.env,
                )
                .map(|gone| {
                    changed += gone;
                    true
                })
            }
            (advanced, _) => advanced,
        };
        let is_done = match explained.wrapper {
            Wrapper::Modify { multi: false, .. } => changed > 0,
            wrapper => wrapper.stops_at_first(),
        };
        if let Wrapper::Modify { multi: false, .. } = explained.wrapper {
            changed = changed.min(1);
        }
        match advanced {
            Ok(true) => {
                returned += 1;
                if is_done {
                    break;
                }
            }
            Ok(false) => break,
            Err(error) if error.missing_page.is_some() => return Err(error),
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    let millis = (context.env.monotonic_millis() - start).max(0.0) as i64;
    if !matches!(explained.wrapper, Wrapper::None) {
        returned = explained.given(returned);
    }
    let run = Run {
        returned,
        changed,
        millis,
        failure,
    };
    append_run(context, explained, &*stage, &run, verbosity, reply)
}

/// The counts of a run of a plan.
pub struct Run {
    returned: i64,
    /// How many documents an update would have changed.
    changed: i64,
    millis: i64,
    failure: Option<CommandError>,
}

impl Run {
    /// The run that answered a command, whose update changed so many documents.
    pub fn observed(
        explained: &Explained<'_>,
        stage: &dyn Stage,
        millis: i64,
        updated: i64,
    ) -> Self {
        let run = Self::of(stage, millis);
        Self {
            returned: match explained.wrapper {
                Wrapper::None => run.returned,
                _ => explained.given(run.returned),
            },
            changed: updated,
            ..run
        }
    }

    /// A run that ended without an error, after so many milliseconds.
    pub fn of(stage: &dyn Stage, millis: i64) -> Self {
        Self {
            returned: stage.statistics().advanced as i64,
            changed: 0,
            millis,
            failure: None,
        }
    }
}

/// Appends `executionStats` of a plan that has run.
///
/// # Errors
/// Errors of running the other plans.
pub fn append_run(
    context: &CommandContext<'_>,
    explained: &Explained<'_>,
    stage: &dyn Stage,
    run: &Run,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let pages = context.view().pages.accounting().counters();
    let (keys, documents) = total_examined(stage);
    reply.begin_document("executionStats");
    reply.append("executionSuccess", run.failure.is_none());
    if let Some(error) = &run.failure {
        reply.append("failed", true);
        reply.append("errorMessage", error.message.as_str());
        reply.append("errorCode", error.code);
    }
    reply.append_integer("nReturned", run.returned);
    reply.append_integer("executionTimeMillis", run.millis);
    reply.append_integer("totalKeysExamined", keys as i64);
    reply.append_integer("totalDocsExamined", documents as i64);
    reply.begin_document("executionStages");
    reply.append("isCached", false);
    append_wrapped(explained, Some(stage), run.changed, reply);
    reply.end();
    if verbosity == Verbosity::AllPlansExecution {
        append_all_plans(explained, reply);
    }
    reply.begin_document("quire");
    reply.append_integer("pagesRead", pages.pages_read as i64);
    reply.append_integer("bytesRead", pages.bytes_read as i64);
    reply.append("plan", explained.read.planned.winner.to_string().as_str());
    reply.end();
    reply.end();
    Ok(())
}

/// Shows the cost and the score of each plan's trial.
fn append_all_plans(explained: &Explained<'_>, reply: &mut DocumentBuilder) {
    reply.begin_array("allPlansExecution");
    if !explained.rejected().is_empty() {
        for (position, (trial, score)) in explained.read.planned.trials.iter().enumerate() {
            reply.begin_document(&position.to_string());
            for field in trial.as_document().iter() {
                if field.name == "executionStages" {
                    reply.append("score", *score);
                }
                reply.append_raw(field.raw);
            }
            reply.end();
        }
    }
    reply.end();
}
