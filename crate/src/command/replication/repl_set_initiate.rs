//! `replSetInitiate`: refused, since the replica set of one is there from the start.
//! Manual: reference/command/replSetInitiate.

use super::check_member;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    check_member(context)?;
    Err(CommandError::new(
        Code::AlreadyInitialized,
        "already initialized",
    ))
}
