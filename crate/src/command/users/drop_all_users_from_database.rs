//! `dropAllUsersFromDatabase`: removes the users of a database. Manual: reference/command/dropAllUsersFromDatabase.

use super::store::USERS;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    let mut reply = DocumentBuilder::new();
    reply.append("n", USERS.remove_all(context, request.database)?);
    Ok(finish_ok(reply))
}
