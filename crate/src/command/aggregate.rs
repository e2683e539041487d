//! `aggregate`: a pipeline over a collection, as a cursor. Manual: reference/command/aggregate.

use super::batch::{self, CursorOptions};
use super::context::{CommandContext, CommandResult};
use super::explain::{self, Explained, Wrapper};
use super::params::{Params, Request};
use super::pipeline_source::{self, Collections, PipelineSource};
use super::pipeline_writes;
use super::reply::finish_ok;
use super::views;
use super::{find, read_options};
use crate::aggregate::Pipeline;
use crate::bson::{Array, ArrayBuilder, DocumentBuilder, ValueRef};
use crate::catalog;
use crate::error::{Code, CommandError};
use crate::exec::CursorKind;
use crate::planner::Hint;
use crate::planner::explain::Verbosity;

/// A parsed `aggregate`.
pub struct AggregateRequest<'a> {
    /// `None` for `{aggregate: 1}`, a pipeline over no collection.
    collection: Option<&'a str>,
    pub namespace: String,
    stages: Array<'a>,
    batch_size: Option<u64>,
    hint: Option<Hint>,
    let_variables: Option<crate::bson::Document<'a>>,
    explain: bool,
    allow_disk_use: bool,
}

/// Reads an `aggregate` command's fields.
///
/// # Errors
/// Unknown and mistyped fields; a missing `cursor` (unless it is only explained).
pub fn parse<'a>(
    request: &Request<'a>,
    explained: bool,
) -> Result<AggregateRequest<'a>, CommandError> {
    let collection = match request.argument() {
        ValueRef::String(_) => Some(request.collection()?),
        other if other.as_exact_i64() == Some(1) => None,
        other if other.as_number().is_some() => {
            return Err(CommandError::new(
                Code::FailedToParse,
                "Invalid command format: the 'aggregate' field must specify a collection name or 1",
            ));
        }
        _ => Some(request.collection()?),
    };
    let name = collection.unwrap_or("$cmd.aggregate");
    let namespace = format!("{}.{name}", request.database);
    if collection.is_some() {
        catalog::names::check_namespace(&namespace)?;
    }
    let params = request.params();
    let stages = params.required_array("pipeline")?;
    let cursor = params.document("cursor")?;
    let explain = params.boolean("explain")?.unwrap_or(false);
    let allow_disk_use = params.boolean("allowDiskUse")?.unwrap_or(false);
    let hint = read_options::hint(params.value("hint"))?;
    let let_variables = params.document("let")?;
    params.boolean("bypassDocumentValidation")?;
    params.simple_collation()?;
    params.finish()?;
    if cursor.is_none() && !explain && !explained {
        return Err(CommandError::new(
            Code::FailedToParse,
            "The 'cursor' option is required, except for aggregate with the explain argument",
        ));
    }
    let batch_size = match cursor {
        None => None,
        Some(cursor) => {
            let params = Params::new(cursor, "aggregate.cursor", None);
            let size = params.non_negative("batchSize")?;
            params.finish()?;
            size.map(|size| size as u64)
        }
    };
    Ok(AggregateRequest {
        collection,
        namespace,
        stages,
        batch_size,
        hint,
        let_variables,
        explain,
        allow_disk_use,
    })
}

fn needs_collection(
    parsed: &AggregateRequest<'_>,
    pipeline: &Pipeline,
) -> Result<(), CommandError> {
    if parsed.collection.is_none() && !pipeline.has_own_source() {
        if parsed.stages.is_empty() {
            return Err(CommandError::new(
                Code::InvalidNamespace,
                "{aggregate: 1} is not valid for an empty pipeline.",
            ));
        }
        let first = parsed
            .stages
            .iter()
            .next()
            .and_then(ValueRef::as_document)
            .and_then(|stage| stage.iter().next())
            .map_or("", |element| element.name);
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!("{{aggregate: 1}} is not valid for '{first}'; a collection is required."),
        ));
    }
    Ok(())
}

