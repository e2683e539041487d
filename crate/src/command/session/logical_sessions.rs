//! `startSession`, `refreshSessions`, `endSessions` and `killSessions`: the life of the drivers' sessions. Manual:
//! reference/command/nav-sessions.
//!
//! Invariant: a session that was ended stays listed until the next refresh, as on a server.

use super::sessions::{SESSION_MINUTES, SessionId, append_session_id, id_of};
use crate::bson::DocumentBuilder;
use crate::catalog::uuid;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::CommandError;

pub(in crate::command) fn start(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    let id = uuid::random(context.env);
    let now_millis = context.now_millis;
    context.deployment.sessions.note(Some(id), now_millis);
    let mut reply = DocumentBuilder::new();
    reply.begin_document("id");
    append_session_id(&mut reply, &id);
    reply
        .end()
        .append_integer("timeoutMinutes", SESSION_MINUTES);
    Ok(finish_ok(reply))
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let Some(listed) = request.argument().as_array() else {
        return Err(params.wrong_type(request.name, request.argument(), "array"));
    };
    params.finish()?;
    let mut ids: Vec<SessionId> = Vec::new();
    for session in listed.iter() {
        let id = id_of(session);
        ids.push(id.ok_or_else(|| {
            let name = request.name;
            CommandError::location(
                40414,
                format!("BSON field '{name}.{name}.id' is missing but a required field"),
            )
        })?);
    }
    let now_millis = context.now_millis;
    let sessions = &mut context.deployment.sessions;
    match request.name {
        "killSessions" => {
            let is_killed = |session| {
                ids.is_empty() || id_of(session).is_some_and(|session| ids.contains(&session))
            };
            let cursors = context.unit.cursors().iter();
            let killed: Vec<i64> = cursors
                .filter(|(_, cursor)| is_killed(cursor.origin.as_document().get("lsid")))
                .map(|(id, _)| id)
                .collect();
            for id in killed {
                context.unit.cursors_mut().kill(id);
            }
            let is_killed = |session: &SessionId| ids.is_empty() || ids.contains(session);
            let transactions = &mut context.deployment.transactions;
            transactions.abort_of(context.unit.claims_mut(), &is_killed);
        }
        "endSessions" => {
            let transactions = &mut context.deployment.transactions;
            transactions.abort_of(context.unit.claims_mut(), &|session| ids.contains(session));
            for id in ids {
                sessions.end(id);
            }
        }
        _ => {
            for id in ids {
                sessions.note(Some(id), now_millis);
            }
        }
    }
    Ok(finish_ok(DocumentBuilder::new()))
}
