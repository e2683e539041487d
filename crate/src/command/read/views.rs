//! Reading views: their stages before the reader's own, and the pipelines that `find`, `count` and
//! `distinct` become.
//!
//! Manual: core/views. Invariant: a view is read by one pipeline over the collection at its end, so the planner sees
//! the reader's filter and sort too.

use super::aggregate;
use super::explain::Shown;
use super::find::natural_hint;
use super::read_options;
use crate::bson::{
    Array, ArrayBuf, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef,
};
use crate::catalog::views::MOST_VIEWS;
use crate::catalog::{Catalog, Series};
use crate::collation::Collation;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::exec::namespaces::DocumentVisitor;
use crate::expr::CompileContext;
use crate::planner::Hint;
use crate::query;

/// The end of a chain of views: a collection, which need not exist, and the stages of all of them over it.
pub struct Resolved {
    pub namespace: String,
    stages: Vec<DocumentBuf>,
}

impl Resolved {
    /// The view's stages and then a reader's.
    pub fn with(&self, stages: Array<'_>) -> ArrayBuf {
        let mut all = ArrayBuilder::new();
        for stage in &self.stages {
            all.push(stage);
        }
        for stage in stages.iter() {
            all.push(stage);
        }
        all.finish()
    }
}

/// Follows a view to its end; `None` for a name that is no view's.
///
/// # Errors
/// 165 `ViewDepthLimitExceeded`, which only a damaged catalog can give.
pub fn resolve(catalog: &Catalog, namespace: &str) -> Result<Option<Resolved>, CommandError> {
    let Some(mut view) = catalog.view(namespace) else {
        return Ok(None);
    };
    let mut pipelines = Vec::new();
    for _ in 0..MOST_VIEWS {
        pipelines.push(view.view_pipeline());
        let below = Catalog::below(view);
        match catalog.view(&below) {
            Some(next) => view = next,
            None => {
                let stages = pipelines.iter().rev().flat_map(|stages| stages.iter());
                return Ok(Some(Resolved {
                    namespace: below,
                    stages: stages
                        .filter_map(|stage| stage.as_document().map(|stage| stage.to_buf()))
                        .collect(),
                }));
            }
        }
    }
    Err(CommandError::new(
        Code::ViewDepthLimitExceeded,
        format!("View depth too deep or view cycle detected; maximum depth is {MOST_VIEWS}"),
    ))
}

/// Refuses to read a view by another collation than its own.
///
/// # Errors
/// 167 `OptionNotSupportedOnView`.
pub fn check_collation(
    catalog: &Catalog,
    namespace: &str,
    collation: &Collation,
) -> Result<(), CommandError> {
    match catalog.view(namespace) {
        Some(view) if view.options.collation != *collation => Err(CommandError::new(
            Code::OptionNotSupportedOnView,
            format!("Cannot override a view's default collation: {namespace}"),
        )),
        _ => Ok(()),
    }
}

/// A hint of an index of measurements as one of buckets.
///
/// # Errors
/// 2 `BadValue` for a key that buckets cannot have.
pub fn bucket_hint(series: &Series, hint: Option<Hint>) -> Result<Option<Hint>, CommandError> {
    match hint {
        Some(Hint::KeyPattern(key)) => { series.bucket_key(key.as_document()) }
            .map(|key| Some(Hint::KeyPattern(key)))
            .map_err(|reason| CommandError::new(Code::BadValue, reason)),
        other => Ok(other),
    }
}

/// The hint of a read of a name for the collection at its end.
///
/// # Errors
/// Those of `bucket_hint`.
pub fn hint_below(
    catalog: &Catalog,
    namespace: &str,
    hint: Option<Hint>,
) -> Result<Option<Hint>, CommandError> {
    match catalog
        .named(namespace)
        .and_then(|named| named.options.kind.measured())
    {
        Some(series) => bucket_hint(series, hint),
        None => Ok(hint),
    }
}

fn not_in_aggregation(option: &str) -> CommandError {
    CommandError::new(
        Code::InvalidPipelineOperator,
        format!("Option {option} not supported in aggregation."),
    )
}

fn push(stages: &mut ArrayBuilder, name: &str, value: ValueRef<'_>) {
    let mut stage = DocumentBuilder::new();
    stage.append(name, value);
    stages.push(&stage.finish());
}

fn push_filter(stages: &mut ArrayBuilder, filter: ValueRef<'_>) {
    if filter
        .as_document()
        .is_some_and(|filter| !filter.is_empty())
    {
        push(stages, "$match", filter);
    }
}

