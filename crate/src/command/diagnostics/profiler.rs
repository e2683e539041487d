//! The profiler: what a command did and cost, as an entry of its database's `system.profile`.
//!
//! Manual: reference/database-profiler. A command that is profiled is watched as an observed one is, but its plan comes
//! from the cache as it would otherwise. Updates and deletes have an entry for each statement, all others one.
//! Invariants: with the level at 0 nothing is watched; an entry is written by the engine after its command has ended,
//! also after one that failed, and is not profiled itself; commands on moments and forks have none.

use super::current_op::append_command;
use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::{CappedLimits, CollectionOptions};
use crate::command::context::{CommandContext, ServerCounters};
use crate::command::read::shape_hash::shape_hash;
use crate::command::read::watched::{Fact, Observed, Ran, Watch};
use crate::command::request::Request;
use crate::command::row::CommandRow;
use crate::error::CommandError;
use crate::query::Matcher;
use crate::storage::PageCounters;
use std::rc::Rc;

/// A command that takes more bytes is told as a text that is cut off.
const MOST_COMMAND_BYTES: usize = 50 * 1024;
/// As much of a command as a line of the log tells.
const MOST_LOGGED_BYTES: usize = 1000;
/// How many bytes of entries a database keeps, unless its `system.profile` was made before.
const PROFILE_BYTES: i64 = 1 << 20;
/// The address of the one client that there is.
pub const CLIENT: &str = "127.0.0.1";

/// Which commands on a database are kept.
#[derive(Clone, Default)]
pub struct Settings {
    /// 0: none, 1: those that are slow or that the filter matches, 2: all.
    pub level: i32,
    pub filter: Option<Rc<Matcher>>,
}

/// The settings of all databases.
pub struct Profiler {
    databases: Vec<(Box<str>, Settings)>,
    /// From how many milliseconds on a command is slow.
    pub slow_millis: i64,
    /// The share of slow commands that are kept.
    pub sample_rate: f64,
}

impl Default for Profiler {
    fn default() -> Self {
        Self {
            databases: Vec::new(),
            slow_millis: 100,
            sample_rate: 1.0,
        }
    }
}

impl Profiler {
    pub fn settings(&self, database: &str) -> Settings {
        let mut known = self.databases.iter();
        let found = known.find(|(name, _)| &**name == database);
        found.map_or_else(Settings::default, |(_, settings)| settings.clone())
    }

    pub fn set(&mut self, database: &str, settings: Settings) {
        self.forget(database);
        if settings.level > 0 || settings.filter.is_some() {
            self.databases.push((database.into(), settings));
        }
    }

    /// Sets a database back, as dropping it does.
    pub fn forget(&mut self, database: &str) {
        self.databases.retain(|(name, _)| &**name != database);
    }

    /// Whether a command is to be watched.
    pub fn watches(&self, row: &CommandRow, database: &str) -> bool {
        !self.databases.is_empty()
            && row.profiled_as().is_some()
            && self.settings(database).level > 0
    }
}

/// The options of a `system.profile` that the profiler makes.
///
/// # Errors
/// None: its limit is a sound one.
pub fn collection_options() -> Result<CollectionOptions, CommandError> {
    Ok(CollectionOptions::of(CappedLimits::new(
        PROFILE_BYTES,
        None,
    )?))
}

/// A command or one of its statements.
struct Piece {
    command: DocumentBuf,
    /// The counts of its documents.
    counts: DocumentBuf,
    facts: Vec<Fact>,
    counters: PageCounters,
    millis: f64,
    error: Option<CommandError>,
}

/// A command that has run, on its way into the profile.
pub struct Profiled<'p> {
    pub row: &'p CommandRow,
    pub request: &'p Request<'p>,
    /// The command's reply, or its error.
    pub result: Result<Document<'p>, &'p CommandError>,
    /// The counters before it.
    pub counted: ServerCounters,
}

