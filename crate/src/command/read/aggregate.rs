//! `aggregate`: a pipeline over a collection, as a cursor. Manual: reference/command/aggregate.

use super::batch::{self, CursorOptions};
use super::describe;
use super::explain::{self, Shown};
use super::explain_plan::{self, Explained, Run, Wrapper};
use super::pipeline_source::{self, Collections, ReadOptions, prepare_read};
use super::pipeline_writes;
use super::prepare::{PlannedRead, Prepared};
use super::read_options;
use super::transaction_stages;
use super::views;
use super::watched;
use crate::aggregate::observed::Report;
use crate::aggregate::stages::table::Placement;
use crate::aggregate::stages::{geo_near, table};
use crate::aggregate::{DescribePlan, Pipeline, SharedReport, nested};
use crate::bson::{Array, ArrayBuilder, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request, Unstable};
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::exec::stream::Stream;
use crate::exec::watch::Slot;
use crate::exec::{Root, Stage};
use crate::planner::Hint;
use crate::state::CursorKind;
use std::rc::Rc;

/// The name of the command.
pub const NAME: &str = "aggregate";

/// Its fields that are not of version 1 of the Stable API.
pub(in crate::command) const UNSTABLE: Unstable = Unstable {
    items: None,
    context: NAME,
    fields: &["explain"],
};

/// A parsed `aggregate`.
pub struct AggregateRequest<'a> {
    /// `None` for `{aggregate: 1}`, a pipeline over no collection.
    collection: Option<&'a str>,
    pub namespace: String,
    stages: Array<'a>,
    batch_size: Option<u64>,
    hint: Option<Hint>,
    let_variables: Option<Document<'a>>,
    explain: bool,
    allow_disk_use: bool,
    collation: Option<Document<'a>>,
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
    params.refuse_null("pipeline", "array")?;
    params.refuse_null("cursor", "object")?;
    let stages = params.required_array("pipeline")?;
    let cursor = params.document("cursor")?;
    let explain = params.boolean("explain")?;
    let allow_disk_use = params.boolean("allowDiskUse")?.unwrap_or(true);
    let hint = read_options::hint(params.value("hint"))?;
    let let_variables = params.document("let")?;
    params.safe_bool("bypassDocumentValidation")?;
    let collation = params.collation()?;
    params.finish()?;
    let explain = explain.unwrap_or(false);
    let needs_cursor = !explain && !explained;
    if (explain || explained) && !request.document.get("writeConcern").is_missing() {
        return Err(CommandError::new(
            Code::FailedToParse,
            // The server's own words run together.
            "Aggregation explain does not support the'writeConcern' option",
        ));
    }
    if cursor.is_none() && needs_cursor {
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
        collation,
    })
}

/// Checks a pipeline that stands for all of its shape. A stage that tells of the server itself is given by its name.
///
/// # Errors
/// Those of `parse` and of the stages.
pub(in crate::command) fn check_shape(
    context: &CommandContext<'_>,
    request: &Request<'_>,
) -> Result<Option<&'static str>, CommandError> {
    let parsed = parse(request, true)?;
    let compile = context.compile_for(&parsed.namespace, parsed.let_variables, parsed.collation)?;
    let mut pipeline = Pipeline::compile(parsed.stages, &compile)?;
    Ok(pipeline.describing().map(|stage| stage.name()))
}

fn needs_collection(
    parsed: &AggregateRequest<'_>,
    pipeline: &mut Pipeline,
) -> Result<(), CommandError> {
    if let Some(stage) = pipeline.describing() {
        let has_collection = parsed.collection.is_some();
        return describe::check_namespace(stage.name(), &parsed.namespace, has_collection);
    }
    if parsed.collection.is_some() && first_stage(parsed.stages) == "$documents" {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            "$documents is only valid as the first stage of a pipeline with {aggregate: 1}",
        ));
    }
    if parsed.collection.is_none() && !pipeline.has_own_source() {
        if parsed.stages.is_empty() {
            return Err(CommandError::new(
                Code::InvalidNamespace,
                "{aggregate: 1} is not valid for an empty pipeline.",
            ));
        }
        let first = first_stage(parsed.stages);
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!("{{aggregate: 1}} is not valid for '{first}'; a collection is required."),
        ));
    }
    Ok(())
}

/// The name of the first stage.
fn first_stage(stages: Array<'_>) -> &str {
    let first = stages.iter().next().and_then(nested::stage);
    first.map_or("", |stage| stage.name)
}

