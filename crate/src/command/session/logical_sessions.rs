//! `startSession`, `refreshSessions` and `endSessions`: the life of the drivers' sessions. Manual:
//! reference/command/nav-sessions.
//!
//! Invariant: a session that was ended stays listed until the next refresh, as on a server.

use super::sessions::SESSION_MINUTES;
use crate::bson::DocumentBuilder;
use crate::catalog::uuid;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Request, session};
use crate::error::CommandError;
use crate::state::session_id::{SessionId, append_session_id};

pub(in crate::command) fn start(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    // The server's parser of this command leaves unknown fields alone.
    request.params().finish_open()?;
    let id = uuid::random(context.env);
    let now_millis = context.now_millis;
    context.deployment.sessions.note(Some(id), now_millis)?;
    let mut reply = DocumentBuilder::new();
    reply.begin_document("id");
    append_session_id(&mut reply, &id);
    reply
        .end()
        .append_integer("timeoutMinutes", SESSION_MINUTES);
    Ok(finish_ok(reply))
}

/// The ids in the list that is a command's argument. An open command leaves unknown fields alone.
///
/// # Errors
/// Those of a session's id; 14 `TypeMismatch` or 40414 `IDLFailedToParse` where there is no list.
pub(super) fn ids(request: &Request<'_>, is_open: bool) -> Result<Vec<SessionId>, CommandError> {
    let params = request.params();
    let Some(listed) = request.argument().as_array() else {
        return Err(request.wrong_argument("array"));
    };
    match is_open {
        true => params.finish_open()?,
        false => params.finish()?,
    }
    let mut ids: Vec<SessionId> = Vec::new();
    let context = format!("{0}.{0}", request.name);
    // Null items are passed over.
    for given in listed.iter().filter(|item| !item.is_nullish()) {
        ids.push(session::required(given, &context)?);
    }
    Ok(ids)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let now_millis = context.now_millis;
    let sessions = &mut context.deployment.sessions;
    let ids = ids(request, false)?;
    if request.name == "endSessions" {
        let transactions = &mut context.deployment.transactions;
        transactions.abort_of(context.unit.claims_mut(), &|session| ids.contains(session));
    }
    for id in ids {
        match request.name {
            "endSessions" => sessions.end(id, now_millis),
            _ => drop(sessions.note(Some(id), now_millis)?),
        }
    }
    Ok(finish_ok(DocumentBuilder::new()))
}
