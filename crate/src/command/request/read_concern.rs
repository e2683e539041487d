//! Read concern: on a standalone every level that it has reads the same data. Manual: reference/read-concern.

use crate::bson::ValueRef;
use crate::error::{Code, CommandError};

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
