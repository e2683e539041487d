//! `update`: changes documents. Manual: reference/command/update.

use super::update_pipeline;
use super::validation::Validator;
use super::write_errors::{WriteErrors, statements, while_executing};
use super::write_target::{check_writable, find_records, prepare, store};
use crate::bson::{Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, Value, ValueRef};
use crate::catalog::{Collection, RecordId, WriteScratch};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::find::compile_order;
use crate::command::read::read_options;
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::planner::prepared::ReadShape;
use crate::planner::{Hint, QueryRequest, Reader};
use crate::query::{MatchDetails, Matcher};
use crate::update::{ApplyContext, Update, UpdateScratch, document_for_upsert};
use std::rc::Rc;

/// One statement, read but not compiled.
pub struct Statement<'a> {
    query: Document<'a>,
    update: ValueRef<'a>,
    array_filters: Option<Array<'a>>,
    constants: Option<Document<'a>>,
    sort: Document<'a>,
    upsert: bool,
    /// Whether an upsert stores `c.new` as it is: what `$merge` asks for.
    upsert_supplied: bool,
    multi: bool,
    hint: Option<Hint>,
    pub collation: Option<Document<'a>>,
}

/// What a command calls the fields of a statement.
pub struct FieldNames {
    pub query: &'static str,
    pub update: &'static str,
    pub constants: &'static str,
}