/// How deep pipelines may stand in the stages of others.
const MOST_NESTED: usize = 20;

/// Refuses stages that the level of the command's read concern has not, and pipelines that nest too deep.
fn check_stages(stages: Array<'_>, level: &str, depth: usize) -> Result<(), CommandError> {
    if depth > MOST_NESTED {
        return Err(CommandError::new(
            Code::MaxSubPipelineDepthExceeded,
            format!("Maximum number of nested sub-pipelines exceeded. Limit is {MOST_NESTED}"),
        ));
    }
    for stage in stages.iter().filter_map(nested::stage) {
        if depth == 0
            && let Ok(row) = table::find(stage.name)
        {
            let only = match row.placement {
                Placement::Last if level == "linearizable" => Some("a readConcern of level"),
                _ if row.only_local && level != "local" => {
                    Some("a readConcern other than 'local':")
                }
                _ => None,
            };
            if let Some(only) = only {
                return Err(CommandError::new(
                    Code::InvalidOptions,
                    format!(
                        "Aggregation stage {} cannot run with {only} {level}",
                        stage.name
                    ),
                ));
            }
        }
        // A facet reads what its pipeline reads, and nests nothing.
        let depth = depth + usize::from(stage.name != "$facet");
        for stages in nested::pipelines(&stage) {
            check_stages(stages, level, depth)?;
        }
    }
    Ok(())
}

/// The beginning of an error that a running pipeline gives; the namespace follows.
const RUNNING: &str = "Executor error during aggregate command on namespace: ";

/// The view that a command reads, unless it only describes it.
fn resolve(
    context: &CommandContext<'_>,
    parsed: &AggregateRequest<'_>,
) -> Result<Option<views::Resolved>, CommandError> {
    let catalog = context.view().catalog;
    let is_series = catalog.measured(&parsed.namespace).is_some();
    match describe::is_of_a_view(parsed.stages, is_series) {
        true => Ok(None),
        false => views::resolve(catalog, &parsed.namespace),
    }
}

/// The collections around a pipeline, to read.
pub(in crate::command) fn collections<'c>(
    context: &'c CommandContext<'_>,
    database: &'c str,
) -> Collections<'c> {
    let catalog = context.view().catalog;
    Collections::new(context.exec_context().exec, catalog, database)
}

/// A pipeline that can be started or shown.
struct PreparedPipeline {
    pipeline: Pipeline,
    /// The namespace that is read, which is not the command's where that names a view.
    source: String,
    /// `None` for a pipeline whose first stage makes its documents.
    read: Option<Prepared>,
    /// The place of a change stream, where the pipeline is one.
    stream: Option<Rc<Stream>>,
}

/// Compiles a pipeline and plans its read. `provide` gives a first stage that describes its documents.
fn prepare_pipeline(
    context: &CommandContext<'_>,
    parsed: &AggregateRequest<'_>,
    explain: bool,
    provide: &mut dyn FnMut(&mut DescribePlan, &str) -> Result<(), CommandError>,
) -> Result<PreparedPipeline, CommandError> {
    let compile = context.compile_for(&parsed.namespace, parsed.let_variables, parsed.collation)?;
    let resolved = resolve(context, parsed)?;
    let fused = pipeline_source::fused(context.view().catalog, &parsed.namespace, parsed.stages)?;
    let given = fused.as_ref().map_or(parsed.stages, |all| all.as_array());
    let joined = resolved.as_ref().map(|view| view.with(given));
    let stages = joined.as_ref().map_or(given, |all| all.as_array());
    let source = resolved.map_or_else(|| parsed.namespace.clone(), |view| view.namespace);
    let mut pipeline = Pipeline::compile(stages, &compile)?;
    let stream = open_stream(context, parsed, &mut pipeline)?;
    needs_collection(parsed, &mut pipeline)?;
    let database = catalog::names::split(&parsed.namespace).0;
    pipeline.prepare(&collections(context, database))?;
    if let Some(stage) = pipeline.describing() {
        provide(stage, &source)?;
    }
    let read = match pipeline.has_own_source() {
        true => None,
        false => Some(prepare_read(
            &mut pipeline,
            context.view().catalog,
            &context.exec_context(),
            &source,
            ReadOptions {
                hint: views::hint_below(
                    context.view().catalog,
                    &parsed.namespace,
                    parsed.hint.clone(),
                )?,
                allow_disk_use: parsed.allow_disk_use,
                explain,
                is_watched: context.watch.is_some(),
            },
            &compile,
        )?),
    };
    Ok(PreparedPipeline {
        pipeline,
        source,
        read,
        stream,
    })
}

