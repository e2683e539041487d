//! `listCommands`: every row of the dispatch table; and the help of one, which every command gives that has
//! `help: true`. Manual: reference/command/listCommands, reference/method/db.commandHelp.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::command::table::{self, COMMANDS, WriteAccess};

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    // The server's parser of this command leaves unknown fields alone.
    request.params().finish_open()?;
    let mut reply = DocumentBuilder::new();
    reply.begin_document("commands");
    for row in COMMANDS {
        reply.begin_document(row.name);
        reply.append("help", row.help);
        reply.append("requiresAuth", !row.is_open);
        reply.append("secondaryOk", row.access != WriteAccess::Write);
        reply.append("adminOnly", row.admin_only);
        reply.begin_array("apiVersions");
        if row.stable_api.is_some() {
            reply.push_item(0, "1");
        }
        reply.end();
        reply.begin_array("deprecatedApiVersions").end();
        reply.end();
    }
    reply.end();
    Ok(finish_ok(reply))
}

/// The help of the command that a request names: of its other fields none is looked at.
pub(in crate::command) fn run_help(
    _: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let help = table::find(request.name).map_or("", |row| row.help);
    let mut reply = DocumentBuilder::new();
    reply.append(
        "help",
        format!("help for: {} {help}", request.name).as_str(),
    );
    Ok(finish_ok(reply))
}
