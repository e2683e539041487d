//! `update`: changes documents. Manual: reference/command/update.

use super::context::{CommandContext, CommandResult};
use super::find::compile_order;
use super::params::{Params, Request};
use super::read_options;
use super::reply::finish_ok;
use super::update_pipeline;
use super::write_errors::{WriteErrors, statements, while_executing};
use super::write_target::{check_writable, find_point, find_records, store};
use crate::bson::{Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::catalog::{Collection, RecordId, WriteScratch};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::planner::{Hint, QueryRequest, express};
use crate::query::{MatchDetails, Matcher};
use crate::update::{ApplyContext, Update, UpdateScratch, document_for_upsert};
use std::rc::Rc;

/// One statement, read but not compiled.
struct Statement<'a> {
    query: Document<'a>,
    update: ValueRef<'a>,
    array_filters: Option<Array<'a>>,
    constants: Option<Document<'a>>,
    sort: Document<'a>,
    upsert: bool,
    multi: bool,
    hint: Option<Hint>,
}

/// A compiled update with the query that finds its documents.
pub struct PlannedUpdate {
    pub query: QueryRequest,
    pub update: Update,
    pub upsert: bool,
    pub multi: bool,
}

/// Compiles an update of any kind.
///
/// # Errors
/// 9 `FailedToParse` for another type; what the update language and the pipeline's stages say.
pub fn compile_update(
    update: ValueRef<'_>,
    array_filters: Option<Array<'_>>,
    constants: Option<Document<'_>>,
    compile: &CompileContext<'_>,
) -> Result<Update, CommandError> {
    match update {
        ValueRef::Document(spec) => Update::compile(spec, array_filters, compile),
        ValueRef::Array(_) if array_filters.is_some_and(|filters| !filters.is_empty()) => {
            Err(CommandError::new(
                Code::FailedToParse,
                "arrayFilters may not be specified for pipeline-syle updates",
            ))
        }
        ValueRef::Array(stages) => update_pipeline::compile(stages, constants, compile),
        _ => Err(CommandError::new(
            Code::FailedToParse,
            "Update argument must be either an object or an array",
        )),
    }
}

impl<'a> Statement<'a> {
    fn parse(statement: Document<'a>) -> Result<Self, CommandError> {
        let params = Params::new(statement, "update.updates", None);
        let query = params.required_document("q")?;
        let update = match params.value("u") {
            ValueRef::Missing => return Err(params.missing("u")),
            update @ (ValueRef::Document(_) | ValueRef::Array(_)) => update,
            _ => {
                return Err(CommandError::new(
                    Code::FailedToParse,
                    "Update argument must be either an object or an array",
                ));
            }
        };
        let parsed = Self {
            query,
            update,
            array_filters: params.array("arrayFilters")?,
            constants: params.document("c")?,
            sort: params.document("sort")?.unwrap_or(Document::EMPTY),
            upsert: params.boolean("upsert")?.unwrap_or(false),
            multi: params.boolean("multi")?.unwrap_or(false),
            hint: read_options::hint(params.value("hint"))?,
        };
        params.simple_collation()?;
        if parsed.constants.is_some() && parsed.update.as_array().is_none() {
            return Err(CommandError::location(
                51198,
                "Constant values may only be specified for pipeline updates",
            ));
        }
        params.refuse("upsertSupplied")?;
        params.finish()?;
        Ok(parsed)
    }

    /// The update itself, and whether it may be one of several documents.
    fn compile_update(&self, compile: &CompileContext<'_>) -> Result<Update, CommandError> {
        if self.multi && !self.sort.is_empty() {
            return Err(CommandError::new(
                Code::FailedToParse,
                "Cannot specify sort with multi=true",
            ));
        }
        let update = compile_update(self.update, self.array_filters, self.constants, compile)?;
        if self.multi && update.is_replacement() {
            return Err(CommandError::new(
                Code::FailedToParse,
                "multi update is not supported for replacement-style update",
            ));
        }
        Ok(update)
    }

    /// What the query must be for its one document to be looked up without planning.
    fn point(&self) -> Option<(&'a str, ValueRef<'a>)> {
        let is_plain = !self.upsert && self.sort.is_empty() && self.hint.is_none();
        if is_plain {
            express::point_filter(self.query)
        } else {
            None
        }
    }

    fn compile(&self, compile: &CompileContext<'_>) -> Result<PlannedUpdate, CommandError> {
        let update = self.compile_update(compile)?;
        self.plan(update, compile)
    }