/// Opens the change stream that the pipeline begins with, if it does.
fn open_stream(
    context: &CommandContext<'_>,
    parsed: &AggregateRequest<'_>,
    pipeline: &mut Pipeline,
) -> Result<Option<Rc<Stream>>, CommandError> {
    let has_collection = parsed.collection.is_some();
    let stream = pipeline.open_stream(&parsed.namespace, has_collection)?;
    if stream.is_some() && !context.deployment.topology.is_replica_set() {
        return Err(CommandError::location(
            40573,
            "The $changeStream stage is only supported on replica sets",
        ));
    }
    if stream.is_some() {
        context.view().catalog.refuse_view(&parsed.namespace)?;
    }
    Ok(stream)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let parsed = parse(request, false)?;
    let concern = request.document.get("readConcern").as_document();
    let level = concern.and_then(|concern| concern.get("level").as_str());
    check_stages(parsed.stages, level.unwrap_or("local"), 0)?;
    if context.unit.is_within() {
        let view = resolve(context, &parsed)?;
        transaction_stages::check(parsed.explain, parsed.stages, view.as_ref())?;
    }
    if parsed.explain {
        let mut reply = DocumentBuilder::new();
        let shown = append_explain(context, &parsed, Verbosity::QueryPlanner, &mut reply)?;
        let asked = (context.env, request.database);
        explain::append_asked(request.document, asked, shown, &mut reply);
        return Ok(finish_ok(reply));
    }
    let PreparedPipeline {
        mut pipeline,
        read,
        stream,
        ..
    } = prepare_pipeline(
        context,
        &parsed,
        context.explains(),
        &mut |stage, source| {
            describe::provide(stage, context, request, source)
                .map_err(|error| error.within(&format!("{RUNNING}{}", parsed.namespace)))
        },
    )?;
    let shown = context
        .watch
        .as_ref()
        .map(|watch| (watch, pipeline.explained()));
    let writer = pipeline.take_writer();
    let exec = context.exec_context();
    let running = match (shown, read) {
        (Some((watch, stages)), read) => {
            let read = read.map(|read| read.start_watched(&exec));
            watched::start(pipeline, read, stages, watch)
        }
        (None, None) => pipeline.start_without_source(),
        (None, Some(read)) => pipeline_source::start(pipeline, read, &exec),
    };
    if let Some(writer) = writer {
        context.note_bypass(request);
        return pipeline_writes::run(context, request, &parsed.namespace, running, writer);
    }
    let reply = batch::first_batch(
        context,
        Root::Stage(running),
        request,
        CursorOptions {
            namespace: parsed.namespace,
            batch_size: parsed.batch_size,
            single_batch: false,
            kind: match stream {
                None => CursorKind::Plain,
                Some(_) => CursorKind::Tailable { await_data: true },
            },
            stream,
            no_timeout: false,
            running: RUNNING,
        },
    )?;
    Ok(finish_ok(reply))
}

/// Appends how an `aggregate` would be run.
///
/// # Errors
/// Errors of its fields, and of compiling, planning and running.
pub(in crate::command) fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    append_explain(context, &parse(request, true)?, verbosity, reply)
}

