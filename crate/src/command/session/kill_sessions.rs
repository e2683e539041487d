//! `killSessions`, `killAllSessions` and `killAllSessionsByPattern`: end what sessions have open. Manual:
//! reference/command/killSessions, killAllSessions, killAllSessionsByPattern.
//!
//! Invariant: there are no users, so every session is that of nobody. A user that is named has none.

use super::logical_sessions::ids;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request, session};
use crate::error::CommandError;
use crate::state::session_id::{NOBODY, SessionId};

/// Ends what those sessions have open.
pub fn kill(context: &mut CommandContext<'_>, is_killed: &dyn Fn(&SessionId) -> bool) {
    context.unit.cursors_mut().kill_of(is_killed);
    let transactions = &mut context.deployment.transactions;
    transactions.abort_of(context.unit.claims_mut(), is_killed);
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let ids = ids(request, true)?;
    // Without a list all cursors go, those of no session too.
    if ids.is_empty() {
        context.unit.cursors_mut().kill_those(&|_| true);
    }
    kill(context, &|session| ids.is_empty() || ids.contains(session));
    Ok(finish_ok(DocumentBuilder::new()))
}

/// Each item, read under the name that the server has for it.
fn items<'a>(
    request: &Request<'a>,
    each: &mut dyn FnMut(Params<'a>) -> Result<(), CommandError>,
) -> Result<usize, CommandError> {
    let params = request.params();
    let listed = request.argument().as_array();
    let listed = listed.ok_or_else(|| request.wrong_argument("array"))?;
    params.finish_open()?;
    let mut count = 0;
    for (position, item) in listed.iter().enumerate() {
        // Null items are passed over.
        if item.is_nullish() {
            continue;
        }
        let place = format!("{}.{position}", request.name);
        let Some(item) = item.as_document() else {
            return Err(Params::new(request.document, request.name, None)
                .wrong_type(&place, item, "object"));
        };
        let context = format!("{}.{}", request.name, request.name);
        each(Params::new(item, context, None))?;
        count += 1;
    }
    Ok(count)
}

pub(in crate::command) fn run_all(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let mut has_nobody = false;
    let count = items(request, &mut |user| {
        let (name, database) = (user.required_string("user")?, user.required_string("db")?);
        has_nobody |= name.is_empty() && database.is_empty();
        user.finish()
    })?;
    if count == 0 || has_nobody {
        kill(context, &|_| true);
    }
    Ok(finish_ok(DocumentBuilder::new()))
}

pub(in crate::command) fn run_by_pattern(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let mut all = false;
    let mut ids: Vec<SessionId> = Vec::new();
    let name = format!("{0}.{0}.lsid", request.name);
    let count = items(request, &mut |pattern| {
        let given = pattern.value("lsid");
        let uid = pattern.value("uid");
        let users = pattern.documents("users")?;
        let roles = pattern.documents("roles")?;
        if !given.is_nullish() {
            ids.push(session::required(given, &name)?);
        }
        match uid {
            ValueRef::Missing | ValueRef::Null => {}
            ValueRef::Binary { bytes, .. } => all |= given.is_nullish() && *bytes == NOBODY,
            other => return Err(pattern.wrong_type("uid", other, "binData")),
        }
        let is_empty = given.is_nullish() && uid.is_nullish();
        all |= is_empty && users.is_none() && roles.is_none();
        pattern.finish()
    })?;
    kill(context, &|session| {
        all || count == 0 || ids.contains(session)
    });
    Ok(finish_ok(DocumentBuilder::new()))
}
