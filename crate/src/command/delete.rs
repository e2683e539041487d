//! `delete`: removes documents. Manual: reference/command/delete.

use super::context::{CommandContext, CommandResult};
use super::params::{Params, Request};
use super::read_options;
use super::reply::finish_ok;
use super::write_errors::{WriteErrors, statements, while_executing};
use super::write_target::{check_writable, find_records};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::planner::{Hint, QueryRequest};
use crate::query::Matcher;
use std::rc::Rc;

/// One statement, read but not compiled.
struct Statement<'a> {
    query: Document<'a>,
    /// Whether at most one document goes.
    single: bool,
    hint: Option<Hint>,
}

impl<'a> Statement<'a> {
    fn parse(statement: Document<'a>) -> Result<Self, CommandError> {
        let params = Params::new(statement, "delete.deletes", None);
        let query = params.required_document("q")?;
        let limit = match params.value("limit") {
            ValueRef::Missing => return Err(params.missing("limit")),
            value => value
                .as_number()
                .ok_or_else(|| params.wrong_type("limit", value, "long, int, decimal, double"))?
                .to_i64_saturating(),
        };
        let hint = read_options::hint(params.value("hint"))?;
        params.simple_collation()?;
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
        })
    }

    fn compile(&self, compile: &CompileContext<'_>) -> Result<QueryRequest, CommandError> {
        Ok(QueryRequest {
            hint: self.hint.clone(),
            ..QueryRequest::filter(Rc::new(Matcher::compile(self.query, compile)?))
        })
    }
}

/// Reads a `delete` of exactly one statement, for explain: its namespace and query, and whether all
/// documents go.
///
/// # Errors
/// Unknown and mistyped fields, and what the filter says.
pub fn parse_one(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(String, QueryRequest, bool), CommandError> {
    let (namespace, parsed, _, compile) = parse(context, request)?;
    match parsed.as_slice() {
        [statement] => Ok((namespace, statement.compile(&compile)?, !statement.single)),
        _ => Err(CommandError::new(
            Code::InvalidLength,
            "explained write batches must be of size 1",
        )),
    }
}

type Parsed<'a, 'e> = (String, Vec<Statement<'a>>, bool, CompileContext<'e>);

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
    ))
}

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let (namespace, deletes, ordered, compile) = parse(context, request)?;
    let mut errors = WriteErrors::default();
    let mut deleted = 0;
    for (index, statement) in deletes.iter().enumerate() {
        context.deployment.counters.delete += 1;
        let done = statement
            .compile(&compile)
            .and_then(|query| delete(context, &namespace, &query, statement.single, &mut deleted));
        if let Err(error) = done {
            errors.note(index, error)?;
            if ordered {
                break;
            }
        }
    }
    let mut reply = DocumentBuilder::new();
    reply.append("n", deleted);
    errors.append_to(&mut reply);
    Ok(finish_ok(reply))
}

/// Deletes what a query finds and counts it.
fn delete(
    context: &mut CommandContext<'_>,
    namespace: &str,
    query: &QueryRequest,
    single: bool,
    deleted: &mut i32,
) -> Result<(), CommandError> {
    let wrap = |error| while_executing("delete", error);
    let records = find_records(context, namespace, query, single).map_err(|error| {
        // A hint that names no index is found out before the plan runs.
        if error.code == Code::BadValue as i32 {
            error
        } else {
            wrap(error)
        }
    })?;
    if records.is_empty() {
        return Ok(());
    }
    let deployment = &mut *context.deployment;
    let Some(collection) = deployment.catalog.collection_mut(namespace) else {
        return Ok(());
    };
    *deleted += collection.delete_records(&mut deployment.pager, &records)? as i32;
    Ok(())
}
