//! `ping`: answers. Manual: reference/command/ping.

use super::context::{CommandContext, CommandResult};
use super::reply::finish_ok;
use super::request::Request;
use crate::bson::DocumentBuilder;

pub(super) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    request.params().finish()?;
    Ok(finish_ok(DocumentBuilder::new()))
}
