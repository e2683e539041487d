//! `explain`: how a command would be run, and what that costs. Manual: reference/command/explain.
//!
//! Beside the server's own fields, `executionStats.quire` says how many pages and bytes were touched.

use super::context::{CommandContext, CommandResult};
use super::names::SERVER_VERSION;
use super::params::Request;
use super::reply::finish_ok;
use super::update::{ChangeScratch, PlannedUpdate, would_change};
use super::{
    aggregate, bulk_write, count, delete, distinct, find, find_and_modify, map_reduce_explain,
    table, update, views,
};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::Collection;
use crate::error::{Code, CommandError};
use crate::exec::{Execution, Stage, total_examined};
use crate::planner::explain::{
    Verbosity, append_command, append_plan, append_query, append_subplan,
};
use crate::planner::memory;
use crate::planner::shape::QueryShape;
use crate::planner::{Plan, Planned, QueryRequest};
use crate::query::MatchNode;
use std::rc::Rc;

/// What is put around the plan's tree: the stage of the explained command itself.
#[derive(Clone, Copy)]
pub enum Wrapper<'a> {
    None,
    Count,
    /// The collection's counter answers; no plan runs.
    FastCount,
    Update(&'a PlannedUpdate),
    Delete {
        multi: bool,
    },
}

impl Wrapper<'_> {
    /// Whether the command is done with the first row.
    fn stops_at_first(self) -> bool {
        match self {
            Self::Update(planned) => !planned.multi,
            Self::Delete { multi } => !multi,
            _ => false,
        }
    }

    fn stage_name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Count => Some("COUNT"),
            Self::FastCount => Some("RECORD_STORE_FAST_COUNT"),
            Self::Update(_) => Some("UPDATE"),
            Self::Delete { .. } => Some("DELETE"),
        }
    }

    /// The name of a write that a look-up carries out by itself.
    fn express_name(self) -> &'static str {
        match self {
            Self::Update(_) => "EXPRESS_UPDATE",
            _ => "EXPRESS_DELETE",
        }
    }
}

/// Everything explain shows of one planned command.
pub struct Explained<'a> {
    pub namespace: &'a str,
    pub query: &'a QueryRequest,
    pub planned: &'a Planned,
    pub collection: &'a Rc<Collection>,
    pub wrapper: Wrapper<'a>,
}

impl<'a> Explained<'a> {
    /// Whether a write finds its document by one `_id`.
    fn is_look_up(&self) -> bool {
        matches!(&self.planned.winner, Plan::Express { index, .. } if index.is_id())
            && matches!(self.wrapper, Wrapper::Update(_) | Wrapper::Delete { .. })
    }

    /// That look-up as a stage of its own, which it is below an upsert.
    fn staged_look_up(&self) -> Option<Plan> {
        match (&self.planned.winner, self.wrapper) {
            (Plan::Express { index, key, .. }, Wrapper::Update(planned))
                if planned.upsert && !index.is_clustered =>
            {
                Some(Plan::Express {
                    index: Rc::clone(index),
                    key: key.clone(),
                    projection: None,
                    is_stage: true,
                })
            }
            _ => None,
        }
    }

    /// Whether the branches of an `$or` were planned one by one: the whole filter is one, and nothing says which index to use.
    fn is_subplanned(&self) -> bool {
        let query = self.query;
        let is_free = query.hint.is_none() && !query.has_key_range() && !query.tailable;
        is_free
            && matches!(query.matcher.root(), MatchNode::Or(_))
            && !matches!(self.planned.winner, Plan::Eof | Plan::Virtual { .. })
    }

