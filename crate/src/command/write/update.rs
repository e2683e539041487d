//! `update`: changes documents. Manual: reference/command/update.

use super::change::{Change, ChangeScratch, Clocks};
use super::change::{change_record, insert_for_upsert, keep_scratch};
use super::retryable::{Retry, check_single};
use super::series_change;
use super::update_statement::{PlannedUpdate, Statement};
use super::write_errors::{WriteErrors, statements, while_executing};
use super::write_target::{check_writable, find_records, prepare, store};
use crate::bson::{ArrayBuilder, Document, DocumentBuf, DocumentBuilder, Value};
use crate::catalog::names;
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::read::explain::{Shown, append_planned};
use crate::command::read::explain_plan::Wrapper;
use crate::command::read::views;
use crate::command::read::watched::Observed;
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::expr::CompileContext;

type Parsed<'a, 'e> = (
    String,
    Vec<Statement<'a>>,
    bool,
    CompileContext<'e>,
    Option<Retry>,
);

fn parse<'a, 'e>(
    context: &CommandContext<'e>,
    request: &Request<'a>,
) -> Result<Parsed<'a, 'e>, CommandError> {
    let namespace = request.namespace()?;
    match context.view().catalog.collection(&namespace) {
        None => check_writable(&namespace)?,
        Some(_) => names::refuse_internal(&namespace)?,
    }
    let params = request.params();
    let updates = statements(&params, "update", "updates")?;
    let ordered = params.boolean("ordered")?.unwrap_or(true);
    params.safe_bool("bypassDocumentValidation")?;
    params.refuse("bypassEmptyTsReplacement")?;
    let let_variables = params.document("let")?;
    let retry = Retry::begin(context, request, &params, updates.len())?;
    params.finish()?;
    let updates: Vec<Statement<'_>> = updates
        .into_iter()
        .map(Statement::parse)
        .collect::<Result<_, _>>()?;
    for statement in &updates {
        statement.check_stages()?;
    }
    Ok((
        namespace,
        updates,
        ordered,
        context.compile_context(let_variables)?,
        retry,
    ))
}

/// Reads an `update` of exactly one statement, for explain.
///
/// # Errors
/// Unknown and mistyped fields, and errors of filter and update.
fn parse_one(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(String, PlannedUpdate), CommandError> {
    let (namespace, parsed, _, compile, _) = parse(context, request)?;
    match parsed.as_slice() {
        [statement] => {
            let compile = context.statement_context(&compile, &namespace, statement.collation)?;
            let planned = statement.compile(&compile)?;
            Ok((namespace, planned))
        }
        _ => Err(CommandError::new(
            Code::InvalidLength,
            "explained write batches must be of size 1",
        )),
    }
}

/// Appends how an `update` of one statement would be run.
///
/// # Errors
/// Errors of its fields, and of planning and running; 166 `CommandNotSupportedOnView` for a view.
pub(in crate::command) fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    if let Some((buckets, series)) = context.view().catalog.measured(&request.namespace()?) {
        let (namespace, parsed, _, compile, _) = parse(context, request)?;
        if let [statement] = parsed.as_slice() {
            let compile = context.statement_context(&compile, &namespace, statement.collation)?;
            let given = statement.to_document();
            let own = series_change::bucket_update(&series, given.as_document())?;
            let planned = Statement::parse(own.as_document())?.compile(&compile)?;
            let (query, wrapper) = (planned.query.clone(), Wrapper::update(&planned, None));
            return append_planned(context, &buckets, query, wrapper, verbosity, reply);
        }
    }
    views::refuse(context, request)?;
    let (namespace, planned) = parse_one(context, request)?;
    let (query, wrapper) = (planned.query.clone(), Wrapper::update(&planned, None));
    append_planned(context, &namespace, query, wrapper, verbosity, reply)
}

/// Appends the plans by which an `update` was run.
///
/// # Errors
/// None that the run would not have given.
pub(in crate::command) fn observe(
    observed: &Observed<'_>,
    context: &CommandContext<'_>,
    request: &Request<'_>,
    plans: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    // An update with several statements does not tell the changes of each.
    match parse_one(context, request) {
        Ok((_, planned)) => {
            observed.append_to(context, &|_| Wrapper::update(&planned, None), plans)
        }
        Err(_) => observed.append_to(context, &|_| Wrapper::None, plans),
    }
}