impl Profiled<'_> {
    /// The entries of the command, as many as its database's settings ask for.
    // Apart: few commands are profiled.
    #[inline(never)]
    pub fn entries(&self, context: &CommandContext<'_>) -> Vec<DocumentBuf> {
        let settings = context.deployment.profiler.settings(self.request.database);
        let (Some(op), Some(watch)) = (self.row.profiled_as(), context.watch.as_deref()) else {
            return Vec::new();
        };
        let by_statement = matches!(op, "update" | "remove");
        let pieces = match by_statement {
            true => statements(context, watch),
            false => vec![self.whole(context, watch)],
        };
        let mut entries = Vec::new();
        for piece in pieces {
            if settings.level < 2 && settings.filter.is_none() && !is_slow(context, piece.millis) {
                continue;
            }
            let entry = self.entry(context, op, &piece, !by_statement);
            let is_wanted = match &settings.filter {
                Some(filter) if settings.level < 2 => filter
                    .matches(entry.as_document(), context.env)
                    .unwrap_or(false),
                _ => true,
            };
            if is_wanted {
                entries.push(entry);
            }
        }
        entries
    }

    /// The reply of the command, also where it was observed.
    fn reply(&self) -> Option<Document<'_>> {
        let reply = self.result.ok()?;
        let inner = reply.get("reply").as_document();
        Some(inner.filter(|_| has(reply, "observed")).unwrap_or(reply))
    }

    fn whole(&self, context: &CommandContext<'_>, watch: &Watch) -> Piece {
        let mut command = DocumentBuilder::new();
        for field in self.request.document.iter() {
            // A driver sends documents beside the command.
            if self.row.op != "insert" || field.name != "documents" {
                command.append_raw(field.raw);
            }
        }
        let documents = context.unit.changes().documents();
        let mut counts = DocumentBuilder::new();
        let last = self.reply().map(|reply| reply.get("lastErrorObject"));
        match last.and_then(ValueRef::as_document) {
            Some(last) if has(last, "updatedExisting") => {
                let matched = last.get("updatedExisting").is_truthy();
                counts.append("nMatched", i32::from(matched));
                counts.append("nModified", documents.updated as i32);
                if has(last, "upserted") {
                    counts.append("nUpserted", 1).append("upsert", true);
                }
            }
            _ => {
                for (name, count) in [
                    ("ninserted", documents.inserted),
                    ("ndeleted", documents.deleted),
                ] {
                    if count > 0 || (name == "ninserted" && self.row.op == "insert") {
                        counts.append_integer(name, count as i64);
                    }
                }
            }
        }
        Piece {
            command: command.finish(),
            counts: counts.finish(),
            facts: watch.facts(),
            counters: context.view().pages.accounting().counters(),
            millis: context.env.monotonic_millis() - context.started_millis,
            error: self.result.err().cloned(),
        }
    }

    /// One entry; `is_whole` where it tells the whole command and so its reply.
    fn entry(
        &self,
        context: &CommandContext<'_>,
        op: &str,
        piece: &Piece,
        is_whole: bool,
    ) -> DocumentBuf {
        let mut entry = DocumentBuilder::new();
        entry.append("op", op);
        entry.append("ns", namespace(self.row, self.request).as_str());
        let command = piece.command.as_document();
        append_command(&mut entry, "command", command, MOST_COMMAND_BYTES);
        if let Some(watch) = &context.watch {
            watch.with_origin(|origin| {
                let name = "originatingCommand";
                append_command(&mut entry, name, origin, MOST_COMMAND_BYTES);
            });
        }
        let reply = self.reply().filter(|_| is_whole);
        let cursor = reply.and_then(|reply| reply.get("cursor").as_document());
        let open = cursor.and_then(|cursor| cursor.get("id").as_exact_i64());
        match (op, open) {
            ("getmore", _) => {
                entry.append("cursorid", self.request.argument);
            }
            (_, Some(id)) if id != 0 => {
                entry.append("cursorid", id);
            }
            _ => {}
        }
        let plans = self.plans(context, piece);
        let stages = executed(plans.as_document());
        let counters = &piece.counters;
        entry.append_integer("keysExamined", counters.keys_examined as i64);
        entry.append_integer("docsExamined", counters.documents_examined as i64);
        append_planning(&mut entry, &piece.facts, plans.as_document());
        entry.append_all(piece.counts.as_document());
        if open == Some(0) {
            entry.append("cursorExhausted", true);
        }
        for (name, count) in [
            ("keysInserted", counters.keys_inserted),
            ("keysDeleted", counters.keys_deleted),
        ] {
            if count > 0 {
                entry.append_integer(name, count as i64);
            }
        }
        entry.append("numYield", 0);
        if cursor.is_some() {
            let returned = context.counters.documents_returned - self.counted.documents_returned;
            entry.append_integer("nreturned", returned);
        }
        if let Some(planning) = find_in(plans.as_document(), "queryPlanner") {
            for name in ["queryHash", "planCacheShapeHash", "planCacheKey"] {
                entry.append(name, planning.get(name));
            }
            if let Some(hash) = shape_hash(command, self.request.database) {
                entry.append("queryShapeHash", hash.as_str());
            }
            entry.append("queryFramework", "classic");
        }
        if let Some(error) = &piece.error {
            entry.append("ok", 0.0);
            entry.append("errMsg", error.message.as_str());
            entry.append("errName", error.code_name().as_str());
            entry.append("errCode", error.code);
        }
        if let Some(reply) = reply {
            entry.append_integer("responseLength", reply.as_bytes().len() as i64);
        }
        // One thread serves one client: nothing is locked or held back.
        entry.begin_document("locks").end();
        entry.begin_document("flowControl").end();
        entry.begin_document("storage").end();
        if is_whole {
            entry.append("protocol", "op_msg");
        }
        entry.append_integer("millis", piece.millis.max(0.0) as i64);
        if let Some(stages) = stages {
            let mut summary = String::new();
            summarize(stages, &mut summary);
            entry.append("planSummary", summary.as_str());
            entry.begin_document("execStats");
            for field in stages.iter().filter(|field| field.name != "isCached") {
                entry.append_raw(field.raw);
            }
            entry.end();
        }
        entry.append("ts", ValueRef::DateTime(context.now_millis));
        entry.append("client", CLIENT);
        entry.begin_array("allUsers").end();
        entry.append("user", "");
        entry.finish()
    }

    /// The plans of a piece, as `quireObserve` shows them.
    fn plans(&self, context: &CommandContext<'_>, piece: &Piece) -> DocumentBuf {
        let documents = context.unit.changes().documents();
        let observed = Observed {
            facts: piece.facts.clone(),
            ran: &Ran {
                millis: piece.millis,
                updated: documents.updated as i64,
            },
        };
        let mut plans = DocumentBuilder::new();
        let told = observed.tell(context, (self.row, self.request), &mut plans);
        match told {
            Ok(()) => plans.finish(),
            // A command that failed has no plan to tell of, or half of one.
            Err(_) => DocumentBuf::default(),
        }
    }
}

