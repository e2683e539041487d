//! Read concern: there is one member, which is its own majority, so every level reads the same data. Manual:
//! reference/read-concern.

use super::cluster_time::ReadTime;
use super::params::Params;
use super::write_concern;
use crate::bson::{Timestamp, ValueRef};
use crate::command::row::{CommandRow, ReadLevels};
use crate::command::topology::Topology;
use crate::error::{Code, CommandError};

fn invalid(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::InvalidOptions, message)
}

/// Checks the `readConcern` of a command in a transaction, whose snapshot every level that it may have reads.
///
/// # Errors
/// 72 `InvalidOptions` for one that is not the first command's, or of another level; 246 `SnapshotUnavailable` for a
/// snapshot of an earlier time; the errors of a malformed read concern.
pub(super) fn check_within(
    concern: ValueRef<'_>,
    starts: bool,
    row: &CommandRow,
    topology: Topology,
) -> Result<Option<ReadTime>, CommandError> {
    let Some(given) = concern.as_document().filter(|given| !given.is_empty()) else {
        return check(concern, row, topology);
    };
    let mut after = None;
    if !starts {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "Only the first command in a transaction may specify a readConcern",
        ));
    }
    for element in given.iter() {
        match (element.name, element.value) {
            ("level", level)
                if matches!(level.as_str(), Some("local" | "majority" | "snapshot")) => {}
            ("level", level) if matches!(level.as_str(), Some("available" | "linearizable")) => {
                return Err(CommandError::new(
                    Code::InvalidOptions,
                    "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order \
                     to run in a transaction",
                ));
            }
            // What this deployment has acknowledged is in its present.
            ("afterClusterTime", value @ ValueRef::Timestamp { .. }) => {
                after = Timestamp::of(value).map(ReadTime::After);
            }
            ("provenance", _) => {}
            ("atClusterTime", ValueRef::Timestamp { .. }) => {
                return Err(CommandError::new(
                    Code::SnapshotUnavailable,
                    "a transaction can only begin on the present",
                ));
            }
            _ => return check(concern, row, topology),
        }
    }
    Ok(after)
}

/// Checks a command's `readConcern`, and gives the time that it names.
///
/// # Errors
/// 123 `NotAReplicaSet` for what a standalone has not, 72 `InvalidOptions` for a level that the command does not take,
/// and the errors of a malformed read concern.
pub(super) fn check(
    concern: ValueRef<'_>,
    row: &CommandRow,
    topology: Topology,
) -> Result<Option<ReadTime>, CommandError> {
    let concern = match concern {
        ValueRef::Missing | ValueRef::Null => return Ok(None),
        ValueRef::Document(concern) => concern,
        _ => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                "\"readConcern\" had the wrong type. Expected object",
            ));
        }
    };
    let params = Params::new(concern, "readConcern", None);
    let level = params.string("level")?.unwrap_or("local");
    let levels = match level {
        "local" => ReadLevels::Local,
        "available" => ReadLevels::Available,
        "majority" | "linearizable" => ReadLevels::AllButSnapshot,
        "snapshot" => ReadLevels::All,
        _ => return Err(params.no_such_value("level", level)),
    };
    write_concern::check_provenance(&params)?;
    let [after, at] = ["afterClusterTime", "atClusterTime"].map(|name| match params.value(name) {
        ValueRef::Missing => Ok(None),
        value => time(name, value).map(Some),
    });
    let (after, at) = (after?, at?);
    params.finish()?;
    let needs_set = matches!(level, "linearizable" | "snapshot") || after.is_some() || at.is_some();
    if needs_set && !topology.is_replica_set() {
        return Err(CommandError::new(
            Code::NotAReplicaSet,
            "node needs to be a replica set member to use read concern",
        ));
    }
    let wanted = match (after, at) {
        (Some(_), Some(_)) => {
            return Err(invalid(
                "Specifying a timestamp for readConcern snapshot in a causally consistent session is not allowed. See \
                 https://docs.mongodb.com/manual/core/read-isolation-consistency-recency/#causal-consistency",
            ));
        }
        (Some(_), None) if matches!(level, "available" | "linearizable") => {
            return Err(invalid(
                "afterClusterTime field can be set only if level is equal to majority, local, or snapshot",
            ));
        }
        (None, Some(_)) if level != "snapshot" => {
            return Err(invalid(
                "atClusterTime field can be set only if level is equal to snapshot",
            ));
        }
        (after, at) => after.map(ReadTime::After).or(at.map(ReadTime::At)),
    };
    if levels > row.read_levels {
        return Err(invalid(format!(
            "Command {} does not support {{ readConcern: {{ level: \"{level}\", provenance: \"clientSupplied\" }} }} \
             :: caused by :: read concern not supported",
            row.name
        )));
    }
    Ok(wanted)
}

/// A time of a read concern.
fn time(name: &str, value: ValueRef<'_>) -> Result<Timestamp, CommandError> {
    match Timestamp::of(value) {
        Some(time) if time == Timestamp::default() => {
            Err(invalid(format!("{name} cannot be a null timestamp")))
        }
        Some(time) => Ok(time),
        None => Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "\"{name}\" had the wrong type. Expected timestamp, found {}",
                value.type_name()
            ),
        )),
    }
}
