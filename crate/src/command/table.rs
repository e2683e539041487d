//! The dispatch table: every command, one a row, with all that is to be known about it (`row.rs` says what each fact
//! means).
//!
//! Invariant: rows are sorted by name and no name is there twice; a command not in it answers 59 `CommandNotFound`.
//! COMPAT.md lists the same names, and `web/src/engine/commands.generated.ts` the facts that the web side needs:
//! `cargo xtask build` writes it anew.

use super::collections::{
    clone_collection_as_capped, coll_mod, convert_to_capped, create, create_indexes, drop,
    drop_database, drop_indexes, list_collections, list_databases, list_indexes, rename_collection,
};
use super::diagnostics::{
    build_info, coll_stats, connection_status, current_op, data_size, db_stats, features,
    get_cmd_line_opts, get_log, get_parameter, hello, host_info, kill_op, list_commands, lock_info,
    ping, profile, server_status, set_parameter, top, validate_db_metadata, whats_my_uri,
};
use super::frees_room::FreesRoom;
use super::maintenance::{
    cluster_parameters, compact, db_hash, default_concerns, fsync, fsync_unlock, quire_clock,
    quire_oplog, quire_salvage, re_index, set_feature_compatibility_version, validate,
};
use super::moments::{
    quire_at, quire_difference, quire_drop_moment, quire_moment, quire_moments, quire_name_moment,
    quire_restore, quire_run,
};
use super::plan_cache::{clear, clear_filters, list_filters, set_filter};
use super::query_settings::{remove, set};
use super::read::watched::observe_read;
use super::read::{
    aggregate, count, distinct, explain, find, get_more, kill_cursors, map_reduce,
    map_reduce_explain,
};
use super::replication::{repl_set_get_config, repl_set_get_status, repl_set_initiate};
use super::row::{ABORTS, COMMITS, Counter, InTransactions, ReadLevels, RunsOn};
use super::session::{kill_sessions, logical_sessions, transactions};
use super::users::{
    create_role, create_user, drop_all_roles_from_database, drop_all_users_from_database,
    drop_role, drop_user, grant_privileges_to_role, grant_roles_to_role, grant_roles_to_user,
    revoke_privileges_from_role, revoke_roles_from_role, revoke_roles_from_user, roles_info,
    update_role, update_user, users_info,
};
use super::write::{bulk_write, delete, find_and_modify, insert, update};
use super::xray::{quire_fork, quire_observe, quire_page, quire_pages, quire_tree};
use crate::catalog::latencies::Kind;

pub use super::row::{CommandRow, WriteAccess};

/// Takes the place of any command that is asked for its help (`{find: 1, help: true}`).
pub static HELP: CommandRow = CommandRow::new(
    "help",
    list_commands::run_help,
    "the line of another command",
);

/// The advice to who counts in a transaction.
const COUNT_INSTEAD: &str =
    " Please see http://dochub.mongodb.org/core/transaction-count for a recommended alternative.";