    fn plan(
        &self,
        update: Update,
        compile: &CompileContext<'_>,
    ) -> Result<PlannedUpdate, CommandError> {
        let (hint, sort) = compile_order(self.hint.clone(), self.sort)?;
        let query = QueryRequest {
            // Without a sort the plan has no limit of its own: it is run until the first row.
            limit: sort.is_some().then_some(1),
            sort,
            hint,
            ..QueryRequest::filter(Rc::new(Matcher::compile(self.query, compile)?))
        };
        Ok(PlannedUpdate {
            query,
            update,
            upsert: self.upsert,
            multi: self.multi,
        })
    }
}

type Parsed<'a, 'e> = (String, Vec<Statement<'a>>, bool, CompileContext<'e>);

fn parse<'a, 'e>(
    context: &CommandContext<'e>,
    request: &Request<'a>,
) -> Result<Parsed<'a, 'e>, CommandError> {
    let namespace = request.namespace()?;
    if context.deployment.catalog.collection(&namespace).is_none() {
        check_writable(&namespace)?;
    }
    let params = request.params();
    let updates = statements(&params, "update", "updates")?;
    let ordered = params.boolean("ordered")?.unwrap_or(true);
    // No collection has a validator, so there is none to pass by.
    params.safe_bool("bypassDocumentValidation")?;
    params.refuse("bypassEmptyTsReplacement")?;
    let let_variables = params.document("let")?;
    params.finish()?;
    let updates: Vec<Statement<'_>> = updates
        .into_iter()
        .map(Statement::parse)
        .collect::<Result<_, _>>()?;
    Ok((
        namespace,
        updates,
        ordered,
        context.compile_context(let_variables)?,
    ))
}

