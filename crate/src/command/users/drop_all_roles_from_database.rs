//! `dropAllRolesFromDatabase`: removes the roles of a database. Manual: reference/command/dropAllRolesFromDatabase.

use super::store::ROLES;
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
    reply.append("n", ROLES.remove_all(context, request.database)?);
    Ok(finish_ok(reply))
}
