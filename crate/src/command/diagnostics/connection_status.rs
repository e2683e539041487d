//! `connectionStatus`: nobody signs in, so no user and no role is authenticated.
//! Manual: reference/command/connectionStatus.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let params = request.params();
    let privileges = params.safe_bool("showPrivileges")?.unwrap_or(false);
    params.finish()?;
    let mut reply = DocumentBuilder::new();
    reply.begin_document("authInfo");
    reply.begin_array("authenticatedUsers").end();
    reply.begin_array("authenticatedUserRoles").end();
    if privileges {
        reply.begin_array("authenticatedUserPrivileges").end();
    }
    reply.end();
    Ok(finish_ok(reply))
}
