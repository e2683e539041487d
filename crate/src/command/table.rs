//! The dispatch table: every command, sorted by name.
//!
//! Invariant: sorted, so that look-up is a binary search; a command not in it answers 59
//! `CommandNotFound`. COMPAT.md lists the same names.

use super::context::{CommandContext, CommandResult};
use super::request::Request;

/// What a command does to the deployment, which decides what the engine prepares for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only: no savepoint, nothing to commit.
    Read,
    /// May change pages or the catalog: runs under a savepoint.
    Write,
    /// Writes when its pipeline ends with a stage that does.
    ByPipeline,
    /// Writes when it is to repair.
    ByRepair,
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

impl CommandRow {
    /// The name that the manual calls the command by.
    pub fn canonical_name(&self) -> &'static str {
        match self.name {
            "findandmodify" => "findAndModify",
            "deleteIndexes" => "dropIndexes",
            name => name,
        }
    }

    /// Whether the command may be given a write concern.
    pub fn has_write_concern(&self) -> bool {
        !matches!(self.access, Access::Read | Access::ByRepair)
    }

    /// Whether this request may change pages or the catalog.
    pub fn writes(&self, request: &Request<'_>) -> bool {
        match self.access {
            Access::Read => false,
            Access::Write => true,
            Access::ByPipeline => super::pipeline_writes::writes(request),
            Access::ByRepair => super::validate::writes(request),
        }
    }
}

/// A row of a command that only reads.
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

const fn write(
    name: &'static str,
    run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    help: &'static str,
) -> CommandRow {
    CommandRow {
        access: Access::Write,
        ..read(name, run, help)
    }
}

const fn by_pipeline(
    name: &'static str,
    run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    help: &'static str,
) -> CommandRow {
    CommandRow {
        access: Access::ByPipeline,
        ..read(name, run, help)
    }
}

const fn admin_read(
    name: &'static str,
    run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    help: &'static str,
) -> CommandRow {
    CommandRow {
        admin_only: true,
        ..read(name, run, help)
    }
}

const fn admin_write(
    name: &'static str,
    run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    help: &'static str,
) -> CommandRow {
    CommandRow {
        admin_only: true,
        ..write(name, run, help)
    }
}

/// Every command, sorted by name (capitals before small letters).
#[rustfmt::skip]
pub const COMMANDS: &[CommandRow] = &[
    by_pipeline("aggregate", super::aggregate::run, "a pipeline over a collection"),
    read("buildInfo", super::build_info::run, "the version"),
    read("buildinfo", super::build_info::run, "the version"),
    admin_write("bulkWrite", super::bulk_write::run, "writes in several collections"),
    write("cloneCollectionAsCapped", super::clone_collection_as_capped::run, "copies a collection into a capped one"),
    write("collMod", super::coll_mod::run, "changes options of a collection or index"),
    read("collStats", super::coll_stats::run, "counts and sizes of a collection"),
    write("compact", super::compact::run, "gives unused room back"),
    read("connectionStatus", super::connection_status::run, "who is connected"),
    write("convertToCapped", super::convert_to_capped::run, "makes a collection capped"),
    read("count", super::count::run, "how many documents match"),
    write("create", super::create::run, "makes a collection"),
    write("createIndexes", super::create_indexes::run, "builds indexes"),
    admin_read("currentOp", super::current_op::run, "the operations in progress"),
    read("dataSize", super::data_size::run, "the bytes of a collection's documents"),
    read("datasize", super::data_size::run, "the bytes of a collection's documents"),
    read("dbStats", super::db_stats::run, "counts and sizes of a database"),
    read("dbstats", super::db_stats::run, "counts and sizes of a database"),
    write("delete", super::delete::run, "removes documents"),
    write("deleteIndexes", super::drop_indexes::run, "removes indexes"),
    read("distinct", super::distinct::run, "the different values of a field"),
    write("drop", super::drop::run, "removes a collection"),
    write("dropDatabase", super::drop_database::run, "removes a database"),
    write("dropIndexes", super::drop_indexes::run, "removes indexes"),
    read("endSessions", super::logical_sessions::run, "ends sessions"),
    read("explain", super::explain::run, "how a command would be run"),
    read("find", super::find::run, "the documents that match"),
    write("findAndModify", super::find_and_modify::run, "changes one document and gives it"),
    write("findandmodify", super::find_and_modify::run, "changes one document and gives it"),
    read("getMore", super::get_more::run, "the next batch of a cursor"),
    read("hello", super::hello::run, "what the server is and its limits"),
    write("insert", super::insert::run, "adds documents"),
    read("isMaster", super::hello::run_legacy, "what the server is and its limits"),
    read("ismaster", super::hello::run_legacy, "what the server is and its limits"),
    read("killCursors", super::kill_cursors::run, "closes cursors"),
    read("killSessions", super::logical_sessions::run, "closes the cursors of sessions"),
    read("listCollections", super::list_collections::run, "the collections of a database"),
    read("listCommands", super::list_commands::run, "the commands of this table"),
    admin_read("listDatabases", super::list_databases::run, "the databases of the deployment"),
    read("listIndexes", super::list_indexes::run, "the indexes of a collection"),
    by_pipeline("mapReduce", super::map_reduce::run, "script functions over a collection"),
    read("ping", super::ping::run, "answers"),
    read("planCacheClear", super::plan_cache_clear::run, "forgets cached plans"),
    read("planCacheClearFilters", super::plan_cache_clear_filters::run, "removes index filters"),
    read("planCacheListFilters", super::plan_cache_list_filters::run, "the index filters of a collection"),
    read("planCacheSetFilter", super::plan_cache_set_filter::run, "sets an index filter"),
    read("quireClock", super::quire_clock::run, "reads and moves the virtual clock"),
    admin_read("quireSalvage", super::quire_salvage::run, "what was lost of a damaged deployment"),
    read("refreshSessions", super::logical_sessions::run, "renews sessions"),
    admin_write("renameCollection", super::rename_collection::run, "gives a collection another name"),
    read("serverStatus", super::server_status::run, "counters and state of the engine"),
    read("startSession", super::logical_sessions::start, "starts a session"),
    write("update", super::update::run, "changes documents"),
    CommandRow {
        access: Access::ByRepair,
        ..read("validate", super::validate::run, "checks a collection, and repairs it")
    },
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
