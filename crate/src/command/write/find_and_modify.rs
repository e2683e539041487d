//! `findAndModify`: changes or removes one document and gives it. Manual:
//! reference/command/findAndModify.

use super::change::{Change, ChangeScratch, Clocks, change_record, insert_for_upsert};
use super::delete::Statement;
use super::retryable::{Done, Retry};
use super::series_change::{delete_measurements, not_multi};
use super::update_statement::{PlannedUpdate, compile_update};
use super::write_errors::while_executing;
use super::write_target::{check_writable, find_records, read_record};
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::catalog::{RecordId, Series, WriteScratch};
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::read::explain::{Shown, append_planned};
use crate::command::read::explain_plan::Wrapper;
use crate::command::read::find::{check_metadata, compile_order};
use crate::command::read::read_options;
use crate::command::read::views;
use crate::command::read::watched::Observed;
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::expr::{MetaKind, Metadata};
use crate::planner::prepared::ReadShape;
use crate::planner::{QueryRequest, Reader};
use crate::query::{Matcher, Projection};
use std::rc::Rc;

/// The change to make to the document.
pub enum Modification {
    Remove(QueryRequest),
    Update(Box<PlannedUpdate>),
}

/// A parsed `findAndModify`.
pub struct FindAndModify<'a> {
    pub namespace: String,
    pub modification: Modification,
    /// The shape by which the plan may be known.
    shape: Option<ReadShape<'a>>,
    pub projection: Option<Projection>,
    /// Whether the reply gives the document as it is afterwards.
    pub new: bool,
    /// What was done before under the command's number.
    retry: Option<Retry>,
}

impl FindAndModify<'_> {
    pub fn query(&self) -> &QueryRequest {
        match &self.modification {
            Modification::Remove(query) => query,
            Modification::Update(planned) => &planned.query,
        }
    }
}

fn refuse(message: &str) -> Result<(), CommandError> {
    Err(CommandError::new(Code::FailedToParse, message))
}

/// Reads the command's fields.
///
/// # Errors
/// Unknown and mistyped fields, combinations that make no sense, and errors of filter, sort, projection and update.
pub fn parse<'a>(
    context: &CommandContext<'_>,
    request: &Request<'a>,
) -> Result<FindAndModify<'a>, CommandError> {
    let namespace = request.namespace()?;
    check_writable(&namespace)?;
    let params = request.params();
    let query = params.document("query")?.unwrap_or(Document::EMPTY);
    let sort = params.document("sort")?.unwrap_or(Document::EMPTY);
    let fields = params.document("fields")?.unwrap_or(Document::EMPTY);
    let update = params.value("update");
    let remove = params.safe_bool("remove")?.unwrap_or(false);
    let new = params.safe_bool("new")?.unwrap_or(false);
    let upsert = params.safe_bool("upsert")?.unwrap_or(false);
    let array_filters = params.documents("arrayFilters")?;
    let hint = read_options::hint(params.value("hint"))?;
    let let_variables = params.document("let")?;
    params.safe_bool("bypassDocumentValidation")?;
    params.refuse("bypassEmptyTsReplacement")?;
    let collation = params.collation()?;
    let retry = Retry::begin(context, request, &params, 1)?;
    params.finish()?;
    match (remove, update.is_nullish()) {
        (false, true) => refuse("Either an update or remove=true must be specified")?,
        (true, false) => refuse("Cannot specify both an update and remove=true")?,
        (true, true) if upsert => refuse("Cannot specify both upsert=true and remove=true")?,
        (true, true) if new => refuse(
            "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
        )?,
        (true, true) if array_filters.is_some() => {
            refuse("Cannot specify arrayFilters and remove=true")?;
        }
        _ => {}
    }
    let compile = context.compile_for(&namespace, let_variables, collation)?;
    let matcher = Rc::new(Matcher::compile_query(query, &compile)?);
    let is_plain = sort.is_empty() && hint.is_none() && collation.is_none();
    let projection = match fields.is_empty() {
        true => None,
        false => {
            let projection = Projection::compile(fields, &matcher, &compile)?;
            if projection.asks(&|kind| kind == MetaKind::SORT_KEY.name()) {
                return Err(CommandError::new(
                    Code::BadValue,
                    "Cannot use a $meta sortKey projection in findAndModify commands.",
                ));
            }
            Some(projection)
        }
    };
    let (hint, sort) = compile_order(hint, sort, &compile)?;
    if sort.as_ref().is_some_and(|sort| sort.reads_metadata()) {
        check_metadata(&compile, None, false)?;
    }
    let metadata = Metadata::take_wanted(&compile.metadata);
    if let Some(metadata) = &metadata {
        // The document given back is no longer the record that was found.
        metadata.ignore(MetaKind::RECORD_ID);
    }
    let reader = match (projection.is_some(), upsert) {
        (true, _) => Reader::GivingWrite,
        (false, true) => Reader::Upsert,
        (false, false) => Reader::Write,
    };
    let shape = ReadShape::of_write(query, reader).filter(|_| is_plain && metadata.is_none());
    let query = QueryRequest {
        limit: sort.is_some().then_some(1),
        sort,
        hint,
        metadata,
        reader,
        ..QueryRequest::filter(matcher)
    };
    let modification = match remove {
        true => Modification::Remove(query),
        false => Modification::Update(Box::new(PlannedUpdate {
            query,
            update: compile_update(update, array_filters, None, &compile)?,
            upsert,
            multi: false,
        })),
    };
    Ok(FindAndModify {
        namespace,
        modification,
        shape,
        projection,
        new,
        retry,
    })
}