/// The `aggregate` command that a `find` on a view is.
///
/// # Errors
/// 168 `InvalidPipelineOperator` for an option that a pipeline has no stage for.
pub fn find_as_aggregate(find: Document<'_>) -> Result<DocumentBuf, CommandError> {
    let is_set = |name: &str| matches!(find.get(name), ValueRef::Boolean(true));
    for option in ["min", "max"] {
        if find
            .get(option)
            .as_document()
            .is_some_and(|bound| !bound.is_empty())
        {
            return Err(not_in_aggregation(option));
        }
    }
    for option in ["returnKey", "showRecordId", "tailable", "awaitData"] {
        if is_set(option) {
            return Err(not_in_aggregation(option));
        }
    }
    let number = |name: &str| find.get(name).as_exact_i64().unwrap_or(0);
    if is_set("singleBatch") && number("limit") != 1 {
        return Err(not_in_aggregation("singleBatch"));
    }
    let mut stages = ArrayBuilder::new();
    push_filter(&mut stages, find.get("filter"));
    let sort = find.get("sort").as_document().unwrap_or(Document::EMPTY);
    let natural = match query::sort::natural(sort)? {
        Some(is_backward) => {
            natural_hint(read_options::hint(find.get("hint"))?, is_backward)?;
            true
        }
        None => false,
    };
    if !natural && !sort.is_empty() {
        push(&mut stages, "$sort", ValueRef::Document(sort));
    }
    for (option, stage) in [("skip", "$skip"), ("limit", "$limit")] {
        if number(option) > 0 {
            push(&mut stages, stage, ValueRef::Int64(number(option)));
        }
    }
    if let Some(projection) = find.get("projection").as_document()
        && !projection.is_empty()
    {
        push(&mut stages, "$project", ValueRef::Document(projection));
    }
    let mut command = DocumentBuilder::new();
    command.append(aggregate::NAME, find.get("find"));
    command.append("pipeline", &stages.finish());
    command.begin_document("cursor");
    if !find.get("batchSize").is_missing() {
        command.append("batchSize", find.get("batchSize"));
    }
    command.end();
    if natural {
        command.append("hint", sort);
    }
    for option in ["hint", "let", "allowDiskUse", "collation"] {
        if natural && option == "hint" {
            continue;
        }
        if !find.get(option).is_missing() {
            command.append(option, find.get(option));
        }
    }
    Ok(command.finish())
}

/// The `aggregate` command that a `count` or `distinct` on a view is explained as; `last` appends the stage at its end.
pub fn counted_as_aggregate(
    command: Document<'_>,
    last: &dyn Fn(&mut DocumentBuilder),
) -> DocumentBuf {
    let mut stages = ArrayBuilder::new();
    push_filter(&mut stages, command.get("query"));
    let number = |name: &str| command.get(name).as_exact_i64().unwrap_or(0);
    for (option, stage) in [("skip", "$skip"), ("limit", "$limit")] {
        if number(option) != 0 {
            let count = number(option).unsigned_abs();
            push(&mut stages, stage, ValueRef::Int64(count as i64));
        }
    }
    let mut stage = DocumentBuilder::new();
    last(&mut stage);
    stages.push(&stage.finish());
    let name = command.iter().next();
    let mut aggregate = DocumentBuilder::new();
    aggregate.append(
        aggregate::NAME,
        name.map_or(ValueRef::Missing, |first| first.value),
    );
    aggregate.append("pipeline", &stages.finish());
    aggregate.begin_document("cursor").end();
    for option in ["hint", "collation"] {
        if !command.get(option).is_missing() {
            aggregate.append(option, command.get(option));
        }
    }
    aggregate.finish()
}

/// Whether a command names a view.
pub fn is_named(context: &CommandContext<'_>, request: &Request<'_>) -> bool {
    let ValueRef::String(name) = request.argument else {
        return false;
    };
    let namespace = format!("{}.{name}", request.database);
    context.view().catalog.view(&namespace).is_some()
}

/// Refuses to explain a write to a view.
///
/// # Errors
/// 166 for a command that names a view.
pub fn refuse(context: &CommandContext<'_>, request: &Request<'_>) -> Result<(), CommandError> {
    match is_named(context, request) {
        true => { context.view().catalog }.refuse_view(&request.namespace()?),
        false => Ok(()),
    }
}

/// Appends how a command on a view would be run, by the `aggregate` command that it is.
///
/// # Errors
/// Those of explaining an `aggregate`.
pub fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    aggregate: &DocumentBuf,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    let request = request_for(request, aggregate.as_document());
    aggregate::explain(context, &request, verbosity, reply)
}

/// A request for another command, with the database and session of this one.
pub fn request_for<'a>(request: &Request<'a>, command: Document<'a>) -> Request<'a> {
    let first = command.iter().next();
    Request {
        document: command,
        name: first.as_ref().map_or("", |first| first.name),
        argument: first.map_or(ValueRef::Missing, |first| first.value),
        database: request.database,
        nesting: request.nesting,
        max_time_millis: request.max_time_millis,
        comment: request.comment,
        session: request.session,
        write_number: None,
        topology: request.topology,
        transaction: None,
    }
}

/// Answers a `find` on a view.
///
/// # Errors
/// 168 for an option that a pipeline has no stage for, and errors of running it.
pub fn run_find(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let command = find_as_aggregate(request.document)?;
    aggregate::run(context, &request_for(request, command.as_document()))
}

/// Calls the visitor with every document of a view that a filter matches.
///
/// # Errors
/// Errors of compiling and running the pipeline, and the visitor.
pub fn visit(
    context: &CommandContext<'_>,
    namespace: &str,
    filter: ValueRef<'_>,
    hint: Option<Hint>,
    compile: &CompileContext<'_>,
    visitor: &mut DocumentVisitor<'_>,
) -> Result<(), CommandError> {
    let mut stages = ArrayBuilder::new();
    push_filter(&mut stages, filter);
    let stages = stages.finish();
    let mut collections = aggregate::collections(context, "");
    collections.watch = context.watch.as_deref();
    let mut running =
        collections.open_hinted(namespace.to_owned(), stages.as_array(), hint, compile)?;
    running.visit(&collections.exec_context(), &mut |record| {
        visitor(record.document())?;
        Ok(true)
    })?;
    Ok(())
}
