//! Read concern: on a standalone every level that it has reads the same data. Manual: reference/read-concern.

use crate::bson::ValueRef;
use crate::error::{Code, CommandError};

/// Checks the `readConcern` of a command in a transaction, whose snapshot every level that it may have reads.
///
/// # Errors
/// 72 `InvalidOptions` for one that is not the first command's, or of another level; 246 `SnapshotUnavailable` for a
/// snapshot of an earlier time; the errors of a malformed read concern.
pub(super) fn check_within(concern: ValueRef<'_>, starts: bool) -> Result<(), CommandError> {
    let Some(given) = concern.as_document().filter(|given| !given.is_empty()) else {
        return check(concern);
    };
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
            ("afterClusterTime", ValueRef::Timestamp { .. }) | ("provenance", _) => {}
            ("atClusterTime", ValueRef::Timestamp { .. }) => {
                return Err(CommandError::new(
                    Code::SnapshotUnavailable,
                    "a transaction can only begin on the present",
                ));
            }
            _ => return check(concern),
        }
    }
    Ok(())
}

/// Checks a command's `readConcern`.
///
/// # Errors
/// 123 `NotAReplicaSet` for levels that need one, and the errors of a malformed read concern.
pub(super) fn check(concern: ValueRef<'_>) -> Result<(), CommandError> {
    let concern = match concern {
        ValueRef::Missing => return Ok(()),
        ValueRef::Document(concern) => concern,
        _ => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                "\"readConcern\" had the wrong type. Expected object",
            ));
        }
    };
    for element in concern.iter() {
        match (element.name, element.value.as_str()) {
            ("level", Some("local" | "available" | "majority")) => {}
            ("level", Some("linearizable" | "snapshot")) | ("afterClusterTime", _) => {
                return Err(CommandError::new(
                    Code::NotAReplicaSet,
                    "node needs to be a replica set member to use read concern",
                ));
            }
            ("level", _) => {
                return Err(CommandError::new(
                    Code::FailedToParse,
                    "readConcern.level must be either 'local', 'majority', 'linearizable', \
                     'available', or 'snapshot'",
                ));
            }
            ("provenance", _) => {}
            (name, _) => {
                return Err(CommandError::new(
                    Code::IDLUnknownField,
                    format!("BSON field 'readConcern.{name}' is an unknown field."),
                ));
            }
        }
    }
    Ok(())
}