/// The outcome that the reply tells.
#[derive(Default)]
struct Modified {
    found: bool,
    value: Option<DocumentBuf>,
    upserted: Option<Value<'static>>,
}

/// Whether a request can do nothing but remove a document.
pub(in crate::command) fn only_removes(request: &Request<'_>) -> bool {
    request.document.get("remove").is_truthy()
}

/// Appends how a `findAndModify` would be run.
///
/// # Errors
/// Errors of its fields, and of planning and running; 166 `CommandNotSupportedOnView` for a view.
pub(in crate::command) fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    views::refuse(context, request)?;
    let parsed = parse(context, request)?;
    let (query, wrapper) = (parsed.query().clone(), wrapper(&parsed));
    append_planned(context, &parsed.namespace, query, wrapper, verbosity, reply)
}

/// Appends the plans by which a `findAndModify` was run.
///
/// # Errors
/// None that the run would not have given.
pub(in crate::command) fn observe(
    observed: &Observed<'_>,
    context: &CommandContext<'_>,
    request: &Request<'_>,
    plans: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let parsed = parse(context, request)?;
    observed.append_to(context, &|_| wrapper(&parsed), plans)
}

fn wrapper<'p>(parsed: &'p FindAndModify<'p>) -> Wrapper<'p> {
    match &parsed.modification {
        Modification::Remove(_) => Wrapper::delete(false, Some(parsed)),
        Modification::Update(planned) => Wrapper::update(planned, Some(parsed)),
    }
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let mut parsed = parse(context, request)?;
    let mut retry = parsed.retry.take();
    if let Some(retry) = &mut retry
        && let Some(done) = retry.done(0)
    {
        retry.count(context);
        return first_reply(request, &parsed, retry, &done);
    }
    context.note_bypass(request);
    let documents = context.unit.changes().documents();
    let wrap = |error| while_executing("findAndModify", error);
    let outcome = match context.view().catalog.measured(&parsed.namespace) {
        Some(target) => remove_measurement(context, request, &parsed, &target)?,
        None => {
            let shape = parsed.shape.as_ref();
            let find = &mut || Ok(parsed.query().clone());
            let records = find_records(context, &parsed.namespace, shape, true, find)?;
            let record = records.first().copied();
            match &parsed.modification {
                Modification::Remove(_) => remove(context, &parsed, record).map_err(wrap)?,
                Modification::Update(planned) => {
                    context.counters.update += 1;
                    update(context, &parsed, planned, record).map_err(wrap)?
                }
            }
        }
    };
    let mut reply = DocumentBuilder::new();
    let count = i32::from(outcome.found || outcome.upserted.is_some());
    reply.begin_document("lastErrorObject").append("n", count);
    if let Modification::Update(_) = parsed.modification {
        reply.append("updatedExisting", outcome.found);
        if let Some(id) = &outcome.upserted {
            reply.append("upserted", id.as_ref());
        }
    }
    reply.end();
    let value = match (&outcome.value, &parsed.projection) {
        (None, _) => None,
        (Some(document), None) => Some(document.clone()),
        (Some(document), Some(projection)) => {
            let mut projected = DocumentBuilder::new();
            projection
                .apply(document.as_document(), &mut projected, context.env)
                .map_err(|error| while_executing("findAndModify", error))?;
            Some(projected.finish())
        }
    };
    match &value {
        Some(document) => reply.append("value", document),
        None => reply.append("value", ValueRef::Null),
    };
    let Some(mut retry) = retry.filter(|_| context.unit.changes().documents() != documents) else {
        return Ok(finish_ok(reply));
    };
    let is_update = matches!(parsed.modification, Modification::Update(_));
    retry.note(0, is_update && outcome.found, outcome.upserted);
    let reply = reply.finish();
    let mut told = DocumentBuilder::new();
    told.append_all(reply.as_document());
    retry.reply = Some(reply);
    retry.image = match parsed.new {
        true => "postImage",
        false => "preImage",
    };
    retry.keep(context)?;
    Ok(finish_ok(told))
}

