//! `bulkWrite`: inserts, updates and deletes in several collections, in one command. Manual:
//! reference/command/bulkWrite.
//!
//! Invariant: the request is read whole before the first operation runs; the error of one operation is
//! told in its own result and fails nothing else.

use super::delete;
use super::insert::insert_documents;
use super::retryable::{Retry, check_single};
use super::update;
use super::update_statement::{FieldNames, Statement};
use super::write_errors::{check_batch_size, documents, unless_fatal};
use super::write_target::check_writable;
use crate::bson::{
    Document, DocumentBuf, DocumentBuilder, MAX_DOCUMENT_SIZE, MAX_NESTING, ValueRef,
};
use crate::catalog::names::check_namespace;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::explain::{Shown, append_planned};
use crate::command::read::explain_plan::Wrapper;
use crate::command::read::list_cursor;
use crate::command::read::read_options;
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::expr::CompileContext;

/// The namespace in the cursor over the results.
const CURSOR_NAMESPACE: &str = "admin.$cmd.bulkWrite";

const UPDATE_FIELDS: FieldNames = FieldNames {
    query: "filter",
    update: "updateMods",
    constants: "constants",
};

/// The kind of an operation, with its fields.
enum Action<'a> {
    Insert(Document<'a>),
    Update(Box<Statement<'a>>),
    Delete(delete::Statement<'a>),
}

/// One item of `ops`.
struct Operation<'a> {
    /// The item itself, to be named in an error.
    source: Document<'a>,
    /// Which item of `nsInfo`.
    namespace: i64,
    action: Action<'a>,
}

impl<'a> Operation<'a> {
    fn parse(source: Document<'a>) -> Result<Self, CommandError> {
        // The server's parser names an operation's fields as if they were the command's.
        let params = Params::new(source, "bulkWrite", None);
        let kind = source.iter().next().map_or("", |first| first.name);
        let (namespace, action) = match kind {
            "insert" => (
                index_of(&params, "insert")?,
                Action::Insert(params.required_document("document")?),
            ),
            "update" => (
                index_of(&params, "update")?,
                Action::Update(Box::new(Statement::read(&params, &UPDATE_FIELDS)?)),
            ),
            "delete" => {
                let namespace = index_of(&params, "delete")?;
                let query = params.required_document("filter")?;
                let multi = params.boolean("multi")?.unwrap_or(false);
                let hint = read_options::hint(params.value("hint"))?;
                let collation = params.collation()?;
                let statement = delete::Statement {
                    query,
                    single: !multi,
                    hint,
                    collation,
                };
                (namespace, Action::Delete(statement))
            }
            other => {
                return Err(CommandError::new(
                    Code::IDLUnknownField,
                    format!("BSON field 'bulkWrite.{other}' is an unknown field."),
                ));
            }
        };
        params.finish()?;
        Ok(Self {
            source,
            namespace,
            action,
        })
    }
}

/// Which item of `nsInfo` an operation is about.
fn index_of(params: &Params<'_>, kind: &'static str) -> Result<i64, CommandError> {
    Ok(params.non_negative(kind)?.unwrap_or_else(|| {
        params.lack(kind);
        -1
    }))
}

/// A command's fields.
struct BulkWrite<'a> {
    operations: Vec<Operation<'a>>,
    namespaces: Vec<&'a str>,
    ordered: bool,
    errors_only: bool,
    batch_size: Option<usize>,
    let_variables: Option<Document<'a>>,
}

impl<'a> BulkWrite<'a> {
    fn parse(
        context: &CommandContext<'_>,
        request: &Request<'a>,
    ) -> Result<(Self, Option<Retry>), CommandError> {
        let params = request.params();
        let operations = documents(&params, "bulkWrite", "ops")?
            .into_iter()
            .map(Operation::parse)
            .collect::<Result<Vec<_>, _>>()?;
        let namespaces = documents(&params, "bulkWrite", "nsInfo")?
            .into_iter()
            .map(|entry| parse_namespace(context, entry))
            .collect::<Result<Vec<_>, _>>()?;
        let parsed = Self {
            operations,
            namespaces,
            ordered: params.boolean("ordered")?.unwrap_or(true),
            errors_only: params.boolean("errorsOnly")?.unwrap_or(false),
            batch_size: list_cursor::batch_size(&params, "bulkWrite")?,
            let_variables: params.document("let")?,
        };
        params.safe_bool("bypassDocumentValidation")?;
        params.refuse("bypassEmptyTsReplacement")?;
        let retry = Retry::begin(context, request, &params, parsed.operations.len())?;
        params.finish()?;
        parsed.check()?;
        Ok((parsed, retry))
    }

    fn check(&self) -> Result<(), CommandError> {
        check_batch_size(self.operations.len())?;
        for namespace in &self.namespaces {
            check_namespace(namespace).map_err(|_| {
                CommandError::new(
                    Code::InvalidNamespace,
                    format!("Invalid namespace specified for bulkWrite: '{namespace}'"),
                )
            })?;
        }
        match self
            .operations
            .iter()
            .find(|operation| self.namespace_of(operation).is_none())
        {
            None => Ok(()),
            Some(operation) => Err(CommandError::new(
                Code::BadValue,
                format!(
                    "BulkWrite ops entry {} has an invalid nsInfo index.",
                    operation.source
                ),
            )),
        }
    }