    /// The plans for the whole query that lost; branches that were planned one by one leave none.
    fn rejected(&self) -> &'a [Plan] {
        match self.is_subplanned() {
            true => &[],
            false => &self.planned.rejected,
        }
    }
}

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let ValueRef::Document(command) = request.argument() else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field 'explain.explain' is the wrong type '{}', expected type 'object'",
                request.argument().type_name()
            ),
        ));
    };
    let params = request.params();
    let verbosity = match params.string("verbosity")? {
        None => Verbosity::AllPlansExecution,
        Some(text) => Verbosity::parse(text).ok_or_else(|| {
            CommandError::new(
                Code::BadValue,
                format!(
                    "Enumeration value '{text}' for field 'explain.verbosity' is not a valid value."
                ),
            )
        })?,
    };
    params.finish()?;
    let Some(first) = command.iter().next() else {
        return Err(CommandError::new(
            Code::CommandNotFound,
            "Explain failed due to unknown command: ",
        ));
    };
    if let ValueRef::String(other) = command.get("$db")
        && other != request.database
    {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!(
                "Mismatched $db in explain command. Expected {} but got {other}",
                request.database
            ),
        ));
    }
    let inner = Request {
        document: command,
        name: first.name,
        argument: first.value,
        ..*request
    };
    let on_view = views::explained(context, &inner)?;
    let inner = match &on_view {
        Some(aggregate) => views::request_for(&inner, aggregate.as_document()),
        None => inner,
    };
    let mut reply = DocumentBuilder::new();
    match inner.name {
        "find" => {
            let parsed = find::parse(context, &inner)?;
            append_planned(
                context,
                &parsed.namespace,
                &parsed.query,
                Wrapper::None,
                verbosity,
                &mut reply,
            )?;
        }
        "count" => {
            let parsed = count::parse(context, &inner)?;
            let wrapper = if parsed.is_fast() {
                Wrapper::FastCount
            } else {
                Wrapper::Count
            };
            append_planned(
                context,
                &parsed.namespace,
                &parsed.query,
                wrapper,
                verbosity,
                &mut reply,
            )?;
        }
        "distinct" => {
            let mut parsed = distinct::parse(context, &inner)?;
            parsed.query.explain = true;
            let (planned, collection, _) = distinct::plan(context, &parsed)?;
            let explained = Explained {
                namespace: &parsed.namespace,
                query: &parsed.query,
                planned: &planned,
                collection: &collection,
                wrapper: Wrapper::None,
            };
            append(context, &explained, verbosity, &mut reply)?;
        }
        "update" => {
            let (namespace, parsed) = update::parse_one(context, &inner)?;
            append_planned(
                context,
                &namespace,
                &parsed.query,
                Wrapper::Update(&parsed),
                verbosity,
                &mut reply,
            )?;
        }
        "delete" => {
            let (namespace, query, multi) = delete::parse_one(context, &inner)?;
            append_planned(
                context,
                &namespace,
                &query,
                Wrapper::Delete { multi },
                verbosity,
                &mut reply,
            )?;
        }
        "bulkWrite" => {
            let (namespace, action, compile) = bulk_write::parse_one(context, &inner)?;
            match action {
                bulk_write::Action::Insert(_) => {
                    return Err(CommandError::new(
                        Code::IllegalOperation,
                        "Cannot explain insert cmd for bulkWrite",
                    ));
                }
                bulk_write::Action::Update(statement) => {
                    let compile =
                        context.statement_context(&compile, &namespace, statement.collation)?;
                    let planned = statement.compile(&compile)?;
                    let wrapper = Wrapper::Update(&planned);
                    append_planned(
                        context,
                        &namespace,
                        &planned.query,
                        wrapper,
                        verbosity,
                        &mut reply,
                    )?;
                }
                bulk_write::Action::Delete(statement) => {
                    let compile =
                        context.statement_context(&compile, &namespace, statement.collation)?;
                    let query = statement.compile(&compile)?;
                    let wrapper = Wrapper::Delete {
                        multi: !statement.single,
                    };
                    append_planned(context, &namespace, &query, wrapper, verbosity, &mut reply)?;
                }
            }
        }
        "findAndModify" | "findandmodify" => {
            let parsed = find_and_modify::parse(context, &inner)?;
            let wrapper = match &parsed.modification {
                find_and_modify::Modification::Remove(_) => Wrapper::Delete { multi: false },
                find_and_modify::Modification::Update(planned) => Wrapper::Update(planned),
            };
            append_planned(
                context,
                &parsed.namespace,
                parsed.query(),
                wrapper,
                verbosity,
                &mut reply,
            )?;
        }
        "aggregate" => {
            let parsed = aggregate::parse(&inner, true)?;
            aggregate::append_explain(context, &parsed, verbosity, &mut reply)?;
        }
        "mapReduce" => map_reduce_explain::append(context, &inner, verbosity, &mut reply)?,
        other => {
            return Err(match table::find(other) {
                Some(row) => CommandError::new(
                    Code::IllegalOperation,
                    format!("Cannot explain cmd: {}", row.name),
                ),
                None => CommandError::new(
                    Code::CommandNotFound,
                    format!("Explain failed due to unknown command: {other}"),
                ),
            });
        }
    }
    append_command(command, request.database, &mut reply);
    append_server_info(&mut reply);
    Ok(finish_ok(reply))
}