/// The reply that the first try had. The request has to ask for the same kind of change as that try made.
#[inline(never)]
fn first_reply(
    request: &Request<'_>,
    parsed: &FindAndModify<'_>,
    retry: &Retry,
    done: &Done,
) -> CommandResult {
    let (removes, upserts) = match &parsed.modification {
        Modification::Remove(_) => (true, false),
        Modification::Update(planned) => (false, planned.upsert),
    };
    let (is_fitting, code, kind) = match (done.is_modified, &done.upserted) {
        (true, _) => (!removes, 40610, "u"),
        (false, Some(_)) => (upserts, 40608, "i"),
        (false, None) => (removes, 40606, "d"),
    };
    if !is_fitting {
        return Err(CommandError::location(
            code,
            format!(
                "findAndModify retry request: {} is not compatible with previous write in the transaction of type: {kind}",
                request.document
            ),
        ));
    }
    let mut told = DocumentBuilder::new();
    if let Some(reply) = &retry.reply {
        told.append_all(reply.as_document());
    }
    told.append("retriedStmtId", retry.first_retried());
    Ok(finish_ok(told))
}

/// Removes one measurement of a time series, the only change that there is of one.
#[inline(never)]
fn remove_measurement(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    parsed: &FindAndModify<'_>,
    (buckets, series): &(String, Series),
) -> Result<Modified, CommandError> {
    match &parsed.modification {
        Modification::Update(_) => return Err(not_multi()),
        Modification::Remove(query) if query.sort.is_some() => {
            return Err(CommandError::new(
                Code::InvalidOptions,
                "Cannot perform findAndModify with sort on a timeseries collection",
            ));
        }
        Modification::Remove(_) => {}
    }
    let given = |name: &str| request.document.get(name).as_document();
    let statement = Statement {
        query: given("query").unwrap_or(Document::EMPTY),
        single: true,
        hint: parsed.query().hint.clone(),
        collation: given("collation"),
    };
    let compile = context.compile_for(&parsed.namespace, given("let"), statement.collation)?;
    let target = (&**buckets, series);
    let (count, value) =
        delete_measurements(context, &parsed.namespace, target, &statement, &compile)
            .map_err(|error| while_executing("findAndModify", error))?;
    Ok(Modified {
        found: count > 0,
        value,
        upserted: None,
    })
}

fn remove(
    context: &mut CommandContext<'_>,
    parsed: &FindAndModify<'_>,
    record: Option<RecordId>,
) -> Result<Modified, CommandError> {
    let Some(record) = record else {
        return Ok(Modified::default());
    };
    context.counters.delete += 1;
    let mut scratch = WriteScratch::default();
    let mut bytes = Vec::new();
    let Some(collection) = context.view().catalog.collection(&parsed.namespace) else {
        return Ok(Modified::default());
    };
    read_record(context, collection, record, &mut bytes)?;
    if let Some(mut collection) = context.writer().into_collection(&parsed.namespace) {
        collection.delete(record, &mut scratch)?;
    }
    Ok(Modified {
        found: true,
        value: Some(DocumentBuf::from_valid_bytes(bytes)),
        upserted: None,
    })
}

fn update(
    context: &mut CommandContext<'_>,
    parsed: &FindAndModify<'_>,
    planned: &PlannedUpdate,
    record: Option<RecordId>,
) -> Result<Modified, CommandError> {
    let mut scratch = ChangeScratch::default();
    let Some(record) = record else {
        if !planned.upsert {
            return Ok(Modified::default());
        }
        let inserted = insert_for_upsert(
            context,
            &parsed.namespace,
            &planned.update,
            &planned.query.matcher,
            &mut scratch,
        )?;
        return Ok(Modified {
            found: false,
            upserted: Some(inserted.get("_id").to_value()),
            value: parsed.new.then_some(inserted),
        });
    };
    let validator = context.validator(&parsed.namespace)?;
    let change = Change {
        update: &planned.update,
        matcher: Some(&planned.query.matcher),
        validator: validator.as_deref(),
    };
    let (env, now_millis) = (context.env, context.now_millis);
    let Writing {
        writer, timestamps, ..
    } = context.writing();
    if let Some(mut collection) = writer.into_collection(&parsed.namespace) {
        let clocks = Clocks {
            env,
            now_millis,
            timestamps,
        };
        change_record(&mut collection, record, &change, clocks, &mut scratch)?;
    }
    let mut bytes = std::mem::take(&mut scratch.before);
    if parsed.new
        && let Some(collection) = context.view().catalog.collection(&parsed.namespace)
    {
        read_record(context, collection, record, &mut bytes)?;
    }
    Ok(Modified {
        found: true,
        value: Some(DocumentBuf::from_valid_bytes(bytes)),
        upserted: None,
    })
}
