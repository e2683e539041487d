//! Commands about the replica set, whose only member this is.

pub(in crate::command) mod repl_set_get_config;
pub(in crate::command) mod repl_set_get_status;
pub(in crate::command) mod repl_set_initiate;

use super::context::CommandContext;
use crate::error::{Code, CommandError};

/// Refuses a command of a replica set's members on a standalone.
///
/// # Errors
/// 76 `NoReplicationEnabled`.
fn check_member(context: &CommandContext<'_>) -> Result<(), CommandError> {
    match context.deployment.topology.is_replica_set() {
        true => Ok(()),
        false => Err(CommandError::new(
            Code::NoReplicationEnabled,
            "not running with --replSet",
        )),
    }
}
