//! `replSetInitiate`: refused, since the replica set of one is there from the start.
//! Manual: reference/command/replSetInitiate.

use super::member;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.params().finish()?;
    member::check(context)?;
    Err(CommandError::new(
        Code::AlreadyInitialized,
        "already initialized",
    ))
}
