//! The dispatch table: every command, sorted by name.
//!
//! Invariant: sorted, so that look-up is a binary search; a command not in it answers 59
//! `CommandNotFound`. COMPAT.md lists the same names.

use super::context::{CommandContext, CommandResult};
use super::params::Request;

/// What a command does to the deployment, which decides what the engine prepares for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only: no savepoint, nothing to commit.
    Read,
    /// May change pages or the catalog: runs under a savepoint.
    Write,
}

/// One row of the table.
pub struct CommandRow {
    pub name: &'static str,
    pub access: Access,
    /// Only the `admin` database accepts it.
    pub admin_only: bool,
    pub run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    /// One line for `listCommands`.
    pub help: &'static str,
}

const fn read(
    name: &'static str,
    run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    help: &'static str,
) -> CommandRow {
    CommandRow {
        name,
        access: Access::Read,
        admin_only: false,
        run,
        help,
    }
}

/// Every command, sorted by name (capitals before small letters).
pub const COMMANDS: &[CommandRow] = &[
    read(
        "buildInfo",
        super::build_info::run,
        "the version this build is compatible with",
    ),
    read(
        "buildinfo",
        super::build_info::run,
        "an older spelling of buildInfo",
    ),
    read(
        "connectionStatus",
        super::connection_status::run,
        "who is connected (no one signs in)",
    ),
    read(
        "hello",
        super::hello::run,
        "what the server is and its limits",
    ),
    read(
        "isMaster",
        super::hello::run_legacy,
        "the older form of hello",
    ),
    read(
        "ismaster",
        super::hello::run_legacy,
        "the older form of hello",
    ),
    read(
        "listCommands",
        super::list_commands::run,
        "the commands of this table",
    ),
    read("ping", super::ping::run, "answers"),
    read(
        "quireClock",
        super::quire_clock::run,
        "reads and moves the virtual clock",
    ),
    read(
        "serverStatus",
        super::server_status::run,
        "counters and state of the engine",
    ),
];

/// Finds a command.
pub fn find(name: &str) -> Option<&'static CommandRow> {
    COMMANDS
        .binary_search_by(|row| row.name.cmp(name))
        .ok()
        .and_then(|position| COMMANDS.get(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_sorted_without_repeats() {
        assert!(COMMANDS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
