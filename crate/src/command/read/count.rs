//! `count`: how many documents match. Manual: reference/command/count.

use super::find;
use super::read_options;
use super::views;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::CommandError;
use crate::exec::Execution;
use crate::planner::QueryRequest;
use crate::query::Matcher;
use std::rc::Rc;

/// A parsed `count`.
pub struct CountRequest {
    pub namespace: String,
    pub query: QueryRequest,
}

impl CountRequest {
    /// Whether the collection's own counter answers.
    pub fn is_fast(&self) -> bool {
        self.query.matcher.is_empty() && self.query.hint.is_none()
    }
}

/// Reads a `count` command's fields.
///
/// # Errors
/// Unknown and mistyped fields, and what the filter says.
pub fn parse(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<CountRequest, CommandError> {
    let namespace = request.namespace()?;
    catalog::names::check_namespace(&namespace)?;
    let params = request.params();
    let query = params.document("query")?.unwrap_or(Document::EMPTY);
    // A negative limit counts as its absolute value, as the legacy shell allowed.
    let limit = params.integer("limit")?.unwrap_or(0).unsigned_abs();
    let skip = params.non_negative("skip")?.unwrap_or(0) as u64;
    let hint = read_options::hint(params.value("hint"))?;
    // What older drivers send along; a count has no fields to project.
    params.document("fields")?;
    let collation = params.collation()?;
    params.finish()?;
    let compile = context.compile_for(&namespace, None, collation)?;
    let matcher = Rc::new(Matcher::compile(query, &compile)?);
    Ok(CountRequest {
        namespace,
        query: QueryRequest {
            skip,
            limit: (limit > 0).then_some(limit),
            hint,
            count_only: true,
            ..QueryRequest::filter(matcher)
        },
    })
}

/// Counts.
///
/// # Errors
/// What planning and running say.
pub fn count(context: &CommandContext<'_>, count: &CountRequest) -> Result<u64, CommandError> {
    if count.is_fast() && !is_virtual(&count.namespace) {
        let all = context
            .deployment
            .catalog
            .collection(&count.namespace)
            .map_or(0, |collection| collection.count());
        let left = all.saturating_sub(count.query.skip);
        return Ok(count.query.limit.map_or(left, |limit| left.min(limit)));
    }
    let (planned, collection) = find::plan(context, &count.namespace, &count.query)?;
    let exec = context.exec_context();
    let mut execution = Execution::new(&planned.winner, &collection, &exec);
    let mut found = 0;
    execution.visit(&exec, &mut |_, _| {
        found += 1;
        Ok(true)
    })?;
    Ok(found)
}

fn count_view(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    count: &CountRequest,
) -> Result<u64, CommandError> {
    let mut all: u64 = 0;
    let mut compile = context.compile_context(None)?;
    compile
        .collation
        .clone_from(count.query.matcher.collation());
    views::visit(
        context,
        &count.namespace,
        request.document.get("query"),
        count.query.hint.clone(),
        &compile,
        &mut |_| {
            all += 1;
            Ok(())
        },
    )?;
    let left = all.saturating_sub(count.query.skip);
    Ok(count.query.limit.map_or(left, |limit| left.min(limit)))
}

fn is_virtual(namespace: &str) -> bool {
    catalog::is_virtual(catalog::names::split(namespace).1)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let parsed = parse(context, request)?;
    let found = match context.deployment.catalog.view(&parsed.namespace) {
        Some(_) => count_view(context, request, &parsed)?,
        None => count(context, &parsed)?,
    };
    let mut reply = DocumentBuilder::new();
    match i32::try_from(found) {
        Ok(small) => reply.append("n", small),
        Err(_) => reply.append("n", ValueRef::Int64(found as i64)),
    };
    Ok(finish_ok(reply))
}