/// Inserts the document that an upsert was given, and gives its `_id`.
fn insert_supplied(
    context: &mut CommandContext<'_>,
    namespace: &str,
    document: Document<'_>,
    scratch: &mut ChangeScratch,
) -> Result<Value<'static>, CommandError> {
    let validator = context.validator(namespace)?;
    let deployment = &mut *context.deployment;
    let (ids, clock) = (&mut deployment.object_ids, &deployment.timestamps);
    let prepared = prepare(ids, clock, context.now_millis, document)?;
    let document = prepared.as_ref().map_or(document, DocumentBuf::as_document);
    if let Some(validator) = validator {
        validator.check(document, None, context.env, context.now_millis)?;
    }
    store(context, namespace, document, &mut scratch.write)?;
    Ok(document.get("_id").to_value())
}

/// The counts of statements that were run.
#[derive(Default)]
pub struct Totals {
    pub matched: i32,
    pub modified: i32,
    /// Statement and `_id` of each upserted document.
    pub upserted: Vec<(usize, Value<'static>)>,
}

impl Totals {
    /// Counts a statement that was done before; false where it was not.
    pub fn are_known(&mut self, retry: &mut Retry, index: usize) -> bool {
        let Some(done) = retry.done(index) else {
            return false;
        };
        match done.upserted {
            Some(id) => self.upserted.push((index, id)),
            None => {
                self.matched += 1;
                self.modified += i32::from(done.is_modified);
            }
        }
        true
    }

    /// Notes a statement that changed something; `before`: how many were upserted and modified before it.
    pub fn note_in(&self, retry: &mut Retry, index: usize, before: (usize, i32)) {
        if let Some((_, id)) = self.upserted.get(before.0) {
            retry.note(index, false, Some(id.clone()));
        } else if self.modified > before.1 {
            retry.note(index, true, None);
        }
    }
}

/// Runs one statement on its own.
///
/// # Errors
/// Errors of filter, update, indexes and storage.
pub fn run_statement<'e>(
    context: &mut CommandContext<'e>,
    namespace: &str,
    statement: &Statement<'_>,
    compile: &CompileContext<'e>,
) -> Result<Totals, CommandError> {
    context.counters.update += 1;
    let mut totals = Totals::default();
    let mut scratch = std::mem::take(&mut context.deployment.change_scratch);
    let mut run = Run {
        namespace,
        totals: &mut totals,
        scratch: &mut scratch,
    };
    let done = run.statement(context, statement, compile, 0);
    keep_scratch(context, scratch);
    done.map(|()| totals)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let (namespace, updates, ordered, compile, mut retry) = parse(context, request)?;
    context.note_bypass(request);
    let mut errors = WriteErrors::default();
    let mut totals = Totals::default();
    let mut scratch = std::mem::take(&mut context.deployment.change_scratch);
    for (index, statement) in updates.iter().enumerate() {
        if let Some(retry) = &mut retry
            && totals.are_known(retry, index)
        {
            continue;
        }
        context.counters.update += 1;
        let before = (totals.matched, totals.modified, totals.upserted.len());
        let mut run = Run {
            namespace: &namespace,
            totals: &mut totals,
            scratch: &mut scratch,
        };
        let done = check_single(request, !statement.multi, "multi=true")
            .and_then(|()| run.statement(context, statement, &compile, index));
        if let Some(retry) = &mut retry {
            totals.note_in(retry, index, (before.2, before.1));
        }
        context.end_statement(&done, |command, counts| {
            append_statement(request, index, command);
            counts.append("nMatched", totals.matched - before.0);
            counts.append("nModified", totals.modified - before.1);
            let upserted = totals.upserted.len() - before.2;
            if upserted > 0 {
                counts.append("nUpserted", upserted as i32);
                counts.append("upsert", true);
            }
        });
        if let Err(error) = done {
            errors.note(index, error)?;
            context.unit.note_refusal();
            if ordered || context.unit.is_within() {
                break;
            }
        }
    }
    keep_scratch(context, scratch);
    if let Some(retry) = &mut retry {
        retry.keep(context)?;
    }
    let mut reply = context.reply();
    reply.append("n", totals.matched + totals.upserted.len() as i32);
    if !totals.upserted.is_empty() {
        let mut upserted = ArrayBuilder::new();
        for (index, id) in &totals.upserted {
            let mut entry = DocumentBuilder::new();
            entry
                .append("index", *index as i32)
                .append("_id", id.as_ref());
            upserted.push(&entry.finish());
        }
        reply.append("upserted", &upserted.finish());
    }
    reply.append("nModified", totals.modified);
    errors.append_to(&mut reply);
    if let Some(retry) = &retry {
        retry.append_to(&mut reply);
    }
    Ok(finish_ok(reply))
}

