//! Write concern: how durable a command wants its changes to be when it is answered.
//!
//! Follows the manual's "Write Concern" page for a standalone: `w: 1` is acknowledged once applied
//! in memory, `j: true` and `w: "majority"` wait for the device.

use super::params::Params;
use crate::bson::ValueRef;
use crate::error::{Code, CommandError};
use crate::storage::Durability;

/// Reads a command's `writeConcern`; absent means `w: 1`. `is_supported` says whether the command may have
/// one.
///
/// # Errors
/// 72 `InvalidOptions` where there is nothing to write; the errors of a malformed write concern.
pub(super) fn parse(concern: ValueRef<'_>, is_supported: bool) -> Result<Durability, CommandError> {
    let concern = match concern {
        ValueRef::Missing => return Ok(Durability::Relaxed),
        _ if !is_supported => {
            return Err(CommandError::new(
                Code::InvalidOptions,
                "Command does not support writeConcern",
            ));
        }
        ValueRef::Null => return Ok(Durability::Relaxed),
        ValueRef::Document(concern) => concern,
        other => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field 'writeConcern' is the wrong type '{}', expected type 'object'",
                    other.type_name()
                ),
            ));
        }
    };
    let params = Params::new(concern, "writeConcern", None);
    let journal = params.safe_bool("j")?;
    params.safe_bool("fsync")?;
    params.non_negative("wtimeout")?;
    params.value("provenance");
    let w = params.value("w");
    params.finish()?;
    let majority = match w {
        ValueRef::Missing | ValueRef::Null => false,
        ValueRef::String("majority") => true,
        ValueRef::String(mode) => {
            return Err(CommandError::new(
                Code::BadValue,
                format!(
                    "cannot use non-majority 'w' mode {mode} when a host is not a member of a replica set"
                ),
            ));
        }
        other => match other.as_number().map(|number| number.to_i64_saturating()) {
            Some(0 | 1) => false,
            Some(count) if (0..=50).contains(&count) => {
                return Err(CommandError::new(
                    Code::BadValue,
                    "cannot use 'w' > 1 when a host is not replicated",
                ));
            }
            Some(_) => {
                return Err(CommandError::new(
                    Code::FailedToParse,
                    "w has to be a non-negative number and not greater than 50",
                ));
            }
            None => {
                return Err(CommandError::new(
                    Code::FailedToParse,
                    "w has to be a number, string, or object",
                ));
            }
        },
    };
    let wants_journal = journal == Some(true) || (majority && journal != Some(false));
    Ok(if wants_journal {
        Durability::Strict
    } else {
        Durability::Relaxed
    })
}
