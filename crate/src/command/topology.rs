//! The part that a deployment plays towards drivers: the only member of a replica set, or a standalone.
//!
//! Drivers ask for it by `hello`. A replica set has writes that can be retried, transactions and cluster times; a
//! standalone refuses what needs them. Nothing of it is stored: it is the host's choice at each opening.

use crate::bson::{DocumentBuilder, Timestamp, ValueRef};

/// The name of the replica set.
pub const SET_NAME: &str = "quire";
/// The version of the set's configuration, which never changes.
pub const SET_VERSION: i32 = 1;
/// The term of the one election that there was.
pub const TERM: i64 = 1;
/// The identity of that election, as a server makes it of the term.
const ELECTION_ID: [u8; 12] = [0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, TERM as u8];

/// How a deployment presents itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Topology {
    #[default]
    ReplicaSet,
    Standalone,
}

impl Topology {
    /// Whether it is a member of a replica set.
    pub fn is_replica_set(self) -> bool {
        self == Self::ReplicaSet
    }
}

/// Appends what `hello` tells of the set; `primary_field` is the command's word for a primary, `host` the name of its
/// member, and `last` the time of the last write.
pub fn append_member(
    reply: &mut DocumentBuilder,
    primary_field: &str,
    host: &str,
    last: Timestamp,
) {
    reply.begin_array("hosts");
    reply.append("0", host);
    reply.end();
    reply
        .append("setName", SET_NAME)
        .append("setVersion", SET_VERSION)
        .append(primary_field, true)
        .append("secondary", false)
        .append("primary", host)
        .append("me", host)
        .append("electionId", ValueRef::ObjectId(ELECTION_ID));
    let date = ValueRef::DateTime(i64::from(last.seconds()) * 1000);
    reply.begin_document("lastWrite");
    append_op_time(reply, "opTime", last);
    reply.append("lastWriteDate", date);
    append_op_time(reply, "majorityOpTime", last);
    reply.append("majorityWriteDate", date).end();
}

/// Appends a time with its term.
pub fn append_op_time(reply: &mut DocumentBuilder, name: &str, time: Timestamp) {
    reply
        .begin_document(name)
        .append("ts", time)
        .append("t", TERM)
        .end();
}
