//! `quireRun`: commands that belong together, as those of a script do.
//!
//! `{quireRun: "begin", what: <string>}`: the engine keeps the state before the first command that writes as a moment,
//! described by `what` where it is not kept already. `{quireRun: "end", what: <string>, limitPages: <number>}` keeps
//! the state behind the run as `quireMoment` does, made on that moment. Its reply has `begun: false` for a run that
//! did not write. Else it has `from`, `number` and `changes` of the moment, where the data is not that of the
//! beginning, and `unkept` in the place of `from` where the beginning could not be kept or its moment was dropped
//! meanwhile. Invariant: what only reads makes no moment.

use super::quire_moment::{LIMIT_PAGES, append_changes, description};
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::state::{self, Run, Wish};

/// Whether a request ends a run.
pub(in crate::command) fn ends(request: &Request<'_>) -> bool {
    request.argument.as_str() == Some("end")
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let what = description(&params)?;
    match request.argument().as_str() {
        Some("begin") => {
            params.finish()?;
            context.deployment.run = Some(Run::new(what.unwrap_or_default()));
            Ok(finish_ok(DocumentBuilder::new()))
        }
        Some("end") => {
            let limit = params.non_negative("limitPages")?;
            params.finish()?;
            let limit_pages = limit.map_or(LIMIT_PAGES, |limit| limit as u64);
            end(context, what, limit_pages)
        }
        _ => Err(CommandError::new(
            Code::BadValue,
            "quireRun takes \"begin\" or \"end\"",
        )),
    }
}

fn end(context: &mut CommandContext<'_>, what: Option<&str>, limit_pages: u64) -> CommandResult {
    let mut reply = DocumentBuilder::new();
    let run = context.deployment.run.as_ref();
    let run = run.filter(|run| run.is_begun());
    reply.append("begun", run.is_some());
    if let Some(run) = run {
        let wish = Wish {
            name: None,
            what,
            from: run.from(),
            limit_pages,
        };
        let made = state::keep(&mut context.unit, context.env, context.now_millis, &wish)?;
        if let Some(from) = made.from {
            reply.append_integer("from", from as i64);
        }
        if Some(made.number) != run.from() {
            reply.append_integer("number", made.number as i64);
            if let Some(changes) = &made.changes {
                append_changes(&mut reply, changes);
            }
            if let Some(reason) = run.unkept(made.from) {
                reply.append("unkept", reason);
            }
        }
    }
    context.deployment.run = None;
    Ok(finish_ok(reply))
}