/// Appends a statement as the profiler tells it: with its two flags, given or not.
// Apart: few commands are profiled.
#[inline(never)]
fn append_statement(request: &Request<'_>, index: usize, command: &mut DocumentBuilder) {
    let updates = request.document.get("updates").as_array();
    let Some(statement) = updates.and_then(|updates| updates.iter().nth(index)?.as_document())
    else {
        return;
    };
    command.append("q", statement.get("q"));
    command.append("u", statement.get("u"));
    for flag in ["multi", "upsert"] {
        command.append(flag, statement.get(flag).is_truthy());
    }
    for field in statement.iter() {
        if !matches!(field.name, "q" | "u" | "multi" | "upsert") {
            command.append_raw(field.raw);
        }
    }
}

/// The namespace, counts and buffers that the statements of one command share.
struct Run<'r> {
    namespace: &'r str,
    totals: &'r mut Totals,
    scratch: &'r mut ChangeScratch,
}

impl Run<'_> {
    /// Compiles and runs one statement.
    fn statement<'e>(
        &mut self,
        context: &mut CommandContext<'e>,
        statement: &Statement<'_>,
        compile: &CompileContext<'e>,
        index: usize,
    ) -> Result<(), CommandError> {
        if let Some((buckets, series)) = context.view().catalog.measured(self.namespace) {
            series_change::refuse_within(context, statement.multi, "multi update", self.namespace)?;
            let own = series_change::bucket_update(&series, statement.to_document().as_document())?;
            let mut run = Run {
                namespace: &buckets,
                totals: self.totals,
                scratch: self.scratch,
            };
            let statement = Statement::parse(own.as_document())?;
            return run.statement(context, &statement, compile, index);
        }
        let compile = &*context.statement_context(compile, self.namespace, statement.collation)?;
        let update = statement.compile_update(compile)?;
        let validator = context.validator(self.namespace)?;
        // A positional update asks the query which item matched.
        let mut query = match update.needs_array_index() {
            true => Some(statement.compile_query(compile)?),
            false => None,
        };
        let records = find_records(
            context,
            self.namespace,
            statement.shape().as_ref(),
            !statement.multi,
            &mut || match &query {
                Some(query) => Ok(query.clone()),
                None => statement.compile_query(compile),
            },
        )?;
        if records.is_empty()
            && let Some(document) = statement.supplied()
        {
            let id = insert_supplied(context, self.namespace, document, self.scratch)
                .map_err(|error| while_executing("update", error))?;
            self.totals.upserted.push((index, id));
            return Ok(());
        }
        if records.is_empty() && statement.upsert {
            let query = match query.take() {
                Some(query) => query,
                None => statement.compile_query(compile)?,
            };
            let (namespace, matcher) = (self.namespace, &query.matcher);
            let inserted = insert_for_upsert(context, namespace, &update, matcher, self.scratch)
                .map_err(|error| while_executing("update", error))?;
            self.totals
                .upserted
                .push((index, inserted.get("_id").to_value()));
            return Ok(());
        }
        let change = Change {
            update: &update,
            matcher: query.as_ref().map(|query| &*query.matcher),
            validator: validator.as_deref(),
        };
        if records.is_empty() {
            return Ok(());
        }
        let (env, now_millis) = (context.env, context.now_millis);
        let Writing {
            writer, timestamps, ..
        } = context.writing();
        let Some(mut collection) = writer.into_collection(self.namespace) else {
            return Ok(());
        };
        let clocks = Clocks {
            env,
            now_millis,
            timestamps,
        };
        for record in records {
            let changed = change_record(&mut collection, record, &change, clocks, self.scratch)
                .map_err(|error| while_executing("update", error))?;
            if let Some(changed) = changed {
                // An update of a bucket is one of all its measurements.
                let count = match collection.collection().options.kind.buckets() {
                    None => 1,
                    Some(series) => {
                        let before = Document::from_valid_bytes(&self.scratch.before);
                        series_change::measurements_of(before, series)?
                    }
                };
                self.totals.matched += count;
                self.totals.modified += if changed { count } else { 0 };
            }
        }
        Ok(())
    }
}
