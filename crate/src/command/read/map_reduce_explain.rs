//! `explain` of `mapReduce`: the pipeline that a server makes of the command, with the counts of a run.
//!
//! Manual: reference/command/explain, reference/command/mapReduce. Invariants: nothing is written. As on a server, the
//! functions are called at every verbosity, so an error that they throw is explain's error too.

use super::aggregate::{Observation, append_stages, collections};
use super::explain::Shown;
use super::explain_plan::{Explained, Wrapper};
use super::map_reduce::{self, Counts, Parsed, WITHIN};
use super::pipeline_source::{ReadOptions, prepare_read};
use crate::aggregate::Pipeline;
use crate::bson::{ArrayBuilder, DocumentBuf, DocumentBuilder};
use crate::command::context::CommandContext;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::exec::explain::Verbosity;
use crate::exec::memory::append_no_spills;
use crate::expr::CompileContext;

type Result<T> = std::result::Result<T, CommandError>;

/// Appends how a `mapReduce` would be run: `explainVersion` and `stages`.
///
/// # Errors
/// Errors of the command itself, but for its writing.
pub(in crate::command) fn explain(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    verbosity: Verbosity,
    reply: &mut DocumentBuilder,
) -> Result<Shown> {
    let parsed = map_reduce::parse(context, request)?;
    let compile = parsed.compile(context)?;
    let stages = stages(context, request, &parsed, &compile, verbosity)
        .map_err(|error| error.within(WITHIN))?;
    reply.append("explainVersion", "1");
    reply.append("stages", &stages.finish());
    Ok(Shown::Pipeline)
}

fn stages(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    parsed: &Parsed<'_>,
    compile: &CompileContext<'_>,
    verbosity: Verbosity,
) -> Result<ArrayBuilder> {
    let mut pipeline = Pipeline::compile(parsed.stages.as_array(), compile)?;
    pipeline.prepare(&collections(context, request.database))?;
    let read = prepare_read(
        &mut pipeline,
        context.view().catalog,
        &context.exec_context(),
        &parsed.namespace,
        ReadOptions {
            explain: true,
            ..ReadOptions::default()
        },
        compile,
    )?;
    let read = read
        .planned()
        .ok_or_else(|| CommandError::new(Code::InternalError, "what is explained has a plan"))?;
    let stages = pipeline.explained();
    let mut counts = Counts::default();
    let ran = Observation::of(context, pipeline, Some(read), &mut |running| {
        let collections = collections(context, request.database);
        let (exec, collation) = (collections.exec_context(), &compile.collation);
        (_, counts) = map_reduce::results(context, parsed, running, &exec, collation)?;
        Ok(())
    })?;
    let with_counts = verbosity > Verbosity::QueryPlanner;
    let explained = Explained {
        namespace: &parsed.namespace,
        read,
        wrapper: Wrapper::None,
    };
    let mut list = ArrayBuilder::new();
    let ran = with_counts.then_some(&ran);
    append_stages(context, Some(&explained), stages, ran, verbosity, &mut list)?;
    let counts = with_counts.then_some(&counts);
    append_own(request, parsed, compile, counts, &mut list)?;
    Ok(list)
}

/// Appends the stages that a server translates the functions and `out` into.
fn append_own(
    request: &Request<'_>,
    parsed: &Parsed<'_>,
    compile: &CompileContext<'_>,
    counts: Option<&Counts>,
    list: &mut ArrayBuilder,
) -> Result<()> {
    let mut push = |mut stage: DocumentBuilder, returned: u64, millis: f64| {
        if counts.is_some() {
            stage
                .append("nReturned", returned as i64)
                .append("executionTimeMillisEstimate", millis as i64);
        }
        list.push(&stage.finish());
    };
    let none = Counts::default();
    let came = counts.unwrap_or(&none);
    push(mapping(parsed), came.mapped, came.mapping_millis);
    let mut unwind = DocumentBuilder::new();
    unwind.begin_document("$unwind");
    unwind.append("path", "$emits").end();
    push(unwind, came.emitted, came.mapping_millis);
    push(reducing(parsed, counts), came.groups, came.reducing_millis);
    if let Some(finalize) = parsed.finalize {
        push(finalizing(finalize), came.groups, came.millis);
    }
    if let Some(target) = &parsed.target {
        let stage = map_reduce::writing_stage(parsed, target, request.database, true);
        let shown = worded(&stage, compile)?;
        push(shown, 0, came.millis);
    }
    Ok(())
}

fn mapping(parsed: &Parsed<'_>) -> DocumentBuilder {
    let mut stage = DocumentBuilder::new();
    stage.begin_document("$project").begin_document("emits");
    stage.begin_document("$_internalJsEmit");
    stage.append("eval", parsed.map).append("this", "$$ROOT");
    stage.end().end();
    stage.append("_id", false).end();
    stage
}

fn reducing(parsed: &Parsed<'_>, counts: Option<&Counts>) -> DocumentBuilder {
    let mut stage = DocumentBuilder::new();
    stage.begin_document("$group").append("_id", "$emits.k");
    stage.begin_document("value");
    stage.begin_document("$_internalJsReduce");
    stage.append("data", "$emits").append("eval", parsed.reduce);
    stage.end().end().end();
    if let Some(counts) = counts {
        stage.begin_document("maxAccumulatorMemoryUsageBytes");
        stage.append("value", counts.bytes_held as i64).end();
        stage.append("totalOutputDataSizeBytes", counts.bytes_given as i64);
        append_no_spills(&mut stage);
        stage
            .append("numBytesSpilledEstimate", 0_i64)
            .append("spilledRecords", 0_i64);
    }
    stage
}

fn finalizing(finalize: &str) -> DocumentBuilder {
    let mut stage = DocumentBuilder::new();
    stage.begin_document("$project").append("_id", true);
    stage.begin_document("value").begin_document("$function");
    stage.append("body", finalize);
    stage.begin_array("args");
    stage.append("0", "$_id").append("1", "$value").end();
    stage.append("lang", "js").end().end().end();
    stage
}

/// A stage as explain words it.
fn worded(stage: &DocumentBuf, compile: &CompileContext<'_>) -> Result<DocumentBuilder> {
    let mut stages = ArrayBuilder::new();
    stages.push(stage);
    let pipeline = Pipeline::compile(stages.finish().as_array(), compile)?;
    let mut shown = DocumentBuilder::new();
    for stage in pipeline.explained() {
        shown.append_all(stage.as_document());
    }
    Ok(shown)
}