/// The collections around a pipeline, to read.
fn collections<'c>(context: &'c CommandContext<'_>, database: &'c str) -> Collections<'c> {
    Collections {
        collection: None,
        pager: &context.deployment.pager,
        catalog: &context.deployment.catalog,
        env: context.env,
        deadline_millis: context.deadline_millis,
        database,
    }
}

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let parsed = parse(request, false)?;
    if parsed.explain {
        let mut reply = DocumentBuilder::new();
        append_explain(context, &parsed, Verbosity::QueryPlanner, &mut reply)?;
        explain::append_server_info(&mut reply);
        return Ok(finish_ok(reply));
    }
    let compile = context.compile_context(parsed.let_variables)?;
    let resolved = views::resolve(&context.deployment.catalog, &parsed.namespace)?;
    let joined = resolved.as_ref().map(|view| view.with(parsed.stages));
    let stages = joined.as_ref().map_or(parsed.stages, |all| all.as_array());
    let source = resolved
        .as_ref()
        .map_or(parsed.namespace.as_str(), |view| view.namespace.as_str());
    let mut pipeline = Pipeline::compile(stages, &compile)?;
    needs_collection(&parsed, &pipeline)?;
    pipeline.prepare(&mut collections(context, request.database))?;
    let running = if pipeline.has_own_source() {
        pipeline.start_without_source()
    } else {
        let leading = pipeline.take_leading();
        let mut query = pipeline_source::leading_query(&leading, parsed.hint, &compile)?;
        query.allow_disk_use = parsed.allow_disk_use;
        let (planned, collection) = find::plan(context, source, &query)?;
        pipeline_source::start(pipeline, &planned, &collection)
    };
    if pipeline_writes::writes(request) {
        context.note_bypass(request);
        return pipeline_writes::run(context, request, &parsed.namespace, running);
    }
    let source = PipelineSource {
        running,
        database: request.database.to_owned(),
        collection: request.argument().as_str().map(str::to_owned),
    };
    let reply = batch::first_batch(
        context,
        Box::new(source),
        CursorOptions {
            namespace: parsed.namespace,
            batch_size: parsed.batch_size,
            single_batch: false,
            kind: CursorKind::Plain,
            no_timeout: false,
            running: "Executor error during aggregate command on namespace: ",
        },
    )?;
    Ok(finish_ok(reply))
}

/// Appends what explain shows of a pipeline: its collection read alone when that does all the
/// work, else the read as `$cursor` and then each stage that is left.
///
/// # Errors
/// What compiling, planning and running say.
pub fn append_explain(
    context: &CommandContext<'_>,
    parsed: &AggregateRequest<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let compile = context.compile_context(parsed.let_variables)?;
    let resolved = views::resolve(&context.deployment.catalog, &parsed.namespace)?;
    let joined = resolved.as_ref().map(|view| view.with(parsed.stages));
    let all = joined.as_ref().map_or(parsed.stages, |all| all.as_array());
    let source = resolved
        .as_ref()
        .map_or(parsed.namespace.as_str(), |view| view.namespace.as_str());
    let mut pipeline = Pipeline::compile(all, &compile)?;
    needs_collection(parsed, &pipeline)?;
    let database = catalog::names::split(&parsed.namespace).0;
    pipeline.prepare(&mut collections(context, database))?;
    let mut stages = ArrayBuilder::new();
    if !pipeline.has_own_source() {
        let leading = pipeline.take_leading();
        let mut query = pipeline_source::leading_query(&leading, parsed.hint.clone(), &compile)?;
        query.allow_disk_use = parsed.allow_disk_use;
        query.explain = true;
        let (planned, collection) = find::plan(context, source, &query)?;
        let explained = Explained {
            namespace: source,
            query: &query,
            planned: &planned,
            collection: &collection,
            wrapper: Wrapper::None,
        };
        if pipeline.is_empty() {
            return explain::append(context, &explained, verbosity, reply);
        }
        let mut cursor = DocumentBuilder::new();
        cursor.begin_document("$cursor");
        explain::append_body(context, &explained, verbosity, &mut cursor)?;
        cursor.end();
        stages.push(&cursor.finish());
    }
    pipeline.explain(&mut stages);
    reply.append("explainVersion", "1");
    reply.append("stages", &stages.finish());
    Ok(())
}