/// The namespace that a command is told to be on.
pub fn namespace(row: &CommandRow, request: &Request<'_>) -> String {
    let database = request.database;
    let named = match row.collection_field {
        Some(field) => request.document.get(field),
        None => request.argument,
    };
    match named.as_str() {
        Some(collection) if row.admin_only => collection.to_owned(),
        Some(collection) => format!("{database}.{collection}"),
        None if row.opens_cursor => format!("{database}.$cmd.{}", row.name),
        None => format!("{database}.$cmd"),
    }
}

/// Appends a command as a line of the log tells it.
pub fn append_logged(builder: &mut DocumentBuilder, command: Document<'_>) {
    append_command(builder, "command", command, MOST_LOGGED_BYTES);
}

fn has(document: Document<'_>, name: &str) -> bool {
    !document.get(name).is_missing()
}

fn is_slow(context: &CommandContext<'_>, millis: f64) -> bool {
    let profiler = &context.deployment.profiler;
    if (millis as i64) < profiler.slow_millis {
        return false;
    }
    let mut random = [0; 4];
    context.env.fill_random(&mut random);
    f64::from(u32::from_le_bytes(random)) < profiler.sample_rate * f64::from(u32::MAX)
        || profiler.sample_rate >= 1.0
}

/// The statements of a command, each with what it cost by itself.
fn statements(context: &CommandContext<'_>, watch: &Watch) -> Vec<Piece> {
    let facts = watch.facts();
    let (mut first, mut before) = (0, PageCounters::default());
    let mut began = context.started_millis;
    let mut pieces = Vec::new();
    for one in watch.take_statements() {
        let since = |now: u64, before: u64| now.saturating_sub(before);
        let now = one.counters;
        pieces.push(Piece {
            command: one.command,
            counts: one.counts,
            facts: facts.get(first..one.facts).unwrap_or_default().to_vec(),
            counters: PageCounters {
                keys_examined: since(now.keys_examined, before.keys_examined),
                documents_examined: since(now.documents_examined, before.documents_examined),
                keys_inserted: since(now.keys_inserted, before.keys_inserted),
                keys_deleted: since(now.keys_deleted, before.keys_deleted),
                ..PageCounters::default()
            },
            millis: one.ended_millis - began,
            error: one.error,
        });
        (first, before, began) = (one.facts, now, one.ended_millis);
    }
    pieces
}