/// Every command, sorted by name (capitals before small letters).
#[rustfmt::skip]
pub static COMMANDS: &[CommandRow] = &[
    CommandRow::new("abortTransaction", transactions::abort, "undoes a transaction")
        .writing_no_data(WriteAccess::Write).admin_only().stable_api(&[]).frees_room(FreesRoom::Always)
        .in_transactions(ABORTS),
    CommandRow::new("aggregate", aggregate::run, "a pipeline over a collection")
        .writing(WriteAccess::ByPipeline).runs_on(RunsOn::Moment).reads_at(ReadLevels::All).stable_api(&[aggregate::UNSTABLE])
        .counts_as(Counter::Query, Kind::Read).opens_cursor().explain(aggregate::explain).with_shape(aggregate::check_shape)
        .observe(observe_read)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("buildInfo", build_info::run, "the version").aliases(&["buildinfo"]).open_to_all()
        .in_transactions(InTransactions::Later),
    CommandRow::new("bulkWrite", bulk_write::run, "writes in several collections")
        .writing(WriteAccess::Write).retryable().admin_only().runs_on(RunsOn::Fork).stable_api(&[])
        .counts_as(Counter::Statements, Kind::Write)
        .frees_room(FreesRoom::When(bulk_write::only_deletes)).opens_cursor()
        .explain(bulk_write::explain)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("cloneCollectionAsCapped", clone_collection_as_capped::run, "copies a collection into a capped one")
        .writing(WriteAccess::Write).runs_on(RunsOn::Fork),
    CommandRow::new("collMod", coll_mod::run, "changes options of a collection or index")
        .writing(WriteAccess::Write).runs_on(RunsOn::Fork).stable_api(&[]),
    CommandRow::new("collStats", coll_stats::run, "counts and sizes of a collection")
        .aliases(&["collstats"]).runs_on(RunsOn::Moment),
    CommandRow::new("commitTransaction", transactions::commit, "makes a transaction's changes")
        .writing(WriteAccess::Write).admin_only().stable_api(&[]).in_transactions(COMMITS),
    CommandRow::new("compact", compact::run, "gives unused room back")
        .writing_no_data(WriteAccess::Write).frees_room(FreesRoom::Always),
    CommandRow::new("connectionStatus", connection_status::run, "who is connected").open_to_all()
        .in_transactions(InTransactions::Later),
    CommandRow::new("convertToCapped", convert_to_capped::run, "makes a collection capped")
        .writing(WriteAccess::Write).runs_on(RunsOn::Fork),
    CommandRow::new("count", count::run, "how many documents match")
        .runs_on(RunsOn::Moment).reads_at(ReadLevels::AllButSnapshot).stable_api(&[]).counts_as(Counter::Command, Kind::Read)
        .explain(count::explain).observe(count::observe)
        .in_transactions(InTransactions::Never { instead: COUNT_INSTEAD }),
    CommandRow::new("create", create::run, "makes a collection")
        .writing(WriteAccess::Write).runs_on(RunsOn::Fork).stable_api(&[create::UNSTABLE])
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("createIndexes", create_indexes::run, "builds indexes")
        .writing(WriteAccess::Write).runs_on(RunsOn::Fork).stable_api(&[create_indexes::UNSTABLE])
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("createRole", create_role::run, "keeps a role")
        .writing(WriteAccess::Write),
    CommandRow::new("createUser", create_user::run, "keeps a user")
        .writing(WriteAccess::Write).with_password(),
    CommandRow::new("currentOp", current_op::run, "the operations in progress").admin_only(),
    CommandRow::new("dataSize", data_size::run, "the bytes of a collection's documents")
        .aliases(&["datasize"]).runs_on(RunsOn::Moment),
    CommandRow::new("dbHash", db_hash::run, "digests of a database's collections").aliases(&["dbhash"])
        .runs_on(RunsOn::Moment),
    CommandRow::new("dbStats", db_stats::run, "counts and sizes of a database")
        .aliases(&["dbstats"]).runs_on(RunsOn::Moment),
    CommandRow::new("delete", delete::run, "removes documents")
        .writing(WriteAccess::Write).retryable().runs_on(RunsOn::Fork).stable_api(&[]).op("remove")
        .counts_as(Counter::Statements, Kind::Write).frees_room(FreesRoom::Always)
        .explain(delete::explain).observe(delete::observe)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("distinct", distinct::run, "the different values of a field")
        .runs_on(RunsOn::Moment).reads_at(ReadLevels::All).counts_as(Counter::Command, Kind::Read).explain(distinct::explain).with_shape(distinct::check_shape)
        .observe(observe_read)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("drop", drop::run, "removes a collection")
        .writing(WriteAccess::Write).runs_on(RunsOn::Fork).stable_api(&[]).ends_collections()
        .frees_room(FreesRoom::Always),
    CommandRow::new("dropAllRolesFromDatabase", drop_all_roles_from_database::run, "removes the roles of a database")
        .writing(WriteAccess::Write),
    CommandRow::new("dropAllUsersFromDatabase", drop_all_users_from_database::run, "removes the users of a database")
        .writing(WriteAccess::Write),
    CommandRow::new("dropDatabase", drop_database::run, "removes a database")
        .writing(WriteAccess::Write).runs_on(RunsOn::Fork).stable_api(&[]).ends_collections()
        .frees_room(FreesRoom::Always),
    CommandRow::new("dropIndexes", drop_indexes::run, "removes indexes")
        .aliases(&["deleteIndexes"]).writing(WriteAccess::Write).runs_on(RunsOn::Fork)
        .stable_api(&[]).frees_room(FreesRoom::Always),
    CommandRow::new("dropRole", drop_role::run, "removes a role")
        .writing(WriteAccess::Write),
    CommandRow::new("dropUser", drop_user::run, "removes a user")
        .writing(WriteAccess::Write),
    CommandRow::new("endSessions", logical_sessions::run, "ends sessions").stable_api(&[]),
    CommandRow::new("explain", explain::run, "how a command would be run")
        .runs_on(RunsOn::Moment).reads_at(ReadLevels::AllButSnapshot).stable_api(&[]),
    CommandRow::new("features", features::run, "what this build can do"),
    CommandRow::new("find", find::run, "the documents that match")
        .runs_on(RunsOn::Moment).reads_at(ReadLevels::All).stable_api(&[find::UNSTABLE]).counts_as(Counter::Query, Kind::Read)
        .op("query").opens_cursor().explain(find::explain).with_shape(find::check_shape).observe(observe_read)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("findAndModify", find_and_modify::run, "changes one document and gives it")
        .aliases(&["findandmodify"]).writing(WriteAccess::Write).retryable().runs_on(RunsOn::Fork)
        .stable_api(&[]).counts_as(Counter::Command, Kind::Write)
        .frees_room(FreesRoom::When(find_and_modify::only_removes))
        .explain(find_and_modify::explain).observe(find_and_modify::observe)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("fsync", fsync::run, "has all changes stored").admin_only().durable(),
    CommandRow::new("fsyncUnlock", fsync_unlock::run, "takes the lock of fsync off").admin_only(),
    CommandRow::new("getClusterParameter", cluster_parameters::get, "the values of parameters that are kept with the data")
        .admin_only(),
    CommandRow::new("getCmdLineOpts", get_cmd_line_opts::run, "the options of the command line")
        .admin_only(),
    CommandRow::new("getDefaultRWConcern", default_concerns::get, "the concerns of commands that come without")
        .admin_only(),
    CommandRow::new("getLog", get_log::run, "the newest lines of the log").admin_only(),
    CommandRow::new("getMore", get_more::run, "the next batch of a cursor")
        .stable_api(&[]).counts_as(Counter::GetMore, Kind::Read).collection_field("collection")
        .op("getmore").limited_by(get_more::no_limit).not_retriable().waits_for_data()
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("getParameter", get_parameter::run, "the values of server parameters")
        .admin_only(),
    CommandRow::new("grantPrivilegesToRole", grant_privileges_to_role::run, "gives a role privileges")
        .writing(WriteAccess::Write),
    CommandRow::new("grantRolesToRole", grant_roles_to_role::run, "gives a role other roles")
        .writing(WriteAccess::Write),
    CommandRow::new("grantRolesToUser", grant_roles_to_user::run, "gives a user roles")
        .writing(WriteAccess::Write),
    CommandRow::new("hello", hello::run, "what the server is and its limits").open_to_all()
        .stable_api(&[]).waits_for_data()
        .in_transactions(InTransactions::Later),
    CommandRow::new("hostInfo", host_info::run, "the machine and its system"),
    CommandRow::new("insert", insert::run, "adds documents")
        .writing(WriteAccess::Write).retryable().runs_on(RunsOn::Fork).stable_api(&[]).op("insert")
        .counts_as(Counter::Statements, Kind::Write)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("isMaster", hello::run_legacy, "what the server is and its limits")
        .aliases(&["ismaster"]).open_to_all().waits_for_data()
        .in_transactions(InTransactions::Later),
    CommandRow::new("killAllSessions", kill_sessions::run_all, "ends the work of users' sessions")
        .closes_cursors(),
    CommandRow::new("killAllSessionsByPattern", kill_sessions::run_by_pattern, "ends the work of sessions that match")
        .closes_cursors(),
    CommandRow::new("killCursors", kill_cursors::run, "closes cursors")
        .stable_api(&[]).closes_cursors()
        .in_transactions(InTransactions::Later),
    CommandRow::new("killOp", kill_op::run, "asks an operation to end").admin_only(),
    CommandRow::new("killSessions", kill_sessions::run, "ends the work of sessions")
        .closes_cursors(),
    CommandRow::new("listCollections", list_collections::run, "the collections of a database")
        .runs_on(RunsOn::Moment).stable_api(&[]).opens_cursor(),
    CommandRow::new("listCommands", list_commands::run, "the commands of this table").open_to_all(),
    CommandRow::new("listDatabases", list_databases::run, "the databases of the deployment")
        .admin_only().runs_on(RunsOn::Moment).stable_api(&[]),
    CommandRow::new("listIndexes", list_indexes::run, "the indexes of a collection")
        .runs_on(RunsOn::Moment).stable_api(&[]).opens_cursor(),
    CommandRow::new("lockInfo", lock_info::run, "the locks that are held").admin_only(),
    CommandRow::new("mapReduce", map_reduce::run, "script functions over a collection")
        .aliases(&["mapreduce"]).writing(WriteAccess::ByOut).runs_on(RunsOn::Moment)
        .calls_functions().reads_at(ReadLevels::Available).explain(map_reduce_explain::explain),
    CommandRow::new("ping", ping::run, "answers").open_to_all().stable_api(&[]),
    CommandRow::new("planCacheClear", clear::run, "forgets cached plans"),
    CommandRow::new("planCacheClearFilters", clear_filters::run, "removes index filters"),
    CommandRow::new("planCacheListFilters", list_filters::run, "the index filters of a collection"),
    CommandRow::new("planCacheSetFilter", set_filter::run, "sets an index filter"),
    CommandRow::new("profile", profile::run, "sets what the profiler keeps")
        .writing_no_data(WriteAccess::ByLevel),
    CommandRow::new("quireAt", quire_at::run, "runs a read on a moment")
        .limited_by(quire_at::limit_millis).observe(quire_at::observe),
    CommandRow::new("quireClock", quire_clock::run, "reads and moves the virtual clock"),
    CommandRow::new("quireDifference", quire_difference::run, "what differs between moments"),
    CommandRow::new("quireDropMoment", quire_drop_moment::run, "drops a moment")
        .writing_no_data(WriteAccess::WriteMoments).frees_room(FreesRoom::Always),
    CommandRow::new("quireFork", quire_fork::run, "runs commands and undoes them")
        .writing_no_data(WriteAccess::Fork),
    CommandRow::new("quireMoment", quire_moment::run, "keeps the state as it is")
        .writing_no_data(WriteAccess::WriteMoments),
    CommandRow::new("quireMoments", quire_moments::run, "the moments that are kept"),
    CommandRow::new("quireNameMoment", quire_name_moment::run, "gives a moment a name")
        .writing_no_data(WriteAccess::WriteMoments),
    CommandRow::new("quireObserve", quire_observe::run, "runs a command and tells its plan and pages")
        .writing(WriteAccess::ByInner),
    CommandRow::new("quireOplog", quire_oplog::run, "begins and ends the list of changes")
        .writing_no_data(WriteAccess::Write).frees_room(FreesRoom::Always),
    CommandRow::new("quirePage", quire_page::run, "one page, opened to its bytes")
        .runs_on(RunsOn::Fork).op(""),
    CommandRow::new("quirePages", quire_pages::run, "what each page is and belongs to")
        .runs_on(RunsOn::Fork).op(""),
    CommandRow::new("quireRestore", quire_restore::run, "makes data what it was at a moment")
        .writing(WriteAccess::WriteMoments).ends_collections(),
    CommandRow::new("quireRun", quire_run::run, "begins and ends commands that belong together")
        .writing_no_data(WriteAccess::ByRun),
    CommandRow::new("quireSalvage", quire_salvage::run, "what was lost of a damaged deployment")
        .admin_only(),
    CommandRow::new("quireTree", quire_tree::run, "the B+tree of a collection or an index")
        .runs_on(RunsOn::Fork).op(""),
    CommandRow::new("reIndex", re_index::run, "builds a collection's indexes anew")
        .writing_no_data(WriteAccess::WriteAlone),
    CommandRow::new("refreshSessions", logical_sessions::run, "renews sessions").stable_api(&[]),
    CommandRow::new("removeQuerySettings", remove::run, "removes the settings of a query shape")
        .admin_only().writing(WriteAccess::WriteAlone),
    CommandRow::new("renameCollection", rename_collection::run, "gives a collection another name")
        .writing(WriteAccess::Write).admin_only().runs_on(RunsOn::Fork).ends_collections(),
    CommandRow::new("replSetGetConfig", repl_set_get_config::run, "the replica set's configuration")
        .admin_only(),
    CommandRow::new("replSetGetStatus", repl_set_get_status::run, "the state of the replica set")
        .admin_only(),
    CommandRow::new("replSetInitiate", repl_set_initiate::run, "begins a replica set").admin_only(),
    CommandRow::new("revokePrivilegesFromRole", revoke_privileges_from_role::run, "takes privileges from a role")
        .writing(WriteAccess::Write),
    CommandRow::new("revokeRolesFromRole", revoke_roles_from_role::run, "takes other roles from a role")
        .writing(WriteAccess::Write),
    CommandRow::new("revokeRolesFromUser", revoke_roles_from_user::run, "takes roles from a user")
        .writing(WriteAccess::Write),
    CommandRow::new("rolesInfo", roles_info::run, "the roles that are kept"),
    CommandRow::new("serverStatus", server_status::run, "counters and state of the engine"),
    CommandRow::new("setClusterParameter", cluster_parameters::set, "sets a parameter that is kept with the data")
        .admin_only().writing(WriteAccess::WriteAlone),
    CommandRow::new("setDefaultRWConcern", default_concerns::set, "sets the concerns of commands that come without")
        .admin_only().writing(WriteAccess::Write),
    CommandRow::new("setFeatureCompatibilityVersion", set_feature_compatibility_version::run, "says which version's features are used")
        .admin_only(),
    CommandRow::new("setParameter", set_parameter::run, "sets server parameters").admin_only(),
    CommandRow::new("setQuerySettings", set::run, "sets index hints for a query shape, or refuses it")
        .admin_only().writing(WriteAccess::WriteAlone),
    CommandRow::new("startSession", logical_sessions::start, "starts a session"),
    CommandRow::new("top", top::run, "how often each collection was used").admin_only(),
    CommandRow::new("update", update::run, "changes documents")
        .writing(WriteAccess::Write).retryable().runs_on(RunsOn::Fork).stable_api(&[])
        .counts_as(Counter::Statements, Kind::Write).op("update").explain(update::explain)
        .observe(update::observe)
        .in_transactions(InTransactions::Anywhere),
    CommandRow::new("updateRole", update_role::run, "changes a role")
        .writing(WriteAccess::Write),
    CommandRow::new("updateUser", update_user::run, "changes a user")
        .writing(WriteAccess::Write).with_password(),
    CommandRow::new("usersInfo", users_info::run, "the users that are kept"),
    CommandRow::new("validate", validate::run, "checks a collection, and repairs it")
        .writing_no_data(WriteAccess::ByRepair).runs_on(RunsOn::Fork),
    CommandRow::new("validateDBMetadata", validate_db_metadata::run, "what version 1 of the Stable API lacks"),
    CommandRow::new("whatsmyuri", whats_my_uri::run, "the address of the client").open_to_all(),
];

