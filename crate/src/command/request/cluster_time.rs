//! Cluster times: which a command brings along, and the two that each reply of a replica set tells.
//!
//! A driver hands on the newest `$clusterTime` that it knows; a causally consistent session also asks for reads after
//! an `operationTime` (`readConcern.afterClusterTime`). Manual: core/read-isolation-consistency-recency. Invariant: the
//! deployment has one clock, so everything acknowledged is in the present and no read has to wait for a time.

use super::params::Params;
use crate::bson::{Timestamp, ValueRef, write_length};
use crate::error::{Code, CommandError};
use crate::storage::LogicalClock;

/// How far ahead of the engine's clock a driver's time may be: the server's `maxAcceptableLogicalClockDriftSecs`.
const MOST_AHEAD_SECONDS: i64 = 31_536_000;

/// A time that a read concern names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadTime {
    After(Timestamp),
    At(Timestamp),
}

/// The times that a command brings along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// The newest that the client knows.
    pub known: Option<Timestamp>,
    pub read: Option<ReadTime>,
}

impl Times {
    /// Tells the clock of the client's time, and looks whether the present is the state to be read.
    ///
    /// # Errors
    /// 205 `ClusterTimeFailsRateLimiter` for a client's time that is far in the future, 72 `InvalidOptions` for a read
    /// at a time that nobody has had yet, 239 `SnapshotTooOld` for one of a state that is not kept.
    pub fn enter(self, clock: &LogicalClock, now_millis: i64) -> Result<(), CommandError> {
        if let Some(known) = self.known {
            let now = now_millis.div_euclid(1000);
            let seconds = i64::from(known.seconds());
            if seconds - now > MOST_AHEAD_SECONDS {
                return Err(CommandError::new(
                    Code::ClusterTimeFailsRateLimiter,
                    format!(
                        "New clusterTime, {seconds}, is too far from this node's wall clock time, {now}."
                    ),
                ));
            }
            clock.catch_up(known);
        }
        let (name, wanted) = match self.read {
            None => return Ok(()),
            Some(ReadTime::After(time)) => ("afterClusterTime", time),
            Some(ReadTime::At(time)) => ("atClusterTime", time),
        };
        let last = clock.last();
        if wanted > last {
            return Err(CommandError::new(
                Code::InvalidOptions,
                format!(
                    "readConcern {name} value must not be greater than the current clusterTime. Requested \
                     clusterTime: {}; current clusterTime: {}",
                    words(wanted),
                    words(last)
                ),
            ));
        }
        if wanted < last && matches!(self.read, Some(ReadTime::At(_))) {
            return Err(CommandError::new(
                Code::SnapshotTooOld,
                format!(
                    "Read timestamp {} is older than the oldest available timestamp.",
                    shown(wanted)
                ),
            ));
        }
        Ok(())
    }
}

fn shown(time: Timestamp) -> String {
    format!("Timestamp({}, {})", time.seconds(), time.increment())
}

fn words(time: Timestamp) -> String {
    format!("{{ ts: {} }}", shown(time))
}

/// The time in a command's `$clusterTime`.
///
/// # Errors
/// 14 `TypeMismatch`, 40414 `IDLFailedToParse` and 40415 `IDLUnknownField` for what no server gives.
#[inline(never)]
pub(super) fn read(value: ValueRef<'_>) -> Result<Option<Timestamp>, CommandError> {
    let given = match value {
        ValueRef::Missing => return Ok(None),
        ValueRef::Document(given) => Params::new(given, "$clusterTime", None),
        other => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field '$clusterTime' is the wrong type '{}', expected type 'object'",
                    other.type_name()
                ),
            ));
        }
    };
    let time = given.value("clusterTime");
    // Without access control nothing is signed.
    given.document("signature")?;
    match Timestamp::of(time) {
        Some(time) => given.finish().map(|()| Some(time)),
        None if time.is_missing() => {
            given.lack("clusterTime");
            given.finish().map(|()| None)
        }
        None => Err(given.wrong_type("clusterTime", time, "timestamp")),
    }
}

/// The two times that a reply tells, and the reply's end. Every reply has them, so they are copied and not built.
const TIMES: &[u8; 126] =
    b"\x03$clusterTime\0\x58\0\0\0\x11clusterTime\0\0\0\0\0\0\0\0\0\x03signature\0\x33\0\0\0\
    \x05hash\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x12keyId\0\0\0\0\0\0\0\0\0\0\0\
    \x11operationTime\0\0\0\0\0\0\0\0\0\0";
/// Where in `TIMES` the last time of the clock is put.
const PLACES: [usize; 2] = [31, 117];

/// Appends the two times that a reply tells.
pub fn append_times(reply: &mut Vec<u8>, last: Timestamp) {
    let mut times = *TIMES;
    for place in PLACES {
        times[place..place + 8].copy_from_slice(&last.to_bits().to_le_bytes());
    }
    reply.pop();
    reply.extend_from_slice(&times);
    write_length(reply, 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bson::DocumentBuilder;

    #[test]
    fn a_reply_tells_two_times() {
        let last = Timestamp::new(7, 3);
        let mut reply = DocumentBuilder::new();
        reply.append("n", 1);
        let mut expected = reply.clone();
        expected.begin_document("$clusterTime");
        expected.append("clusterTime", last);
        expected.begin_document("signature");
        let hash = ValueRef::Binary {
            subtype: 0,
            bytes: &[0; 20],
        };
        expected.append("hash", hash).append("keyId", 0_i64);
        expected.end().end().append("operationTime", last);
        let mut told = reply.finish().into_bytes();
        append_times(&mut told, last);
        assert_eq!(told, expected.finish().into_bytes());
    }
}
