//! `ping`: answers. Manual: reference/command/ping.

use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    request.params().finish()?;
    Ok(finish_ok(DocumentBuilder::new()))
}
