//! `count`: how many documents match. Manual: reference/command/count.

use super::explain::{Shown, append_planned};
use super::explain_plan::Wrapper;
use super::prepare::{Prepared, aside, plan, prepare};
use super::read_options;
use super::views;
use super::watched::{self, Observed};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::CommandError;
use crate::exec::Build;
use crate::exec::explain::Verbosity;
use crate::planner::field_range::FieldRange;
use crate::planner::prepared::ReadShape;
use crate::planner::{Hint, QueryRequest, Reader};
use crate::query::Matcher;
use std::rc::Rc;

/// A `count` command's fields, typed but not compiled.
struct Fields<'a> {
    namespace: String,
    filter: Document<'a>,
    skip: u64,
    limit: Option<u64>,
    hint: Option<Hint>,
    collation: Option<Document<'a>>,
}

impl<'a> Fields<'a> {
    fn read(request: &Request<'a>) -> Result<Self, CommandError> {
        let namespace = request.namespace()?;
        catalog::names::check_namespace(&namespace)?;
        let params = request.params();
        let filter = params.document("query")?.unwrap_or(Document::EMPTY);
        // A negative limit counts as its absolute value, as the legacy shell allowed.
        let limit = params.integer("limit")?.unwrap_or(0).unsigned_abs();
        let skip = params.non_negative("skip")?.unwrap_or(0) as u64;
        let hint = read_options::hint(params.value("hint"))?;
        // Older drivers send it along; a count has no fields to project.
        params.document("fields")?;
        let collation = params.collation()?;
        params.finish()?;
        Ok(Self {
            namespace,
            filter,
            skip,
            limit: (limit > 0).then_some(limit),
            hint,
            collation,
        })
    }

    /// The shape by which the plan may be known, of a count with nothing but a filter and a limit.
    fn shape(&self) -> Option<ReadShape<'a>> {
        if self.skip > 0 || self.hint.is_some() || self.collation.is_some() {
            return None;
        }
        let (range, none) = (FieldRange::of(self.filter), Document::EMPTY);
        Some(ReadShape::of(range, none, none, self.limit, Reader::Query)?.counting())
    }

    fn query(&self, context: &CommandContext<'_>) -> Result<QueryRequest, CommandError> {
        let compile = context.compile_for(&self.namespace, None, self.collation)?;
        let matcher = Rc::new(Matcher::compile_query(self.filter, &compile)?);
        Ok(QueryRequest {
            skip: self.skip,
            limit: self.limit,
            hint: self.hint.clone(),
            count_only: true,
            explain: context.explains(),
            ..QueryRequest::filter(matcher)
        })
    }
}

/// Reads and compiles a `count`, to be explained: its namespace and query.
///
/// # Errors
/// Unknown and mistyped fields, and errors of the filter.
fn parse(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<(String, QueryRequest), CommandError> {
    let fields = Fields::read(request)?;
    let query = fields.query(context)?;
    Ok((fields.namespace, query))
}

/// Appends how a `count` would be run.
///
/// # Errors
/// Errors of its fields, and of planning and running.
pub(in crate::command) fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    if views::is_named(context, request) {
        let counting = |last: &mut DocumentBuilder| {
            last.append("$count", "count");
        };
        let aggregate = views::counted_as_aggregate(request.document, &counting);
        return views::explain(context, request, &aggregate, verbosity, reply);
    }
    let (namespace, query) = parse(context, request)?;
    let wrapper = wrapper(&query);
    append_planned(context, &namespace, query, wrapper, verbosity, reply)
}

/// Appends the plan by which a `count` was run.
///
/// # Errors
/// None that the run would not have given.
pub(in crate::command) fn observe(
    observed: &Observed<'_>,
    context: &CommandContext<'_>,
    _: &Request<'_>,
    plans: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    observed.append_to(context, &wrapper, plans)
}

fn wrapper(query: &QueryRequest) -> Wrapper<'static> {
    match is_fast(query) {
        true => Wrapper::FastCount,
        false => Wrapper::Count,
    }
}

/// Whether the collection's own counter answers.
fn is_fast(query: &QueryRequest) -> bool {
    query.matcher.is_empty() && query.hint.is_none()
}

/// How many of `all` documents a count counts that skips some and stops at its limit.
pub fn windowed(all: u64, skip: u64, limit: Option<u64>) -> u64 {
    let behind_skip = all.saturating_sub(skip);
    limit.map_or(behind_skip, |limit| behind_skip.min(limit))
}

/// Counts in a collection.
fn count(context: &CommandContext<'_>, fields: &Fields<'_>) -> Result<u64, CommandError> {
    let namespace = &fields.namespace;
    let (catalog, exec) = (context.view().catalog, context.exec_context());
    let read = match fields.shape() {
        Some(shape) => {
            let (collection, shape) = (catalog.collection(namespace), Some(&shape));
            prepare(catalog, &exec, namespace, collection, shape, &mut || {
                fields.query(context)
            })?
        }
        None => {
            let query = fields.query(context)?;
            if is_fast(&query) && !is_virtual(namespace) {
                if exec.watch.is_some() {
                    watched::keep_unread(catalog, &exec, namespace, query)?;
                }
                let collection = catalog.collection(namespace);
                let all = collection.map_or(0, |collection| collection.count());
                return Ok(windowed(all, fields.skip, fields.limit));
            }
            Prepared::Planned(Rc::new(aside(&exec, || {
                let read = plan(catalog, &exec, namespace, query)?;
                exec.allow(&read.planned)?;
                Ok::<_, CommandError>(read)
            })?))
        }
    };
    let mut root = read.start(&exec, Build::default());
    let mut found = 0;
    root.stage().visit(&exec, &mut |_| {
        found += 1;
        Ok(true)
    })?;
    Ok(found)
}

fn count_view(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    fields: &Fields<'_>,
) -> Result<u64, CommandError> {
    let mut all: u64 = 0;
    let compile = context.compile_for(&fields.namespace, None, fields.collation)?;
    Matcher::compile_query(fields.filter, &compile)?;
    views::visit(
        context,
        &fields.namespace,
        request.document.get("query"),
        fields.hint.clone(),
        &compile,
        &mut |_| {
            all += 1;
            Ok(())
        },
    )?;
    Ok(windowed(all, fields.skip, fields.limit))
}

fn is_virtual(namespace: &str) -> bool {
    catalog::is_virtual(catalog::names::split(namespace).1)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let fields = Fields::read(request)?;
    let found = match context.view().catalog.view(&fields.namespace) {
        Some(_) => count_view(context, request, &fields)?,
        None => count(context, &fields)?,
    };
    let mut reply = DocumentBuilder::new();
    match i32::try_from(found) {
        Ok(small) => reply.append("n", small),
        Err(_) => reply.append("n", ValueRef::Int64(found as i64)),
    };
    Ok(finish_ok(reply))
}
