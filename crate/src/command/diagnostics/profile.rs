//! `profile`: which commands on a database the profiler keeps. Manual: reference/command/profile.
//!
//! Level and filter are a database's, `slowms` and `sampleRate` the deployment's. They last as long as the engine, as
//! a server's last until it is restarted.

use super::profiler::{self, Settings};
use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::{names, uuid};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use crate::exec::explain::append_query;
use crate::query::Matcher;
use std::rc::Rc;

/// The level that is asked for; a number that is none asks for the one that there is.
fn level(request: &Request<'_>) -> Option<i32> {
    let number = request.argument().as_number()?.to_i64_saturating();
    (0..=2).contains(&number).then_some(number as i32)
}

/// Whether the collection of the entries may have to be made.
pub(in crate::command) fn writes(request: &Request<'_>) -> bool {
    level(request).is_some_and(|level| level > 0)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    if request.argument().as_number().is_none() {
        return Err(request.wrong_argument("long, int, decimal, double"));
    }
    let slow_millis = params.integer("slowms")?;
    let sample_rate = params.number("sampleRate")?.map(|rate| rate.to_f64());
    let filter = filter(context, &params)?;
    params.finish()?;
    if sample_rate.is_some_and(|rate| !(0.0..=1.0).contains(&rate)) {
        return Err(CommandError::new(
            Code::BadValue,
            "'sampleRate' must be between 0.0 and 1.0 inclusive",
        ));
    }
    if writes(request) {
        make_collection(context, request.database)?;
    }
    let profiler = &mut context.deployment.profiler;
    let before = profiler.settings(request.database);
    let mut reply = DocumentBuilder::new();
    reply.append("was", before.level);
    reply.append("slowms", profiler.slow_millis as i32);
    reply.append("sampleRate", profiler.sample_rate);
    if let Some(filter) = &before.filter {
        append_query("filter", filter, &mut reply);
        reply.append(
            "note",
            "When a filter expression is set, slowms and sampleRate are not used for profiling and slow-query log lines.",
        );
    }
    profiler.slow_millis = slow_millis.unwrap_or(profiler.slow_millis);
    profiler.sample_rate = sample_rate.unwrap_or(profiler.sample_rate);
    if level(request).is_some() || filter.is_some() {
        let settings = Settings {
            level: level(request).unwrap_or(before.level),
            filter: filter.unwrap_or(before.filter),
        };
        profiler.set(request.database, settings);
    }
    Ok(finish_ok(reply))
}

/// The filter that is asked for: an inner `None` takes the one that there is away.
#[expect(
    clippy::option_option,
    reason = "not given, taken away, and given are three"
)]
fn filter(
    context: &CommandContext<'_>,
    params: &Params<'_>,
) -> Result<Option<Option<Rc<Matcher>>>, CommandError> {
    match params.value("filter") {
        ValueRef::Missing => Ok(None),
        ValueRef::Document(filter) => {
            let compile = context.compile_context(None)?;
            let matcher = Matcher::compile_without_scripts(filter, &compile)?;
            Ok(Some(Some(Rc::new(matcher))))
        }
        other if other.as_str() == Some("unset") => Ok(Some(None)),
        _ => Err(CommandError::new(
            Code::BadValue,
            "Expected an object, or the string 'unset'.",
        )),
    }
}

fn make_collection(context: &mut CommandContext<'_>, database: &str) -> Result<(), CommandError> {
    let namespace = format!("{database}.{}", names::PROFILE);
    match context.view().catalog.named(&namespace) {
        Some(known) if known.options.kind.limits().is_some() => Ok(()),
        Some(_) => Err(CommandError::new(
            Code::NamespaceExists,
            format!("{namespace} exists but isn't capped"),
        )),
        None => {
            let uuid = uuid::random(context.env);
            let options = profiler::collection_options()?;
            context.writer().create(&namespace, uuid, options)
        }
    }
}