const UPDATE_FIELDS: FieldNames = FieldNames {
    query: "q",
    update: "u",
    constants: "c",
};

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
        if let Some(plain) = Self::parse_plain(statement) {
            return Ok(plain);
        }
        let params = Params::new(statement, "update.updates", None);
        let parsed = Self::read(&params, &UPDATE_FIELDS)?;
        params.finish()?;
        Ok(parsed)
    }

    /// Reads the statement that drivers send for most updates, in one walk: a query, an update, and perhaps `upsert`
    /// and `multi`. `None`: it has more to say, or something to be refused.
    fn parse_plain(statement: Document<'a>) -> Option<Self> {
        let (mut query, mut update) = (None, None);
        let (mut upsert, mut multi) = (None, None);
        for element in statement.raw_elements() {
            // A field that stands there twice is refused elsewhere.
            let is_second = match (element.name, element.value()) {
                (b"q", ValueRef::Document(given)) => query.replace(given).is_some(),
                (b"u", given @ ValueRef::Document(_)) => update.replace(given).is_some(),
                (b"upsert", ValueRef::Boolean(given)) => upsert.replace(given).is_some(),
                (b"multi", ValueRef::Boolean(given)) => multi.replace(given).is_some(),
                _ => true,
            };
            if is_second {
                return None;
            }
        }
        Some(Self {
            query: query?,
            update: update?,
            array_filters: None,
            constants: None,
            sort: Document::EMPTY,
            upsert: upsert.unwrap_or(false),
            upsert_supplied: false,
            multi: multi.unwrap_or(false),
            hint: None,
            collation: None,
        })
    }

    /// Reads the fields, which not every command gives the same names.
    ///
    /// # Errors
    /// Mistyped fields and combinations that make no sense; `Params::finish` is the caller's.
    pub fn read(params: &Params<'a>, names: &FieldNames) -> Result<Self, CommandError> {
        let query = params.required_document(names.query)?;
        let update = match params.value(names.update) {
            ValueRef::Missing => return Err(params.missing(names.update)),
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
            array_filters: params.documents("arrayFilters")?,
            constants: params.document(names.constants)?,
            sort: params.document("sort")?.unwrap_or(Document::EMPTY),
            upsert: params.boolean("upsert")?.unwrap_or(false),
            upsert_supplied: params.boolean("upsertSupplied")?.unwrap_or(false),
            multi: params.boolean("multi")?.unwrap_or(false),
            hint: read_options::hint(params.value("hint"))?,
            collation: params.collation()?,
        };
        if parsed.constants.is_some() && parsed.update.as_array().is_none() {
            return Err(CommandError::location(
                51198,
                "Constant values may only be specified for pipeline updates",
            ));
        }
        if parsed.upsert_supplied && parsed.supplied().is_none() {
            return Err(CommandError::new(
                Code::FailedToParse,
                "upsertSupplied takes an upsert by a pipeline, and the document as c.new",
            ));
        }
        Ok(parsed)
    }

    /// The document that an upsert is to store as it is.
    fn supplied(&self) -> Option<Document<'a>> {
        if !self.upsert || !self.upsert_supplied {
            return None;
        }
        self.constants?.get("new").as_document()
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

    /// What the plan may be known by.
    fn shape(&self) -> Option<ReadShape<'a>> {
        let is_plain = self.sort.is_empty() && self.hint.is_none() && self.collation.is_none();
        ReadShape::of_write(self.query, self.reader()).filter(|_| is_plain)
    }

    fn reader(&self) -> Reader {
        match self.upsert {
            true => Reader::Upsert,
            false => Reader::Write,
        }
    }

    /// Compiles the update and the query that finds its documents.
    ///
    /// # Errors
    /// What filter, sort, hint and update say.
    pub fn compile(&self, compile: &CompileContext<'_>) -> Result<PlannedUpdate, CommandError> {
        Ok(PlannedUpdate {
            update: self.compile_update(compile)?,
            query: self.compile_query(compile)?,
            upsert: self.upsert,
            multi: self.multi,
        })
    }

    fn compile_query(&self, compile: &CompileContext<'_>) -> Result<QueryRequest, CommandError> {
        let (hint, sort) = compile_order(self.hint.clone(), self.sort, &compile.collation)?;
        Ok(QueryRequest {
            // Without a sort the plan has no limit of its own: it is run until the first row.
            limit: sort.is_some().then_some(1),
            sort,
            hint,
            reader: self.reader(),
            ..QueryRequest::filter(Rc::new(Matcher::compile(self.query, compile)?))
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

/// The change made to each record of a statement.
pub struct Change<'c> {
    pub update: &'c Update,
    /// The query's, which tells a positional update its array item.
    pub matcher: Option<&'c Matcher>,
    pub validator: Option<&'c Validator>,
}

/// Applies an update to one record. `None` when the record is gone, else whether it changed;
/// `scratch.before` then holds what it was.
///
/// # Errors
/// What the update, the indexes and the storage refuse.
pub fn change_record(
    context: &mut CommandContext<'_>,
    namespace: &str,
    record: RecordId,
    change: &Change<'_>,
    scratch: &mut ChangeScratch,
) -> Result<Option<bool>, CommandError> {
    let update = change.update;
    let env = context.env;
    let now_millis = context.now_millis;
    let deployment = &mut *context.deployment;
    let Some(collection) = deployment.catalog.collection_mut(namespace) else {
        return Ok(None);
    };
    let Some(located) = collection.locate(&deployment.pager, record)? else {
        return Ok(None);
    };
    let bytes = collection.read_at(&deployment.pager, &located)?;
    scratch.before.clear();
    scratch.before.extend_from_slice(&bytes);
    let before = Document::from_valid_bytes(&scratch.before);
    let apply = ApplyContext {
        env,
        now_millis,
        timestamps: &deployment.timestamps,
        array_index: None,
        is_insert: false,
    };
    let Some(after) = changed(before, update, change.matcher, apply, &mut scratch.update)? else {
        return Ok(Some(false));
    };
    if let Some(validator) = change.validator {
        validator.check(after, Some(before), env, now_millis)?;
    }
    collection.update_document(
        &mut deployment.pager,
        (record, located),
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
    let apply = ApplyContext {
        env: context.env,
        now_millis: context.now_millis,
        timestamps: &context.deployment.timestamps,
        array_index: None,
        is_insert: false,
    };
    let (before, matcher) = (Document::from_valid_bytes(&bytes), &planned.query.matcher);
    let after = changed(
        before,
        &planned.update,
        Some(matcher),
        apply,
        &mut scratch.update,
    )?;
    Ok(after.is_some())
}

/// A document as an update changes it; `None` when that makes no difference. `matcher` tells a positional update its
/// array item.
fn changed<'s>(
    before: Document<'_>,
    update: &Update,
    matcher: Option<&Matcher>,
    mut apply: ApplyContext<'_>,
    scratch: &'s mut UpdateScratch,
) -> Result<Option<Document<'s>>, CommandError> {
    if update.needs_array_index()
        && let Some(matcher) = matcher
    {
        let mut details = MatchDetails::default();
        matcher.matches_with_details(before, apply.env, &mut details)?;
        apply.array_index = details.array_index;
    }
    update.apply(before, &apply, scratch)
}

/// Inserts the document of an upsert and gives it.
///
/// # Errors
/// What the update, the indexes and the storage refuse.
pub fn insert_for_upsert(
    context: &mut CommandContext<'_>,
    namespace: &str,
    update: &Update,
    matcher: &Matcher,
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
    let document = document_for_upsert(update, matcher, &apply, &mut scratch.update, &mut || {
        object_ids.next(now_millis)
    })?;
    if let Some(validator) = context.validator(namespace)? {
        validator.check(document.as_document(), None, context.env, now_millis)?;
    }
    store(
        context,
        namespace,
        document.as_document(),
        &mut scratch.write,
    )?;
    Ok(document)
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

/// What statements did.
#[derive(Default)]
pub struct Totals {
    pub matched: i32,
    pub modified: i32,
    /// Statement and `_id` of each upserted document.
    pub upserted: Vec<(usize, Value<'static>)>,
}

/// Runs one statement on its own.
///
/// # Errors
/// What filter and update say, the indexes and the storage refuse.
pub fn run_statement<'e>(
    context: &mut CommandContext<'e>,
    namespace: &str,
    statement: &Statement<'_>,
    compile: &CompileContext<'e>,
) -> Result<Totals, CommandError> {
    context.deployment.counters.update += 1;
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

/// Keeps the room that changing documents took, unless it is a lot.
fn keep_scratch(context: &mut CommandContext<'_>, scratch: ChangeScratch) {
    if scratch.before.capacity() <= MOST_SPARE_ROOM {
        context.deployment.change_scratch = scratch;
    }
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let (namespace, updates, ordered, compile) = parse(context, request)?;
    context.note_bypass(request);
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
    keep_scratch(context, scratch);
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
    fn statement<'e>(
        &mut self,
        context: &mut CommandContext<'e>,
        statement: &Statement<'_>,
        compile: &CompileContext<'e>,
        index: usize,
    ) -> Result<(), CommandError> {
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
        for record in records {
            self.change(context, record, &change)?;
        }
        Ok(())
    }

    fn change(
        &mut self,
        context: &mut CommandContext<'_>,
        record: RecordId,
        change: &Change<'_>,
    ) -> Result<(), CommandError> {
        let changed = change_record(context, self.namespace, record, change, self.scratch)
            .map_err(|error| while_executing("update", error))?;
        if let Some(changed) = changed {
            self.totals.matched += 1;
            self.totals.modified += i32::from(changed);
        }
        Ok(())
    }
}
