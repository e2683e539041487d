//! The query shape that the plan cache commands are given: `query`, `sort`, `projection`.
//!
//! Manual: reference/command/nav-plan-cache.

use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::names;
use crate::catalog::plan_cache::PlanCache;
use crate::collation::Collation;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::find;
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use crate::planner::{QueryRequest, memory, shape};
use crate::query::{Matcher, Projection};
use std::rc::Rc;

/// A shape and the fields it was given by.
pub struct GivenShape {
    pub text: String,
    /// `query`, `sort` and `projection`.
    pub described: DocumentBuf,
}

fn bad(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::BadValue, message)
}

fn optional<'a>(params: &Params<'a>, name: &'static str) -> Result<Document<'a>, CommandError> {
    match params.value(name) {
        ValueRef::Missing => Ok(Document::EMPTY),
        ValueRef::Document(document) => Ok(document),
        _ => Err(bad(format!("optional field {name} must be an object"))),
    }
}

/// Reads the shape; `None` when no query is given.
///
/// # Errors
/// `BadValue` for fields that do not go together, and errors of the query language.
pub fn read(
    context: &CommandContext<'_>,
    params: &Params<'_>,
    beside: &str,
) -> Result<Option<GivenShape>, CommandError> {
    let (sort, projection) = (optional(params, "sort")?, optional(params, "projection")?);
    let collation = match params.value("collation") {
        ValueRef::Missing => None,
        ValueRef::Document(given) if given.is_empty() => {
            return Err(bad("optional field collation cannot be an empty object"));
        }
        _ => Some(optional(params, "collation")?),
    };
    let query = match params.value("query") {
        ValueRef::Missing if sort.is_empty() && projection.is_empty() => return Ok(None),
        ValueRef::Missing => return Err(bad(format!("{beside} provided without query"))),
        ValueRef::Document(query) => query,
        _ => return Err(bad("required field query must be an object")),
    };
    let mut compile = context.compile_context(None)?;
    if let Some(collation) = collation {
        compile.collation = Collation::parse(collation, context.env)?;
    }
    let matcher = Rc::new(Matcher::compile_query(query, &compile)?);
    let compiled = match projection.is_empty() {
        true => None,
        false => Some(Rc::new(Projection::compile(
            projection, &matcher, &compile,
        )?)),
    };
    let request = QueryRequest {
        sort: find::compile_sort(sort, &compile)?,
        projection: compiled,
        ..QueryRequest::filter(matcher)
    };
    let mut described = DocumentBuilder::new();
    described
        .append("query", query)
        .append("sort", sort)
        .append("projection", projection);
    if let Some(collation) = compile.collation.spec() {
        described.append("collation", &collation);
    }
    Ok(Some(GivenShape {
        text: shape::text(&request),
        described: described.finish(),
    }))
}

/// Runs a command that makes a collection's plan cache forget something: with `forget`, which gets the given shape, or
/// `None` for all shapes. `beside` names the fields that need a query.
///
/// # Errors
/// Those of `read`, and of a namespace that is none or a view.
pub fn forget(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    beside: &str,
    forget: impl FnOnce(&mut PlanCache, Option<&str>),
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    context.view().catalog.refuse_view(&namespace)?;
    // An absent collection has no plans and no filters: the command succeeds, and its other fields are not looked at.
    let Some(collection) = context.view().catalog.collection(&namespace) else {
        return Ok(finish_ok(DocumentBuilder::new()));
    };
    let params = request.params();
    let shape = read(context, &params, beside)?;
    params.finish_open()?;
    let text = shape.map(|shape| shape.text);
    memory::with(collection, |memory| forget(memory, text.as_deref()));
    Ok(finish_ok(DocumentBuilder::new()))
}
