//! `features`: what this build can do, for old drivers. Manual: reference/command/features.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    params.safe_bool("oidReset")?;
    params.finish()?;
    // The machine's part of an ObjectId: three of the five random bytes that today's have.
    let [_, _, _, _, a, b, c, ..] = context.deployment.object_ids.next(context.now_millis);
    let mut reply = DocumentBuilder::new();
    reply.append("oidMachine", i32::from_be_bytes([0, a, b, c]));
    Ok(finish_ok(reply))
}
