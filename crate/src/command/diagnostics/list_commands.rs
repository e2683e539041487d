//! `listCommands`: every row of the dispatch table. Manual: reference/command/listCommands.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::table::{COMMANDS, WriteAccess};

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    request.params().finish()?;
    let mut reply = DocumentBuilder::new();
    reply.begin_document("commands");
    for row in COMMANDS {
        reply.begin_document(row.name);
        reply.append("help", row.help);
        reply.append("requiresAuth", false);
        reply.append("secondaryOk", row.access != WriteAccess::Write);
        reply.append("adminOnly", row.admin_only);
        reply.end();
    }
    reply.end();
    Ok(finish_ok(reply))
}