    fn namespace_of(&self, operation: &Operation<'_>) -> Option<&'a str> {
        let position = usize::try_from(operation.namespace).ok()?;
        self.namespaces.get(position).copied()
    }

    /// The documents of successive inserts into one collection, from the operation at `position` on. At most `most`
    /// operations are looked at.
    fn inserts_from(&self, position: usize, most: usize) -> Vec<Document<'a>> {
        let rest = self.operations.get(position..).unwrap_or_default();
        let rest = rest.get(..most).unwrap_or(rest);
        let namespace = rest.first().map_or(-1, |first| first.namespace);
        rest.iter()
            .map_while(|operation| match operation.action {
                Action::Insert(document) if operation.namespace == namespace => Some(document),
                _ => None,
            })
            .collect()
    }
}

fn parse_namespace<'a>(
    context: &CommandContext<'_>,
    entry: Document<'a>,
) -> Result<&'a str, CommandError> {
    let params = Params::new(entry, "bulkWrite.nsInfo", None);
    let namespace = params.required_string("ns")?;
    let uuid = params.uuid("collectionUUID")?;
    params.refuse("encryptionInformation")?;
    params.finish()?;
    context.view().catalog.check_uuid(namespace, uuid)?;
    Ok(namespace)
}

/// Reads a `bulkWrite` of exactly one operation, for explain.
///
/// # Errors
/// Errors of the request's fields.
fn parse_one<'a, 'e>(
    context: &CommandContext<'e>,
    request: &Request<'a>,
) -> Result<(String, Action<'a>, CompileContext<'e>), CommandError> {
    let (mut parsed, _) = BulkWrite::parse(context, request)?;
    let operation = parsed.operations.pop();
    match (operation, parsed.operations.is_empty()) {
        (Some(operation), true) => Ok((
            parsed
                .namespace_of(&operation)
                .unwrap_or_default()
                .to_owned(),
            operation.action,
            context.compile_context(parsed.let_variables)?,
        )),
        _ => Err(CommandError::new(
            Code::InvalidLength,
            "explained bulkWrite ops must be of size 1",
        )),
    }
}

/// Appends how a `bulkWrite` of one operation would be run.
///
/// # Errors
/// Errors of its fields, and of planning and running.
pub(in crate::command) fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    let (namespace, action, compile) = parse_one(context, request)?;
    let compile_for = |collation| context.statement_context(&compile, &namespace, collation);
    match action {
        Action::Insert(_) => Err(CommandError::new(
            Code::IllegalOperation,
            "Cannot explain insert cmd for bulkWrite",
        )),
        Action::Update(statement) => {
            let planned = statement.compile(&*compile_for(statement.collation)?)?;
            let (query, wrapper) = (planned.query.clone(), Wrapper::update(&planned, None));
            append_planned(context, &namespace, query, wrapper, verbosity, reply)
        }
        Action::Delete(statement) => {
            let query = statement.compile(&*compile_for(statement.collation)?)?;
            let wrapper = Wrapper::delete(!statement.single, None);
            append_planned(context, &namespace, query, wrapper, verbosity, reply)
        }
    }
}

/// Whether a request can do nothing but delete documents.
pub(in crate::command) fn only_deletes(request: &Request<'_>) -> bool {
    let ValueRef::Array(operations) = request.document.get("ops") else {
        return false;
    };
    operations.iter().all(|operation| {
        let first = operation
            .as_document()
            .and_then(|operation| operation.iter().next());
        first.is_some_and(|field| field.name == "delete")
    })
}

/// The results so far.
#[derive(Default)]
struct Results {
    items: Vec<DocumentBuf>,
    errors_only: bool,
    errors: i32,
    inserted: i32,
    matched: i32,
    modified: i32,
    upserted: i32,
    deleted: i32,
}

impl Results {
    fn item(ok: f64, position: usize) -> DocumentBuilder {
        let mut item = DocumentBuilder::new();
        item.append("ok", ok).append("idx", position as i32);
        item
    }

    fn note_error(&mut self, position: usize, error: &CommandError, is_update: bool) {
        self.errors += 1;
        let mut item = Self::item(0.0, position);
        item.append("code", error.code)
            .append("errmsg", error.message.as_str());
        if let Some(details) = &error.details {
            item.append_all(Document::from_valid_bytes(details));
        }
        item.append("n", 0);
        if is_update {
            item.append("nModified", 0);
        }
        self.items.push(item.finish());
    }

    fn note_count(&mut self, position: usize, count: i32) {
        if self.errors_only {
            return;
        }
        let mut item = Self::item(1.0, position);
        item.append("n", count);
        self.items.push(item.finish());
    }

