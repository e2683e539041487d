//! `quireFork`: runs commands on a fork of the data, which is gone at the end.
//!
//! `{quireFork: 1, commands: [{createIndexes: "herbs", …}, {quireObserve: 1, command: {find: "herbs", …}}]}` gives the
//! replies in order, and stops at the first that fails. Invariants: the fork is a unit that is undone at the end,
//! after an error too; it has collections, cursors and counters of its own, so that plan caches, uses of indexes, open
//! cursors and statistics are as before.

use super::inner;
use crate::bson::{ArrayBuilder, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef};
use crate::command::context::{CommandContext, CommandResult, ServerCounters};
use crate::command::reply::{error_reply, finish_ok};
use crate::command::request::Request;
use crate::command::row::{RunsOn, WriteAccess};
use crate::error::{Code, CommandError};
use crate::query::PartialFilterCompiler;
use crate::state::Fork;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let commands = params.required_array("commands")?;
    params.finish()?;
    let compiler = PartialFilterCompiler { env: context.env };
    let mut own = Fork::of(context.view().pages, &compiler, context.now_millis)?;
    let mut counters = ServerCounters::default();
    let mut replies = ArrayBuilder::new();
    let mut fork = context.fork(&mut own, &mut counters);
    let result = commands
        .iter()
        .try_for_each(|command| run_one(&mut fork, request, command, &mut replies));
    fork.unit.undo()?;
    // Nothing of what the fork did is counted.
    let pages = context.unit.pages_mut();
    let _ = pages.take_accounting();
    pages.accounting().settle_uses(false);
    match result {
        Ok(()) | Err(Ended::AtFailure) => {}
        Err(Ended::Wholly(error)) => return Err(error),
    }
    let mut reply = DocumentBuilder::new();
    reply.append("replies", &replies.finish());
    Ok(finish_ok(reply))
}

/// Why no further command is run.
enum Ended {
    /// One failed, and its reply is there.
    AtFailure,
    /// The fork itself is at its end: time, memory, a page that is missing.
    Wholly(CommandError),
}

fn run_one(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    command: ValueRef<'_>,
    replies: &mut ArrayBuilder,
) -> Result<(), Ended> {
    let Some(command) = command.as_document() else {
        return Err(Ended::Wholly(CommandError::new(
            Code::TypeMismatch,
            "quireFork takes commands, each of them a document",
        )));
    };
    let outer = Request {
        max_time_millis: 0,
        ..*request
    };
    let result = inner::inside(&outer, command).and_then(|incoming| {
        let observed = match incoming.row.access {
            WriteAccess::ByInner => inner::read(&incoming.request)?.row,
            _ => incoming.row,
        };
        if observed.runs_on < RunsOn::Fork {
            return Err(inner::refused(request, observed.name));
        }
        (incoming.row.run)(context, &incoming.request)
    });
    context.unit.cursors_mut().settle(result.is_ok());
    let failure = result.as_ref().err();
    // Where cursors hold what the fork wants it is run again.
    if failure.is_some_and(|error| error.wants_room || error.ends_command()) {
        return result.map(drop).map_err(Ended::Wholly);
    }
    let is_failure = result.is_err();
    replies.push(&result.unwrap_or_else(|error| error_reply(&error)));
    if replies.byte_len() > MAX_DOCUMENT_SIZE {
        return Err(Ended::Wholly(CommandError::new(
            Code::BSONObjectTooLarge,
            "the replies of the fork's commands are longer than a reply may be",
        )));
    }
    match is_failure {
        true => Err(Ended::AtFailure),
        false => Ok(()),
    }
}
