//! `quireAt`: runs a command that reads on the state of a moment.
//!
//! `{quireAt: <number or name>, command: {find: "herbs", filter: {…}}, $db: "garden"}`: the reply is that of the
//! command. A cursor that it opens goes on with the ordinary `getMore`, over the moment's documents. Invariant: the
//! command and the cursors that it opens have the moment for their view, and nothing of the present.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::watched::Observed;
use crate::command::request::{Incoming, Request};
use crate::command::row::{RunsOn, shorter_limit};
use crate::error::{Code, CommandError};
use crate::state::kept;

/// How long the command inside may take, as it says itself, and not longer than this one.
pub(in crate::command) fn limit_millis(request: &Request<'_>) -> i64 {
    let command = request.document.get("command").as_document();
    let given = command.map(|command| command.get("maxTimeMS").as_exact_i64());
    shorter_limit(request.max_time_millis, given.flatten().unwrap_or(0))
}

fn refused(reason: String) -> CommandError {
    CommandError::new(Code::IllegalOperation, reason)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let command = params.required_document("command")?;
    params.finish()?;
    let incoming = Incoming::inside(command, request)?;
    let name = incoming.row.name;
    if incoming.row.runs_on < RunsOn::Moment {
        return Err(refused(format!("quireAt cannot run '{name}' on a moment")));
    }
    if incoming.row.writes(&incoming.request) {
        return Err(refused(format!(
            "quireAt only reads, and this '{name}' would write"
        )));
    }
    if command.get("tailable").is_truthy() {
        return Err(refused(
            "quireAt has no tailable cursors: nothing is added to a moment".to_owned(),
        ));
    }
    let pages = context.unit.pages_mut();
    let kept = kept::find(pages, request.argument())?;
    let moment = kept.view(pages, context.env, context.now_millis)?;
    (incoming.row.run)(&mut context.on(&moment), &incoming.request)
}

/// Tells of an observed run what the command inside tells of its own.
pub(in crate::command) fn observe(
    observed: &Observed<'_>,
    context: &CommandContext<'_>,
    request: &Request<'_>,
    plans: &mut DocumentBuilder,
) -> Result<(), CommandError> {
    let command = request.params().required_document("command")?;
    let incoming = Incoming::inside(command, request)?;
    observed.tell(context, (incoming.row, &incoming.request), plans)
}
