//! Write concern: how durable a command wants its changes to be when it is answered.
//!
//! Follows the manual's "Write Concern" page for a standalone: `w: 1` is acknowledged once applied
//! in memory, `j: true` and `w: "majority"` wait for the device.

use super::params::Params;
use crate::bson::{Document, Number, ValueRef};
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
    check_timeout(params.value("wtimeout"))?;
    check_provenance(&params)?;
    let w = params.value("w");
    params.finish()?;
    let majority = match w {
        ValueRef::Missing => false,
        ValueRef::String(text) if text == "majority" => true,
        ValueRef::Null => return Err(no_mode("")),
        ValueRef::String(mode) => return Err(no_mode(&mode.lossy())),
        // Without a replica set no member is counted.
        ValueRef::Document(tags) => check_tags(tags).map(|()| false)?,
        other => {
            let count = other.as_number().ok_or_else(|| {
                CommandError::new(
                    Code::FailedToParse,
                    "w has to be a number, string, or object",
                )
            })?;
            match count.to_i64_saturating() {
                members if count.is_nan() || !(0..=50).contains(&members) => {
                    return Err(CommandError::new(
                        Code::FailedToParse,
                        "w has to be a non-negative number and not greater than 50",
                    ));
                }
                0 | 1 => false,
                _ => {
                    return Err(CommandError::new(
                        Code::BadValue,
                        "cannot use 'w' > 1 when a host is not replicated",
                    ));
                }
            }
        }
    };
    let wants_journal = journal == Some(true) || (majority && journal != Some(false));
    Ok(if wants_journal {
        Durability::Strict
    } else {
        Durability::Relaxed
    })
}

/// Only a replica set has modes beside the majority.
fn no_mode(mode: &str) -> CommandError {
    CommandError::new(
        Code::BadValue,
        format!(
            "cannot use non-majority 'w' mode {mode} when a host is not a member of a replica set"
        ),
    )
}

/// Checks a `w` that counts the members of each tag.
fn check_tags(tags: Document<'_>) -> Result<(), CommandError> {
    let refused = |message: &str| Err(CommandError::new(Code::FailedToParse, message));
    if tags.is_empty() {
        return refused("tagged write concern requires tags");
    }
    match tags.iter().all(|tag| tag.value.as_number().is_some()) {
        true => Ok(()),
        false => refused("tags must be a single level document with only number values"),
    }
}

/// Any value is a timeout; one that is no number, or below zero, is none.
fn check_timeout(value: ValueRef<'_>) -> Result<(), CommandError> {
    match value.as_number().map(Number::to_i64_saturating) {
        Some(millis) if millis > i64::from(i32::MAX) => Err(CommandError::new(
            Code::FailedToParse,
            "wtimeout must be a 32-bit integer",
        )),
        _ => Ok(()),
    }
}

/// Where a write concern came from, as a driver may tell.
const PROVENANCES: &[&str] = &[
    "clientSupplied",
    "customDefault",
    "getLastErrorDefaults",
    "implicitDefault",
    "internalWriteDefault",
];

fn check_provenance(params: &Params<'_>) -> Result<(), CommandError> {
    match params.string("provenance")? {
        Some(given) if !PROVENANCES.contains(&given) => Err(CommandError::new(
            Code::BadValue,
            format!(
                "Enumeration value '{given}' for field 'writeConcern.provenance' is not a valid value."
            ),
        )),
        _ => Ok(()),
    }
}
