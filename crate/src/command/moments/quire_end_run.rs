//! `quireEndRun`: the commands of a run are done.
//!
//! `{quireEndRun: 1, what: <string>, limitPages: <number>}` keeps the state as a moment as `quireMoment` does, made on the
//! moment of the run's beginning. The reply has `begun: false` for a run that did not write. Else it has `number` and
//! `changes` of the moment, unless the data is that of the beginning, and `unkept` where the beginning could not be kept.

use super::quire_moment::{LIMIT_PAGES, append_changes, description};
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::state::{self, Wish};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let what = description(&params)?;
    let limit = params.non_negative("limitPages")?;
    params.finish()?;
    let mut reply = DocumentBuilder::new();
    let run = context.deployment.run.as_ref();
    let Some(run) = run.filter(|run| run.is_begun()) else {
        context.deployment.run = None;
        reply.append("begun", false);
        return Ok(finish_ok(reply));
    };
    let wish = Wish {
        name: None,
        what,
        from: run.from(),
        limit_pages: limit.map_or(LIMIT_PAGES, |limit| limit as u64),
    };
    let made = state::keep(&mut context.unit, context.env, context.now_millis, &wish)?;
    reply.append("begun", true);
    if Some(made.number) != run.from() {
        reply.append_integer("number", made.number as i64);
        if let Some(changes) = &made.changes {
            append_changes(&mut reply, changes);
        }
        if let Some(reason) = run.unkept() {
            reply.append("unkept", reason);
        }
    }
    context.deployment.run = None;
    Ok(finish_ok(reply))
}
