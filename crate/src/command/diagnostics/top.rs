//! `top`: how often each collection was used, and for how long. Manual: reference/command/top.

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
    reply.begin_document("totals");
    reply.append("note", "all times in microseconds");
    context.view().catalog.latencies.append_totals(&mut reply);
    reply.end();
    Ok(finish_ok(reply))
}
