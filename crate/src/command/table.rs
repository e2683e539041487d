//! The dispatch table: every command, sorted by name.
//!
//! Invariant: sorted, so that look-up is a binary search; a command not in it answers 59
//! `CommandNotFound`. COMPAT.md lists the same names.

use crate::command::context::{CommandContext, CommandResult};
use crate::command::request::Request;

/// Whether a command writes: the engine decides by it whether to open a savepoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteAccess {
    /// Reads only: no savepoint, nothing to commit.
    Read,
    /// May change pages or the catalog: runs under a savepoint.
    Write,
    /// As `Write`. Before it, the changes of earlier commands are written into the catalog's tree and the moments'
    /// lists.
    WriteMoments,
    /// As `WriteMoments`, and changes data.
    Restore,
    /// Writes when its pipeline ends with a stage that does.
    ByPipeline,
    /// Writes when it is to repair.
    ByRepair,
    /// Writes when the command does that it runs.
    ByInner,
    /// All its writes are undone at its end.
    Fork,
    /// As `WriteMoments`, where it ends a run that has written.
    ByRun,
}

/// One row of the table.
pub struct CommandRow {
    pub name: &'static str,
    pub access: WriteAccess,
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
        !matches!(
            self.access,
            WriteAccess::Read | WriteAccess::ByRepair | WriteAccess::Fork
        )
    }

    /// Whether the changes of earlier commands are to be in the catalog's tree and the moments' lists before it.
    pub fn wants_settled(&self) -> bool {
        matches!(
            self.access,
            WriteAccess::WriteMoments
                | WriteAccess::Restore
                | WriteAccess::ByRun
                | WriteAccess::Fork
        )
    }

    /// Whether it may change documents, indexes or collections where it writes, and not only moments.
    pub fn changes_data(&self) -> bool {
        !matches!(
            self.access,
            WriteAccess::WriteMoments | WriteAccess::ByRun | WriteAccess::Fork
        )
    }

    /// Whether this request may change pages or the catalog.
    pub fn writes(&self, request: &Request<'_>) -> bool {
        match self.access {
            WriteAccess::Read | WriteAccess::Fork => false,
            WriteAccess::ByInner => crate::command::xray::inner::writes(request),
            WriteAccess::Write | WriteAccess::WriteMoments | WriteAccess::Restore => true,
            WriteAccess::ByRun => crate::command::moments::quire_run::ends(request),
            WriteAccess::ByPipeline => crate::command::read::pipeline_writes::writes(request),
            WriteAccess::ByRepair => crate::command::maintenance::validate::writes(request),
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
        access: WriteAccess::Read,
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
        access: WriteAccess::Write,
        ..read(name, run, help)
    }
}

const fn write_moments(
    name: &'static str,
    run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    help: &'static str,
) -> CommandRow {
    CommandRow {
        access: WriteAccess::WriteMoments,
        ..read(name, run, help)
    }
}

