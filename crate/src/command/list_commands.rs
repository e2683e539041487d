//! `listCommands`: every row of the dispatch table. Manual: reference/command/listCommands.

use super::context::{CommandContext, CommandResult};
use super::reply::finish_ok;
use super::request::Request;
use super::table::{Access, COMMANDS};
use crate::bson::DocumentBuilder;

pub(super) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    request.params().finish()?;
    let mut reply = DocumentBuilder::new();
    reply.begin_document("commands");
    for row in COMMANDS {
        reply.begin_document(row.name);
        reply.append("help", row.help);
        reply.append("requiresAuth", false);
        reply.append("secondaryOk", row.access != Access::Write);
        reply.append("adminOnly", row.admin_only);
        reply.end();
    }
    reply.end();
    Ok(finish_ok(reply))
}