/// How many names there are, aliases too.
const NAME_COUNT: usize = {
    let (mut count, mut row) = (COMMANDS.len(), 0);
    while row < COMMANDS.len() {
        count += COMMANDS[row].aliases.len();
        row += 1;
    }
    count
};

/// Every name with its command, aliases too, sorted by name.
pub static NAMES: [(&str, &CommandRow); NAME_COUNT] = {
    let mut names = [("", &HELP); NAME_COUNT];
    let (mut count, mut row) = (0, 0);
    while row < COMMANDS.len() {
        let command = &COMMANDS[row];
        count = put(&mut names, count, (command.name, command));
        let mut alias = 0;
        while alias < command.aliases.len() {
            count = put(&mut names, count, (command.aliases[alias], command));
            alias += 1;
        }
        row += 1;
    }
    names
};

type Name = (&'static str, &'static CommandRow);

/// Puts a name in its place among the first `count`; gives how many there are then. Done by the compiler.
const fn put(names: &mut [Name], count: usize, name: Name) -> usize {
    let mut at = count;
    while at > 0 && is_before(name.0.as_bytes(), names[at - 1].0.as_bytes()) {
        names[at] = names[at - 1];
        at -= 1;
    }
    names[at] = name;
    count + 1
}

/// Whether one name comes before another; the standard comparison is not for the compiler's own use.
const fn is_before(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return one[at] < other[at];
        }
        at += 1;
    }
    one.len() < other.len()
}

/// Finds a command by one of its names.
pub fn find(name: &str) -> Option<&'static CommandRow> {
    let at = NAMES
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    NAMES.get(at).map(|(_, row)| *row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_sorted_without_repeats() {
        assert!(COMMANDS.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn every_name_finds_its_row() {
        for row in COMMANDS {
            for name in row.names() {
                assert_eq!(find(name).map(|found| found.name), Some(row.name), "{name}");
            }
        }
        assert!(find("").is_none());
        assert!(find("finds").is_none());
    }

    #[test]
    fn what_runs_on_a_moment_only_reads() {
        for row in COMMANDS.iter().filter(|row| row.runs_on == RunsOn::Moment) {
            let reads = [
                WriteAccess::Read,
                WriteAccess::ByPipeline,
                WriteAccess::ByOut,
            ];
            assert!(reads.contains(&row.access), "{}", row.name);
        }
    }
}
