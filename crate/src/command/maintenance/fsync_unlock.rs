//! `fsyncUnlock`: takes a lock off that `fsync` does not give. Manual: reference/command/fsyncUnlock.

use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(_: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    request.params().finish()?;
    Err(CommandError::new(
        Code::IllegalOperation,
        "fsyncUnlock called when not locked",
    ))
}