    fn note_update(&mut self, position: usize, totals: &update::Totals) {
        let upserted = totals.upserted.first();
        self.matched += totals.matched;
        self.modified += totals.modified;
        self.upserted += i32::from(upserted.is_some());
        if self.errors_only {
            return;
        }
        let mut item = Self::item(1.0, position);
        item.append("n", totals.matched + i32::from(upserted.is_some()))
            .append("nModified", totals.modified);
        if let Some((_, id)) = upserted {
            item.begin_document("upserted")
                .append("_id", id.as_ref())
                .end();
        }
        self.items.push(item.finish());
    }
}

impl Results {
    /// Tells of an operation that was done before; false where it was not.
    fn are_known(&mut self, retry: &mut Retry, position: usize, action: &Action<'_>) -> bool {
        let mut totals = update::Totals::default();
        if !totals.are_known(retry, position) {
            return false;
        }
        match action {
            Action::Insert(_) => {
                self.inserted += 1;
                self.note_count(position, 1);
            }
            Action::Update(_) => self.note_update(position, &totals),
            Action::Delete(_) => {
                self.deleted += 1;
                self.note_count(position, 1);
            }
        }
        true
    }
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let (mut parsed, mut retry) = BulkWrite::parse(context, request)?;
    parsed.ordered |= context.unit.is_within();
    context.note_bypass(request);
    let compile = context.compile_context(parsed.let_variables)?;
    let is_deep = request.nesting > MAX_NESTING;
    let mut results = Results {
        errors_only: parsed.errors_only,
        ..Results::default()
    };
    let mut position = 0;
    while let Some(operation) = parsed.operations.get(position) {
        if parsed.ordered && results.errors > 0 {
            break;
        }
        let namespace = parsed.namespace_of(operation).unwrap_or_default();
        let start = position;
        position += 1;
        let is_update = matches!(operation.action, Action::Update(_));
        if let Some(retry) = &mut retry
            && results.are_known(retry, start, &operation.action)
        {
            continue;
        }
        let is_single = match &operation.action {
            Action::Insert(_) => true,
            Action::Update(statement) => !statement.multi,
            Action::Delete(statement) => statement.single,
        };
        let checked =
            check_writable(namespace).and_then(|()| check_single(request, is_single, "multi=true"));
        // Each insert that may have been done before is looked at by itself.
        let most = if retry.is_some() { 1 } else { usize::MAX };
        let done = checked.and_then(|()| match &operation.action {
            Action::Insert(_) => {
                let documents = parsed.inserts_from(start, most);
                position = start + documents.len();
                let (inserted, errors) =
                    insert_documents(context, namespace, &documents, parsed.ordered, is_deep)?;
                results.inserted += inserted;
                if let (Some(retry), 1..) = (&mut retry, inserted) {
                    retry.note(start, false, None);
                }
                let mut errors = errors.iter().peekable();
                for offset in 0..documents.len() {
                    match errors.next_if(|(failed, _)| *failed == offset) {
                        None => results.note_count(start + offset, 1),
                        Some((_, error)) => {
                            results.note_error(start + offset, error, false);
                            if parsed.ordered {
                                break;
                            }
                        }
                    }
                }
                Ok(())
            }
            Action::Update(statement) => {
                update::run_statement(context, namespace, statement, &compile).map(|totals| {
                    if let Some(retry) = &mut retry {
                        totals.note_in(retry, start, (0, 0));
                    }
                    results.note_update(start, &totals);
                })
            }
            Action::Delete(statement) => {
                let deleted = delete::run_statement(context, namespace, statement, &compile)?;
                results.deleted += deleted;
                if let (Some(retry), 1..) = (&mut retry, deleted) {
                    retry.note(start, false, None);
                }
                results.note_count(start, deleted);
                Ok(())
            }
        });
        if let Err(error) = done {
            results.note_error(start, &unless_fatal(error)?, is_update);
        }
    }
    if results.errors > 0 {
        context.unit.note_refusal();
    }
    if let Some(retry) = &mut retry {
        retry.keep(context)?;
    }
    let mut reply = reply(context, request, results, parsed.batch_size);
    if let Some(retry) = &retry {
        retry.append_to(&mut reply);
    }
    Ok(finish_ok(reply))
}

fn reply(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    results: Results,
    batch_size: Option<usize>,
) -> DocumentBuilder {
    let mut bytes = 0;
    let fitting = results
        .items
        .iter()
        .take_while(|item| {
            bytes += item.as_bytes().len() + 8;
            bytes <= MAX_DOCUMENT_SIZE
        })
        .count();
    let first = batch_size.unwrap_or(usize::MAX).min(fitting);
    let (batch, id) = list_cursor::open_rest(
        context,
        request,
        CURSOR_NAMESPACE,
        results.items,
        Some(first),
    );
    let mut reply = DocumentBuilder::new();
    reply.begin_document("cursor").append("id", id);
    list_cursor::append_batch(&batch, &mut reply);
    reply.append("ns", CURSOR_NAMESPACE).end();
    for (name, count) in [
        ("nErrors", results.errors),
        ("nInserted", results.inserted),
        ("nMatched", results.matched),
        ("nModified", results.modified),
        ("nUpserted", results.upserted),
        ("nDeleted", results.deleted),
    ] {
        reply.append(name, count);
    }
    reply
}
