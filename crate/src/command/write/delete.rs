//! `delete`: removes documents. Manual: reference/command/delete.

use super::retryable::{Retry, check_single};
use super::series_change::{delete_measurements, plan_delete};
use super::write_errors::{WriteErrors, statements, while_executing};
use super::write_target::{check_writable, find_records};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::explain::{Shown, append_planned};
use crate::command::read::explain_plan::Wrapper;
use crate::command::read::read_options;
use crate::command::read::views;
use crate::command::read::watched::Observed;
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::expr::CompileContext;
use crate::planner::prepared::ReadShape;
use crate::planner::{Hint, QueryRequest, Reader};
use crate::query::Matcher;
use std::rc::Rc;

/// One statement, read but not compiled.
pub struct Statement<'a> {
    pub query: Document<'a>,
    /// Whether at most one document goes.
    pub single: bool,
    pub hint: Option<Hint>,
    pub collation: Option<Document<'a>>,
}

impl<'a> Statement<'a> {
    fn parse(statement: Document<'a>) -> Result<Self, CommandError> {
        let params = Params::new(statement, "delete.deletes", None);
        let query = params.required_document("q")?;
        let limit = match params.value("limit") {
            ValueRef::Missing => {
                params.lack("limit");
                0
            }
            value => value
                .as_number()
                .ok_or_else(|| params.wrong_type("limit", value, "long, int, decimal, double"))?
                .to_i64_saturating(),
        };
        let hint = read_options::hint(params.value("hint"))?;
        let collation = params.collation()?;
        params.finish()?;
        if !matches!(limit, 0 | 1) {
            return Err(CommandError::new(
                Code::FailedToParse,
                format!("The limit field in delete objects must be 0 or 1. Got {limit}"),
            ));
        }
        Ok(Self {
            query,
            single: limit == 1,
            hint,
            collation,
        })
    }

    /// The shape by which the plan may be known.
    fn shape(&self) -> Option<ReadShape<'a>> {
        let is_plain = self.hint.is_none() && self.collation.is_none();
        ReadShape::of_write(self.query, Reader::Write).filter(|_| is_plain)
    }

    /// Compiles the query that finds the documents.
    ///
    /// # Errors
    /// Errors of the filter.
    pub fn compile(&self, compile: &CompileContext<'_>) -> Result<QueryRequest, CommandError> {
        Ok(QueryRequest {
            hint: self.hint.clone(),
            reader: Reader::Write,
            ..QueryRequest::filter(Rc::new(Matcher::compile_query(self.query, compile)?))
        })
    }
}

/// Reads a `delete` of exactly one statement, for explain: its namespace and query, and whether all
/// documents go.
///
/// # Errors
/// Unknown and mistyped fields, and errors of the filter.
fn parse_one(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(String, QueryRequest, bool), CommandError> {
    let (namespace, parsed, _, compile, _) = parse(context, request)?;
    match parsed.as_slice() {
        [statement] => {
            let compile = context.statement_context(&compile, &namespace, statement.collation)?;
            let query = statement.compile(&compile)?;
            Ok((namespace, query, !statement.single))
        }
        _ => Err(CommandError::new(
            Code::InvalidLength,
            "explained write batches must be of size 1",
        )),
    }
}

/// Appends how a `delete` of one statement would be run.
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
            let planned = plan_delete(&series, statement, &compile)?;
            let wrapper = Wrapper::measurements(!statement.single, &planned);
            let query = planned.query.clone();
            return append_planned(context, &buckets, query, wrapper, verbosity, reply);
        }
    }
    views::refuse(context, request)?;
    let (namespace, query, multi) = parse_one(context, request)?;
    let wrapper = Wrapper::delete(multi, None);
    append_planned(context, &namespace, query, wrapper, verbosity, reply)
}