/// Plans a query and appends what explain shows of it.
fn append_planned(
    context: &CommandContext<'_>,
    namespace: &str,
    query: &QueryRequest,
    wrapper: Wrapper<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let shown = QueryRequest {
        explain: true,
        ..query.clone()
    };
    let (planned, collection) = find::plan(context, namespace, &shown)?;
    let explained = Explained {
        namespace,
        query,
        planned: &planned,
        collection: &collection,
        wrapper,
    };
    append(context, &explained, verbosity, reply)
}

/// Appends `explainVersion`, `queryPlanner` and, from `executionStats` on, what a run cost.
///
/// # Errors
/// What running the plan says.
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
    append_query("parsedQuery", &explained.query.matcher, reply);
    let is_filtered = memory::allowed_indexes(explained.query, explained.collection).is_some();
    reply.append("indexFilterSet", is_filtered);
    if let Some(collation) = explained.query.matcher.collation().spec() {
        reply.append("collation", &collation);
    }
    let shape = QueryShape::of(explained.query, explained.collection);
    let hash = shape.hash();
    reply.append("queryHash", hash.as_str());
    reply.append("planCacheShapeHash", hash.as_str());
    reply.append("planCacheKey", shape.key_hash().as_str());
    let cached = match memory::is_empty(explained.collection) {
        true => None,
        false => memory::with(explained.collection, |memory| memory.active(&shape)),
    };
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
    reply.append("isCached", is_cached(&explained.planned.winner));
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

/// Appends the plan's tree below the command's own stage, if it has one.
fn append_wrapped(
    explained: &Explained<'_>,
    stage: Option<&dyn Stage>,
    changed: i64,
    reply: &mut DocumentBuilder,
) {
    let plan = &explained.planned.winner;
    let mut below = match explained.wrapper {
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
    let staged;
    if explained.is_look_up() {
        let Some(look_up) = explained.staged_look_up() else {
            return append_express_write(explained, stage, changed, reply);
        };
        staged = look_up;
        below.0 = &staged;
    }
    reply.append("stage", name);
    if let Some(stage) = stage {
        let counts = stage.statistics();
        reply
            .append_integer("nReturned", 0)
            .append_integer("executionTimeMillisEstimate", 0);
        reply
            .append_integer("works", counts.works as i64)
            .append_integer("advanced", 0);
        reply.append_integer("needTime", counts.works.saturating_sub(1) as i64);
        reply
            .append_integer("needYield", 0)
            .append_integer("saveState", 0);
        reply
            .append_integer("restoreState", 0)
            .append_integer("isEOF", 1);
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
    append_plan(&explained.planned.winner, stage, &mut look_up);
    for field in look_up.finish().as_document().iter() {
        match field.name {
            "stage" => reply.append("stage", explained.wrapper.express_name()),
            // A write gives no documents.
            "nReturned" => reply.append("nReturned", 0),
            name => reply.append(name, field.value),
        };
    }
    if let Some(stage) = stage {
        let found = stage.statistics().advanced;
        append_wrapper_counts(explained, found as i64, found, changed, reply);
    }
}

/// What a count counts: its own stage skips and limits.
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

/// Appends what the command itself counts: of `came` rows it was given `rows`, and an update would change `changed` of them.
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
            let query = explained.query;
            let left = explained.collection.count().saturating_sub(query.skip);
            let counted = query.limit.map_or(left, |limit| left.min(limit));
            reply.append_integer("nCounted", counted as i64);
            reply.append_integer("nSkipped", query.skip as i64);
        }
        Wrapper::Count => {
            reply
                .append_integer("nCounted", rows)
                .append_integer("nSkipped", explained.query.skip.min(came) as i64);
        }
        Wrapper::Update(planned) => {
            reply
                .append_integer("nMatched", rows)
                .append_integer("nWouldModify", changed);
            reply.append_integer("nWouldUpsert", i64::from(planned.upsert && rows == 0));
        }
        Wrapper::Delete { .. } => {
            reply.append_integer("nWouldDelete", rows);
        }
    }
}

