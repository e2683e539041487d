//! `quireAt`: runs a command that reads on the state of a moment.
//!
//! `{quireAt: <number or name>, command: {find: "herbs", filter: {…}}, $db: "garden"}`: the reply is that of the
//! command. A cursor that it opens goes on with the ordinary `getMore`, over the moment's documents. Invariant: while
//! the command runs, the deployment has the moment's catalog, and afterwards its own again.

use super::kept;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::{Incoming, Request};
use crate::command::row::{RunsOn, shorter_limit};
use crate::error::{Code, CommandError};

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
    let mut inner = DocumentBuilder::new();
    for field in command.iter().filter(|field| field.name != "$db") {
        inner.append(field.name, field.value);
    }
    inner.append("$db", request.database);
    let inner = inner.finish();
    let incoming = Incoming::read(inner.as_document(), request.nesting)?;
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
    let kept = kept::find(&mut context.deployment.pager, request.argument())?;
    let mut past = kept::catalog_of(context, &kept.moment)?;
    past.set_now(context.now_millis);
    past.begin_use_counts(context.now_millis);
    let opened = context.deployment.cursors.turns();
    std::mem::swap(&mut context.deployment.catalog, &mut past);
    let result = (incoming.row.run)(context, &incoming.request);
    std::mem::swap(&mut context.deployment.catalog, &mut past);
    context.deployment.cursors.keep_moment(opened, past);
    result
}