/// Appends the plans by which a `delete` was run.
///
/// # Errors
/// None that the run would not have given.
pub(in crate::command) fn observe(
    observed: &Observed<'_>,
    context: &CommandContext<'_>,
    request: &Request<'_>,
    plans: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    match parse_one(context, request) {
        Ok((_, _, multi)) => observed.append_to(context, &|_| Wrapper::delete(multi, None), plans),
        Err(_) => observed.append_to(context, &|_| Wrapper::None, plans),
    }
}

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
    check_writable(&namespace)?;
    let params = request.params();
    let deletes = statements(&params, "delete", "deletes")?;
    let ordered = params.boolean("ordered")?.unwrap_or(true);
    let let_variables = params.document("let")?;
    let retry = Retry::begin(context, request, &params, deletes.len())?;
    params.finish()?;
    let deletes: Vec<Statement<'_>> = deletes
        .into_iter()
        .map(Statement::parse)
        .collect::<Result<_, _>>()?;
    Ok((
        namespace,
        deletes,
        ordered,
        context.compile_context(let_variables)?,
        retry,
    ))
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let (namespace, deletes, ordered, compile, mut retry) = parse(context, request)?;
    let mut errors = WriteErrors::default();
    let mut deleted = 0;
    for (index, statement) in deletes.iter().enumerate() {
        if { retry.as_mut() }.is_some_and(|retry| retry.done(index).is_some()) {
            deleted += 1;
            continue;
        }
        let done = check_single(request, statement.single, "limit=0")
            .and_then(|()| run_statement(context, &namespace, statement, &compile));
        context.end_statement(&done, |command, counts| {
            let deletes = request.document.get("deletes").as_array();
            let given = deletes.and_then(|deletes| deletes.iter().nth(index)?.as_document());
            command.append_all(given.unwrap_or(Document::EMPTY));
            if let Ok(count) = &done {
                counts.append("ndeleted", *count);
            }
        });
        match done {
            Ok(count) => {
                deleted += count;
                if let (Some(retry), 1..) = (&mut retry, count) {
                    retry.note(index, false, None);
                }
            }
            Err(error) => {
                errors.note(index, error)?;
                context.unit.note_refusal();
                if ordered || context.unit.is_within() {
                    break;
                }
            }
        }
    }
    if let Some(retry) = &mut retry {
        retry.keep(context)?;
    }
    let mut reply = DocumentBuilder::new();
    reply.append("n", deleted);
    errors.append_to(&mut reply);
    if let Some(retry) = &retry {
        retry.append_to(&mut reply);
    }
    Ok(finish_ok(reply))
}

/// Runs one statement and gives how many documents it deleted.
///
/// # Errors
/// Errors of the filter and the storage.
pub fn run_statement<'e>(
    context: &mut CommandContext<'e>,
    namespace: &str,
    statement: &Statement<'_>,
    compile: &CompileContext<'e>,
) -> Result<i32, CommandError> {
    context.counters.delete += 1;
    let compile = context.statement_context(compile, namespace, statement.collation)?;
    if let Some((buckets, series)) = context.view().catalog.measured(namespace) {
        let target = (&*buckets, &series);
        return Ok(delete_measurements(context, namespace, target, statement, &compile)?.0);
    }
    let wrap = |error| while_executing("delete", error);
    let mut is_refused = false;
    let records = find_records(
        context,
        namespace,
        statement.shape().as_ref(),
        statement.single,
        &mut || {
            let query = statement.compile(&compile);
            is_refused = query.is_err();
            query
        },
    )
    .map_err(|error| {
        // A filter that does not compile, a hint that names no index and a view are refused before the plan runs.
        if is_refused
            || [Code::BadValue, Code::CommandNotSupportedOnView]
                .map(|code| code as i32)
                .contains(&error.code)
        {
            error
        } else {
            wrap(error)
        }
    })?;
    if records.is_empty() {
        return Ok(0);
    }
    let env = context.env;
    match context.writer().into_collection(namespace) {
        Some(mut collection) => Ok(collection.delete_many(&records, env)? as i32),
        None => Ok(0),
    }
}
