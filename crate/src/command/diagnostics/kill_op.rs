//! `killOp`: asks an operation to end. Manual: reference/command/killOp.
//!
//! One operation runs at a time, so the one that is named has ended when this is read; a command that runs is ended by
//! its signal or the page's Stop. As on a server, a number that no operation has is no error.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let params = request.params();
    if params.number("op")?.is_none() {
        params.lack("op");
    }
    params.finish()?;
    let mut reply = DocumentBuilder::new();
    reply.append("info", "attempting to kill op");
    Ok(finish_ok(reply))
}