/// Appends a pipeline's explain: its collection read alone when that does all the work; else the read as `$cursor` and
/// then each stage that is left.
///
/// # Errors
/// Errors of compiling, planning and running.
fn append_explain(
    context: &CommandContext<'_>,
    parsed: &AggregateRequest<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown, CommandError> {
    let PreparedPipeline {
        pipeline,
        source,
        read,
        ..
    } = prepare_pipeline(context, parsed, true, &mut |stage, source| match verbosity
        > Verbosity::QueryPlanner
    {
        true => {
            let catalog = context.view().catalog;
            let asked = (context.env, context.now_millis);
            describe::provide_of_collection(stage, catalog, source, asked)
        }
        false => Ok(()),
    })?;
    let database = catalog::names::split(&parsed.namespace).0;
    let read = { read.as_ref() }
        .and_then(Prepared::planned)
        .map(Rc::as_ref);
    let explained = read.map(|read| Explained {
        namespace: &source,
        read,
        wrapper: Wrapper::None,
    });
    if let Some(explained) = explained.as_ref().filter(|_| pipeline.is_empty()) {
        explain_plan::append(context, explained, verbosity, reply)?;
        return Ok(Shown::Query);
    }
    let stages = pipeline.explained();
    let ran = match verbosity > Verbosity::QueryPlanner {
        true => Some(Observation::of(context, pipeline, read, &mut |running| {
            drain(context, database, running)
        })?),
        false => None,
    };
    let mut list = ArrayBuilder::new();
    append_stages(
        context,
        explained.as_ref(),
        stages,
        ran.as_ref(),
        verbosity,
        &mut list,
    )?;
    reply.append("explainVersion", "1");
    reply.append("stages", &list.finish());
    Ok(Shown::Pipeline)
}

/// Appends the read as `$cursor`, if there is one, and the stages behind it, with the counts of a run of them.
///
/// # Errors
/// Errors of running other plans of the read.
pub fn append_stages(
    context: &CommandContext<'_>,
    explained: Option<&Explained<'_>>,
    mut stages: Vec<DocumentBuf>,
    ran: Option<&Observation>,
    verbosity: Verbosity,
    list: &mut ArrayBuilder,
) -> Result<(), CommandError> {
    let first = stages
        .first()
        .and_then(|stage| stage.as_document().iter().next());
    // The read and the stage that writes distances into its documents are one stage.
    let is_near = explained.is_some() && first.is_some_and(|first| first.name == geo_near::NAME);
    if let Some(explained) = explained {
        let mut cursor = DocumentBuilder::new();
        cursor.begin_document(match is_near {
            true => "$geoNearCursor",
            false => "$cursor",
        });
        explain_plan::append_planning(explained, &mut cursor);
        if let Some(ran) = ran
            && let Some(stage) = &*ran.finished.borrow()
        {
            let run = Run::of(&**stage, ran.millis);
            explain_plan::append_run(context, explained, &**stage, &run, verbosity, &mut cursor)?;
        }
        cursor.end();
        stages.insert(0, cursor.finish());
    }
    for (position, stage) in stages.iter().enumerate() {
        if is_near && position == 1 {
            continue;
        }
        let mut shown = DocumentBuilder::new();
        shown.append_all(stage.as_document());
        match ran.map(|ran| ran.reports.get(position)) {
            Some(Some(report)) => {
                let below = position.checked_sub(1);
                let below = ran.zip(below).and_then(|(ran, at)| ran.reports.get(at));
                let below = below.map(|report| report.borrow());
                report.borrow().append_to(below.as_deref(), &mut shown);
            }
            // A stage that writes did not run, so it has no report.
            Some(None) => Report::default().append_to(None, &mut shown),
            None => {}
        }
        list.push(&shown.finish());
    }
    Ok(())
}

/// The run of a pipeline for explain.
pub struct Observation {
    pub reports: Vec<SharedReport>,
    /// The stages of the read, once the pipeline has dropped them.
    pub finished: Slot,
    pub millis: i64,
}

impl Observation {
    /// Starts a pipeline and has it run to its end.
    ///
    /// # Errors
    /// Errors of running it.
    pub fn of(
        context: &CommandContext<'_>,
        pipeline: Pipeline,
        read: Option<&PlannedRead>,
        drain: &mut dyn FnMut(Box<dyn Stage>) -> Result<(), CommandError>,
    ) -> Result<Self, CommandError> {
        // The planner's trial runs do not count towards the winner's cost.
        let _ = context.view().pages.take_accounting();
        let start = context.env.monotonic_millis();
        let (running, reports, finished) = match read {
            Some(read) => pipeline_source::start_observed(pipeline, read),
            None => {
                let (running, reports) = pipeline.start_observed(None, false);
                (running, reports, Slot::default())
            }
        };
        drain(running)?;
        Ok(Self {
            reports,
            finished,
            millis: (context.env.monotonic_millis() - start).max(0.0) as i64,
        })
    }
}

/// Runs a pipeline to its end, without the stage that would write.
fn drain(
    context: &CommandContext<'_>,
    database: &str,
    mut running: Box<dyn Stage>,
) -> Result<(), CommandError> {
    let mut collections = collections(context, database);
    collections.notes = Some(Rc::default());
    let exec = collections.exec_context();
    while running.advance(&exec)? {}
    Ok(())
}
