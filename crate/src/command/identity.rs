//! The version, host and limits that this build tells drivers.

/// The server version whose behaviour is the target.
pub const SERVER_VERSION: &str = "8.2.0";

/// `SERVER_VERSION` as the four numbers of `versionArray`.
pub const SERVER_VERSION_ARRAY: [i32; 4] = [8, 2, 0, 0];

/// The host and port under which this server names itself, as in `$indexStats`.
pub const HOST: &str = "quire:27017";

/// The newest wire version: MongoDB 8.2's.
pub const MAX_WIRE_VERSION: i32 = 27;

/// The largest number of operations one write command may carry.
pub const MAX_WRITE_BATCH_SIZE: i32 = 100_000;
