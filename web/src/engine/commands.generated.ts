/**
 * Facts about commands, by all their names. Written by `cargo xtask build` from the engine's table
 * (`crate/src/command/table.rs`); by hand: `UPDATE_COMMANDS=1 cargo test --test tidy commands`.
 */

/** Every command. */
export const COMMANDS: readonly string[] = [
  "abortTransaction",
  "aggregate",
  "buildInfo",
  "buildinfo",
  "bulkWrite",
  "cloneCollectionAsCapped",
  "collMod",
  "collStats",
  "collstats",
  "commitTransaction",
  "compact",
  "connectionStatus",
  "convertToCapped",
  "count",
  "create",
  "createIndexes",
  "createRole",
  "createUser",
  "currentOp",
  "dataSize",
  "datasize",
  "dbHash",
  "dbStats",
  "dbhash",
  "dbstats",
  "delete",
  "deleteIndexes",
  "distinct",
  "drop",
  "dropAllRolesFromDatabase",
  "dropAllUsersFromDatabase",
  "dropDatabase",
  "dropIndexes",
  "dropRole",
  "dropUser",
  "endSessions",
  "explain",
  "features",
  "find",
  "findAndModify",
  "findandmodify",
  "fsync",
  "fsyncUnlock",
  "getClusterParameter",
  "getCmdLineOpts",
  "getDefaultRWConcern",
  "getLog",
  "getMore",
  "getParameter",
  "grantPrivilegesToRole",
  "grantRolesToRole",
  "grantRolesToUser",
  "hello",
  "hostInfo",
  "insert",
  "isMaster",
  "ismaster",
  "killAllSessions",
  "killAllSessionsByPattern",
  "killCursors",
  "killOp",
  "killSessions",
  "listCollections",
  "listCommands",
  "listDatabases",
  "listIndexes",
  "lockInfo",
  "mapReduce",
  "mapreduce",
  "ping",
  "planCacheClear",
  "planCacheClearFilters",
  "planCacheListFilters",
  "planCacheSetFilter",
  "profile",
  "quireAt",
  "quireClock",
  "quireDifference",
  "quireDropMoment",
  "quireFork",
  "quireMoment",
  "quireMoments",
  "quireNameMoment",
  "quireObserve",
  "quireOplog",
  "quirePage",
  "quirePages",
  "quireRestore",
  "quireRun",
  "quireSalvage",
  "quireTree",
  "reIndex",
  "refreshSessions",
  "removeQuerySettings",
  "renameCollection",
  "replSetGetConfig",
  "replSetGetStatus",
  "replSetInitiate",
  "revokePrivilegesFromRole",
  "revokeRolesFromRole",
  "revokeRolesFromUser",
  "rolesInfo",
  "serverStatus",
  "setClusterParameter",
  "setDefaultRWConcern",
  "setFeatureCompatibilityVersion",
  "setParameter",
  "setQuerySettings",
  "startSession",
  "top",
  "update",
  "updateRole",
  "updateUser",
  "usersInfo",
  "validate",
  "validateDBMetadata",
  "whatsmyuri",
];

/** Commands that take a write concern. */
export const WITH_WRITE_CONCERN: readonly string[] = [
  "abortTransaction",
  "aggregate",
  "bulkWrite",
  "cloneCollectionAsCapped",
  "collMod",
  "commitTransaction",
  "compact",
  "convertToCapped",
  "create",
  "createIndexes",
  "createRole",
  "createUser",
  "delete",
  "deleteIndexes",
  "drop",
  "dropAllRolesFromDatabase",
  "dropAllUsersFromDatabase",
  "dropDatabase",
  "dropIndexes",
  "dropRole",
  "dropUser",
  "findAndModify",
  "findandmodify",
  "grantPrivilegesToRole",
  "grantRolesToRole",
  "grantRolesToUser",
  "insert",
  "mapReduce",
  "mapreduce",
  "quireDropMoment",
  "quireMoment",
  "quireNameMoment",
  "quireObserve",
  "quireOplog",
  "quireRestore",
  "quireRun",
  "renameCollection",
  "revokePrivilegesFromRole",
  "revokeRolesFromRole",
  "revokeRolesFromUser",
  "setDefaultRWConcern",
  "update",
  "updateRole",
  "updateUser",
];

/** Commands that run the one in their field `command`, and tell about that run. */
export const OBSERVING: readonly string[] = ["quireObserve"];

/** Commands that read by a plan, which `quireObserve` tells. */
export const PLANNED: readonly string[] = [
  "aggregate",
  "count",
  "delete",
  "distinct",
  "find",
  "findAndModify",
  "findandmodify",
  "update",
];

/** Those of them that only read, but for stages that write. */
export const PLANNED_READS: readonly string[] = ["aggregate", "count", "distinct", "find"];

/** Commands that read, open a cursor and can be explained. */
export const EXPLAINED_CURSORS: readonly string[] = ["aggregate", "find"];

/** Commands whose value is the command that they explain. */
export const EXPLAINING: readonly string[] = ["explain"];

/** Commands that call functions which they bring, whatever operators they have. */
export const CALLING_FUNCTIONS: readonly string[] = ["mapReduce", "mapreduce"];

/** Commands that read on a cursor, which gives its documents once: they are not run again after they failed. */
export const CURSOR_READERS: readonly string[] = ["getMore"];

/** Commands that close cursors: the end of another command's time does not end them. */
export const CURSOR_CLOSERS: readonly string[] = [
  "killAllSessions",
  "killAllSessionsByPattern",
  "killCursors",
  "killSessions",
];

/** Commands whose field `pwd` is a password, which is not shown. */
export const WITH_PASSWORD: readonly string[] = ["createUser", "updateUser"];

/** Commands whose reply may wait until something was written. */
export const WAITING: readonly string[] = ["getMore", "hello", "isMaster", "ismaster"];