fn append_execution(
    context: &CommandContext<'_>,
    explained: &Explained<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let pager = &context.deployment.pager;
    let exec = context.exec_context();
    // The planner's trial runs are not part of what the winner costs.
    let _ = pager.take_accounting();
    let start = context.env.monotonic_millis();
    let fast = matches!(explained.wrapper, Wrapper::FastCount);
    let plan = if fast {
        &Plan::Eof
    } else {
        &explained.planned.winner
    };
    let mut execution = Execution::explaining(plan, explained.collection);
    let mut failure = None;
    let (mut returned, mut changed) = (0_i64, 0);
    let mut scratch = ChangeScratch::default();
    loop {
        let advanced = match (execution.advance(&exec), explained.wrapper) {
            (Ok(true), Wrapper::Update(planned)) => match execution.row().record_id {
                Some(record) => {
                    would_change(context, explained.collection, record, planned, &mut scratch).map(
                        |is_change| {
                            changed += i64::from(is_change);
                            true
                        },
                    )
                }
                None => Ok(true),
            },
            (advanced, _) => advanced,
        };
        match advanced {
            Ok(true) => {
                returned += 1;
                if explained.wrapper.stops_at_first() {
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
        returned = 0;
    }
    let run = Run {
        returned,
        changed,
        millis,
        failure,
    };
    append_run(context, explained, &execution, &run, verbosity, reply)
}

/// What running a plan came to.
pub struct Run {
    returned: i64,
    /// How many documents an update would have changed.
    changed: i64,
    millis: i64,
    failure: Option<CommandError>,
}

impl Run {
    /// A run that ended without an error, after so many milliseconds.
    pub fn of(execution: &Execution, millis: i64) -> Self {
        Self {
            returned: execution.stage().statistics().advanced as i64,
            changed: 0,
            millis,
            failure: None,
        }
    }
}

/// Appends `executionStats` of a plan that has run.
///
/// # Errors
/// What running the other plans says.
pub fn append_run(
    context: &CommandContext<'_>,
    explained: &Explained<'_>,
    execution: &Execution,
    run: &Run,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let pages = context.deployment.pager.accounting().counters();
    let (keys, documents) = total_examined(execution.stage());
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
    append_wrapped(explained, Some(execution.stage()), run.changed, reply);
    reply.end();
    if verbosity == Verbosity::AllPlansExecution {
        append_all_plans(context, explained, reply)?;
    }
    reply.begin_document("quire");
    reply.append_integer("pagesRead", pages.pages_read as i64);
    reply.append_integer("bytesRead", pages.bytes_read as i64);
    reply.append("plan", explained.planned.winner.to_string().as_str());
    reply.end();
    reply.end();
    Ok(())
}

/// Runs the rejected plans too, as long as a trial lasts, and shows what each cost.
fn append_all_plans(
    context: &CommandContext<'_>,
    explained: &Explained<'_>,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    reply.begin_array("allPlansExecution");
    let rejected = explained.rejected();
    if !rejected.is_empty() {
        let all = std::iter::once(&explained.planned.winner).chain(rejected);
        let exec = context.exec_context();
        for (position, plan) in all.enumerate() {
            let mut execution = Execution::explaining(plan, explained.collection);
            let mut returned = 0_i64;
            while returned < crate::planner::rank::TRIAL_RESULTS as i64
                && execution.advance(&exec)?
            {
                returned += 1;
            }
            let (keys, documents) = total_examined(execution.stage());
            reply.begin_document(&position.to_string());
            reply.append_integer("nReturned", returned);
            reply.append_integer("executionTimeMillisEstimate", 0);
            reply.append_integer("totalKeysExamined", keys as i64);
            reply.append_integer("totalDocsExamined", documents as i64);
            reply.begin_document("executionStages");
            append_plan(plan, Some(execution.stage()), reply);
            reply.end().end();
        }
    }
    reply.end();
    Ok(())
}

/// Appends who answers.
pub fn append_server_info(reply: &mut DocumentBuilder) {
    reply.begin_document("serverInfo");
    reply
        .append("host", "quire")
        .append("port", 27017)
        .append("version", SERVER_VERSION);
    reply.append("gitVersion", concat!("quire-", env!("CARGO_PKG_VERSION")));
    reply.end();
    reply.begin_document("serverParameters");
    reply.append("internalQueryFrameworkControl", "forceClassicEngine");
    reply.append(
        "internalQueryMaxBlockingSortMemoryUsageBytes",
        crate::exec::SORT_MEMORY_LIMIT as i32,
    );
    reply.end();
}
