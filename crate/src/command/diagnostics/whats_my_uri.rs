//! `whatsmyuri`: the address of the client. Manual: reference/command/whatsmyuri.

use super::profiler::CLIENT;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    // The server's parser of this command leaves unknown fields alone.
    request.params().finish_open()?;
    let mut reply = DocumentBuilder::new();
    reply.append("you", format!("{CLIENT}:1").as_str());
    Ok(finish_ok(reply))
}
