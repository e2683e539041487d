//! `dropUser`: removes a user. Manual: reference/command/dropUser.

use super::store::USERS;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let name = USERS.name(&params, request.argument(), request.name)?;
    params.finish()?;
    let user = USERS.required(context, request.database, name)?;
    USERS.remove(context, user.as_document())?;
    Ok(finish_ok(DocumentBuilder::new()))
}
