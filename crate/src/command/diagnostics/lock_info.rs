//! `lockInfo`: the locks that are held: none, as one thread serves one client. Manual: reference/command/lockInfo.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let params = request.params();
    params.safe_bool("includeStorageEngineDump")?;
    params.finish()?;
    let mut reply = DocumentBuilder::new();
    reply.begin_array("lockInfo").end();
    Ok(finish_ok(reply))
}