/// Reads an `update` of exactly one statement, for explain.
///
/// # Errors
/// Unknown and mistyped fields, and what filter and update say.
pub fn parse_one(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(String, PlannedUpdate), CommandError> {
    let (namespace, parsed, _, compile) = parse(context, request)?;
    match parsed.as_slice() {
        [statement] => Ok((namespace, statement.compile(&compile)?)),
        _ => Err(CommandError::new(
            Code::InvalidLength,
            "explained write batches must be of size 1",
        )),
    }
}

/// What changing larger documents took is not kept for the next command.
const MOST_SPARE_ROOM: usize = 1 << 18;

/// Buffers that changing documents reuses.
#[derive(Default)]
pub struct ChangeScratch {
    pub update: UpdateScratch,
    pub write: WriteScratch,
    /// The document before the change.
    pub before: Vec<u8>,
}

/// Applies an update to one record; the query's matcher tells a positional update its array item. `None` when the record is gone, else whether it changed;
/// `scratch.before` then holds what it was.
///
/// # Errors
/// What the update, the indexes and the storage refuse.
pub fn change_record(
    context: &mut CommandContext<'_>,
    namespace: &str,
    record: RecordId,
    update: &Update,
    matcher: Option<&Matcher>,
    scratch: &mut ChangeScratch,
) -> Result<Option<bool>, CommandError> {
    let env = context.env;
    let now_millis = context.now_millis;
    let deployment = &mut *context.deployment;
    let Some(collection) = deployment.catalog.collection_mut(namespace) else {
        return Ok(None);
    };
    scratch.before.clear();
    match collection.read(&deployment.pager, record)? {
        Some(bytes) => scratch.before.extend_from_slice(&bytes),
        None => return Ok(None),
    }
    let before = Document::from_valid_bytes(&scratch.before);
    let mut details = MatchDetails::default();
    if update.needs_array_index()
        && let Some(matcher) = matcher
    {
        matcher.matches_with_details(before, env, &mut details)?;
    }
    let apply = ApplyContext {
        env,
        now_millis,
        timestamps: &deployment.timestamps,
        array_index: details.array_index,
        is_insert: false,
    };
    let Some(after) = update.apply(before, &apply, &mut scratch.update)? else {
        return Ok(Some(false));
    };
    collection.update_document(
        &mut deployment.pager,
        record,
        before,
        after,
        update.modified_paths(),
        &mut scratch.write,
    )?;
    Ok(Some(true))
}

/// Whether an update would change a record, for explain.
///
/// # Errors
/// What the update refuses, and the storage.
pub fn would_change(
    context: &CommandContext<'_>,
    collection: &Collection,
    record: RecordId,
    planned: &PlannedUpdate,
    scratch: &mut ChangeScratch,
) -> Result<bool, CommandError> {
    let Some(bytes) = collection.read(&context.deployment.pager, record)? else {
        return Ok(false);
    };
    let before = Document::from_valid_bytes(&bytes);
    let mut details = MatchDetails::default();
    if planned.update.needs_array_index() {
        let matcher = &planned.query.matcher;
        matcher.matches_with_details(before, context.env, &mut details)?;
    }
    let apply = ApplyContext {
        env: context.env,
        now_millis: context.now_millis,
        timestamps: &context.deployment.timestamps,
        array_index: details.array_index,
        is_insert: false,
    };
    let after = planned.update.apply(before, &apply, &mut scratch.update)?;
    Ok(after.is_some())
}

/// Inserts the document of an upsert and gives it.
///
/// # Errors
/// What the update, the indexes and the storage refuse.
pub fn insert_for_upsert(
    context: &mut CommandContext<'_>,
    namespace: &str,
    planned: &PlannedUpdate,
    scratch: &mut ChangeScratch,
) -> Result<DocumentBuf, CommandError> {
    let apply = ApplyContext {
        env: context.env,
        now_millis: context.now_millis,
        timestamps: &context.deployment.timestamps,
        array_index: None,
        is_insert: true,
    };
    let now_millis = context.now_millis;
    let object_ids = &mut context.deployment.object_ids;
    let document = document_for_upsert(
        &planned.update,
        &planned.query.matcher,
        &apply,
        &mut scratch.update,
        &mut || object_ids.next(now_millis),
    )?;
    store(
        context,
        namespace,
        document.as_document(),
        &mut scratch.write,
    )?;
    Ok(document)
}

#[derive(Default)]
struct Totals {
    matched: i32,
    modified: i32,
    /// Statement and `_id` of each upserted document.
    upserted: Vec<(usize, Value<'static>)>,
}

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let (namespace, updates, ordered, compile) = parse(context, request)?;
    let mut errors = WriteErrors::default();
    let mut totals = Totals::default();
    let mut scratch = std::mem::take(&mut context.deployment.change_scratch);
    for (index, statement) in updates.iter().enumerate() {
        context.deployment.counters.update += 1;
        let mut run = Run {
            namespace: &namespace,
            totals: &mut totals,
            scratch: &mut scratch,
        };
        let done = run.statement(context, statement, &compile, index);
        if let Err(error) = done {
            errors.note(index, error)?;
            if ordered {
                break;
            }
        }
    }
    if scratch.before.capacity() <= MOST_SPARE_ROOM {
        context.deployment.change_scratch = scratch;
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
    Ok(finish_ok(reply))
}

/// What the statements of one command share.
struct Run<'r> {
    namespace: &'r str,
    totals: &'r mut Totals,
    scratch: &'r mut ChangeScratch,
}

impl Run<'_> {
    /// Compiles and runs one statement.
    fn statement(
        &mut self,
        context: &mut CommandContext<'_>,
        statement: &Statement<'_>,
        compile: &CompileContext<'_>,
        index: usize,
    ) -> Result<(), CommandError> {
        let update = statement.compile_update(compile)?;
        if let Some((path, value)) = statement.point()
            && !update.needs_array_index()
            && let Some(found) = find_point(context, self.namespace, path, value)?
        {
            return match found {
                Some(record) => self.change(context, record, &update, None),
                None => Ok(()),
            };
        }
        let planned = statement.plan(update, compile)?;
        let records = find_records(context, self.namespace, &planned.query, !planned.multi)?;
        if records.is_empty() && planned.upsert {
            let inserted = insert_for_upsert(context, self.namespace, &planned, self.scratch)
                .map_err(|error| while_executing("update", error))?;
            self.totals
                .upserted
                .push((index, inserted.get("_id").to_value()));
            return Ok(());
        }
        for record in records {
            let matcher = Some(planned.query.matcher.as_ref());
            self.change(context, record, &planned.update, matcher)?;
        }
        Ok(())
    }

    fn change(
        &mut self,
        context: &mut CommandContext<'_>,
        record: RecordId,
        update: &Update,
        matcher: Option<&Matcher>,
    ) -> Result<(), CommandError> {
        let changed = change_record(
            context,
            self.namespace,
            record,
            update,
            matcher,
            self.scratch,
        )
        .map_err(|error| while_executing("update", error))?;
        if let Some(changed) = changed {
            self.totals.matched += 1;
            self.totals.modified += i32::from(changed);
        }
        Ok(())
    }
}