const fn by_pipeline(
    name: &'static str,
    run: fn(&mut CommandContext<'_>, &Request<'_>) -> CommandResult,
    help: &'static str,
) -> CommandRow {
    CommandRow {
        access: WriteAccess::ByPipeline,
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

/// Takes the place of any command that is asked for its help (`{find: 1, help: true}`).
pub static HELP: CommandRow = read(
    "help",
    crate::command::diagnostics::list_commands::run_help,
    "the line of another command",
);

/// Every command, sorted by name (capitals before small letters).
#[rustfmt::skip]
pub const COMMANDS: &[CommandRow] = &[
    by_pipeline("aggregate", crate::command::read::aggregate::run, "a pipeline over a collection"),
    read("buildInfo", crate::command::diagnostics::build_info::run, "the version"),
    read("buildinfo", crate::command::diagnostics::build_info::run, "the version"),
    admin_write("bulkWrite", crate::command::write::bulk_write::run, "writes in several collections"),
    write("cloneCollectionAsCapped", crate::command::collections::clone_collection_as_capped::run, "copies a collection into a capped one"),
    write("collMod", crate::command::collections::coll_mod::run, "changes options of a collection or index"),
    read("collStats", crate::command::diagnostics::coll_stats::run, "counts and sizes of a collection"),
    read("collstats", crate::command::diagnostics::coll_stats::run, "counts and sizes of a collection"),
    write("compact", crate::command::maintenance::compact::run, "gives unused room back"),
    read("connectionStatus", crate::command::diagnostics::connection_status::run, "who is connected"),
    write("convertToCapped", crate::command::collections::convert_to_capped::run, "makes a collection capped"),
    read("count", crate::command::read::count::run, "how many documents match"),
    write("create", crate::command::collections::create::run, "makes a collection"),
    write("createIndexes", crate::command::collections::create_indexes::run, "builds indexes"),
    admin_read("currentOp", crate::command::diagnostics::current_op::run, "the operations in progress"),
    read("dataSize", crate::command::diagnostics::data_size::run, "the bytes of a collection's documents"),
    read("datasize", crate::command::diagnostics::data_size::run, "the bytes of a collection's documents"),
    read("dbStats", crate::command::diagnostics::db_stats::run, "counts and sizes of a database"),
    read("dbstats", crate::command::diagnostics::db_stats::run, "counts and sizes of a database"),
    write("delete", crate::command::write::delete::run, "removes documents"),
    write("deleteIndexes", crate::command::collections::drop_indexes::run, "removes indexes"),
    read("distinct", crate::command::read::distinct::run, "the different values of a field"),
    write("drop", crate::command::collections::drop::run, "removes a collection"),
    write("dropDatabase", crate::command::collections::drop_database::run, "removes a database"),
    write("dropIndexes", crate::command::collections::drop_indexes::run, "removes indexes"),
    read("endSessions", crate::command::session::logical_sessions::run, "ends sessions"),
    read("explain", crate::command::read::explain::run, "how a command would be run"),
    read("find", crate::command::read::find::run, "the documents that match"),
    write("findAndModify", crate::command::write::find_and_modify::run, "changes one document and gives it"),
    write("findandmodify", crate::command::write::find_and_modify::run, "changes one document and gives it"),
    read("getMore", crate::command::read::get_more::run, "the next batch of a cursor"),
    read("hello", crate::command::diagnostics::hello::run, "what the server is and its limits"),
    write("insert", crate::command::write::insert::run, "adds documents"),
    read("isMaster", crate::command::diagnostics::hello::run_legacy, "what the server is and its limits"),
    read("ismaster", crate::command::diagnostics::hello::run_legacy, "what the server is and its limits"),
    read("killCursors", crate::command::read::kill_cursors::run, "closes cursors"),
    read("killSessions", crate::command::session::logical_sessions::run, "closes the cursors of sessions"),
    read("listCollections", crate::command::collections::list_collections::run, "the collections of a database"),
    read("listCommands", crate::command::diagnostics::list_commands::run, "the commands of this table"),
    admin_read("listDatabases", crate::command::collections::list_databases::run, "the databases of the deployment"),
    read("listIndexes", crate::command::collections::list_indexes::run, "the indexes of a collection"),
    by_pipeline("mapReduce", crate::command::read::map_reduce::run, "script functions over a collection"),
    by_pipeline("mapreduce", crate::command::read::map_reduce::run, "script functions over a collection"),
    read("ping", crate::command::diagnostics::ping::run, "answers"),
    read("planCacheClear", crate::command::plan_cache::clear::run, "forgets cached plans"),
    read("planCacheClearFilters", crate::command::plan_cache::clear_filters::run, "removes index filters"),
    read("planCacheListFilters", crate::command::plan_cache::list_filters::run, "the index filters of a collection"),
    read("planCacheSetFilter", crate::command::plan_cache::set_filter::run, "sets an index filter"),
    read("quireAt", crate::command::moments::quire_at::run, "runs a read on a moment"),
    read("quireClock", crate::command::maintenance::quire_clock::run, "reads and moves the virtual clock"),
    read("quireDifference", crate::command::moments::quire_difference::run, "what differs between moments"),
    write_moments("quireDropMoment", crate::command::moments::quire_drop_moment::run, "drops a moment"),
    CommandRow {
        access: WriteAccess::Fork,
        ..read("quireFork", crate::command::xray::quire_fork::run, "runs commands and undoes them")
    },
    write_moments("quireMoment", crate::command::moments::quire_moment::run, "keeps the state as it is"),
    read("quireMoments", crate::command::moments::quire_moments::run, "the moments that are kept"),
    write_moments("quireNameMoment", crate::command::moments::quire_name_moment::run, "gives a moment a name"),
    CommandRow {
        access: WriteAccess::ByInner,
        ..read("quireObserve", crate::command::xray::quire_observe::run, "runs a command and tells its plan and pages")
    },
    read("quirePage", crate::command::xray::quire_page::run, "one page, opened to its bytes"),
    read("quirePages", crate::command::xray::quire_pages::run, "what each page is and belongs to"),
    CommandRow {
        access: WriteAccess::Restore,
        ..read("quireRestore", crate::command::moments::quire_restore::run, "makes data what it was at a moment")
    },
    CommandRow {
        access: WriteAccess::ByRun,
        ..read("quireRun", crate::command::moments::quire_run::run, "begins and ends commands that belong together")
    },
    admin_read("quireSalvage", crate::command::maintenance::quire_salvage::run, "what was lost of a damaged deployment"),
    read("quireTree", crate::command::xray::quire_tree::run, "the B+tree of a collection or an index"),
    read("refreshSessions", crate::command::session::logical_sessions::run, "renews sessions"),
    admin_write("renameCollection", crate::command::collections::rename_collection::run, "gives a collection another name"),
    read("serverStatus", crate::command::diagnostics::server_status::run, "counters and state of the engine"),
    read("startSession", crate::command::session::logical_sessions::start, "starts a session"),
    write("update", crate::command::write::update::run, "changes documents"),
    CommandRow {
        access: WriteAccess::ByRepair,
        ..read("validate", crate::command::maintenance::validate::run, "checks a collection, and repairs it")
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
