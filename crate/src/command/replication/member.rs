//! Whether there is a replica set to ask about.

use crate::command::context::CommandContext;
use crate::error::{Code, CommandError};

/// Refuses a command of a replica set's members on a standalone.
///
/// # Errors
/// 76 `NoReplicationEnabled`.
pub(super) fn check(context: &CommandContext<'_>) -> Result<(), CommandError> {
    match context.deployment.topology.is_replica_set() {
        true => Ok(()),
        false => Err(CommandError::new(
            Code::NoReplicationEnabled,
            "not running with --replSet",
        )),
    }
}