/// A document of the first plan: its own, or that of the read which a pipeline begins with.
fn find_in<'p>(plans: Document<'p>, name: &str) -> Option<Document<'p>> {
    let plan = plans.iter().next()?.value.as_document()?;
    let first = |stages: Array<'p>| stages.iter().next()?.as_document();
    let stage = plan.get("stages").as_array().and_then(first);
    let read = |name| stage.and_then(|stage| stage.get(name).as_document());
    let cursor = { read("$cursor") }.or_else(|| read("$geoNearCursor"));
    cursor.unwrap_or(plan).get(name).as_document()
}

/// The stages of the first plan, with what they did.
fn executed(plans: Document<'_>) -> Option<Document<'_>> {
    let statistics = find_in(plans, "executionStats")?;
    statistics.get("executionStages").as_document()
}

/// Appends how the plan was found, and whether it sorts.
fn append_planning(entry: &mut DocumentBuilder, facts: &[Fact], plans: Document<'_>) {
    let sorts_in_pipeline = { plans.iter().next() }
        .and_then(|plan| plan.value.as_document()?.get("stages").as_array())
        .is_some_and(|stages| {
            let mut stages = stages.iter().filter_map(ValueRef::as_document);
            stages.any(|stage| has(stage, "$sort"))
        });
    if sorts_in_pipeline || executed(plans).is_some_and(sorts) {
        entry.append("hasSortStage", true);
    }
    let Some(planned) = facts.first().and_then(Fact::planned) else {
        return;
    };
    if planned.was_replanned {
        entry.append("replanned", true);
        entry.append(
            "replanReason",
            "cached plan was less efficient than expected",
        );
    }
    let name = match planned.trials.is_empty() {
        true => "fromPlanCache",
        false => "fromMultiPlanner",
    };
    if planned.has_rivals {
        entry.append(name, true);
    }
}

/// Visits the stages below a stage.
fn visit_below<'s>(stage: Document<'s>, visit: &mut dyn FnMut(Document<'s>)) {
    for field in stage.iter() {
        match (field.name, field.value) {
            ("inputStage" | "outerStage" | "innerStage", ValueRef::Document(input)) => visit(input),
            ("inputStages", ValueRef::Array(inputs)) => {
                for input in inputs.iter() {
                    visit(input.as_document().unwrap_or(Document::EMPTY));
                }
            }
            _ => {}
        }
    }
}

fn sorts(stage: Document<'_>) -> bool {
    let mut found = stage.get("stage").as_str() == Some("SORT");
    visit_below(stage, &mut |input| found |= sorts(input));
    found
}

/// Appends the leaves of a plan, as `planSummary` names them.
fn summarize(stage: Document<'_>, summary: &mut String) {
    let name = stage.get("stage").as_str().unwrap_or_default();
    let mut is_leaf = true;
    // A search for the nearest makes its reads while it runs, so that they are no part of the plan.
    if !name.starts_with("GEO_NEAR") {
        visit_below(stage, &mut |input| {
            is_leaf = false;
            summarize(input, summary);
        });
    }
    if !is_leaf || name.is_empty() {
        return;
    }
    if !summary.is_empty() {
        summary.push_str(", ");
    }
    summary.push_str(name);
    if let Some(pattern) = stage.get("keyPattern").as_str() {
        summary.push(' ');
        summary.push_str(pattern);
    }
    let Some(pattern) = stage.get("keyPattern").as_document() else {
        return;
    };
    for (position, field) in pattern.iter().enumerate() {
        summary.push_str(if position == 0 { " { " } else { ", " });
        summary.push_str(field.name);
        summary.push_str(": ");
        match field.value.as_number() {
            Some(number) => summary.push_str(&number.to_i64_saturating().to_string()),
            None => summary.push_str(&field.value.to_string()),
        }
    }
    summary.push_str(" }");
}
