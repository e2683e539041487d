//! The Stable API: what `apiVersion` and `apiStrict` ask of a command. Manual: reference/stable-api.
//!
//! Invariant: a client that asks for the Stable API and nothing else is never answered by a command or a field outside of it.

use crate::bson::{Document, ValueRef};
use crate::command::table;
use crate::error::{Code, CommandError};

/// The commands of version 1.
const COMMANDS: &[&str] = &[
    "aggregate",
    "bulkWrite",
    "collMod",
    "count",
    "create",
    "createIndexes",
    "delete",
    "drop",
    "dropDatabase",
    "dropIndexes",
    "explain",
    "find",
    "findAndModify",
    "getMore",
    "hello",
    "insert",
    "killCursors",
    "listCollections",
    "listDatabases",
    "listIndexes",
    "ping",
    "update",
];

/// The fields of commands of version 1 that are not of it themselves, with what a message calls their command.
const UNSTABLE: &[(&str, &str, &[&str])] = &[
    ("aggregate", "aggregate", &["explain"]),
    (
        "create",
        "create",
        &[
            "autoIndexId",
            "capped",
            "indexOptionDefaults",
            "max",
            "size",
            "storageEngine",
        ],
    ),
    (
        "find",
        "FindCommandRequest",
        &[
            "allowPartialResults",
            "awaitData",
            "max",
            "min",
            "noCursorTimeout",
            "oplogReplay",
            "returnKey",
            "showRecordId",
            "tailable",
        ],
    ),
];

/// Checks what a command says of the API that it is part of.
///
/// # Errors
/// 4886600 without a version, 322 `APIVersionError` for another than 1, 323 `APIStrictError` for what is not in it.
pub(super) fn check(command: Document<'_>, name: &str) -> Result<(), CommandError> {
    let strict = flag(command, "apiStrict")?;
    let deprecation_errors = flag(command, "apiDeprecationErrors")?;
    match command.get("apiVersion") {
        ValueRef::String("1") => {}
        ValueRef::Missing if strict.is_none() && deprecation_errors.is_none() => return Ok(()),
        ValueRef::Missing => {
            return Err(CommandError::location(
                4_886_600,
                "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion",
            ));
        }
        ValueRef::String(_) => {
            return Err(CommandError::new(
                Code::APIVersionError,
                "API version must be \"1\"",
            ));
        }
        other => return Err(wrong_type("apiVersion", other, "string")),
    }
    match (strict, table::find(name)) {
        (Some(true), Some(row)) => check_strict(row.canonical_name(), command),
        _ => Ok(()),
    }
}

fn check_strict(name: &str, command: Document<'_>) -> Result<(), CommandError> {
    if !COMMANDS.contains(&name) {
        return Err(CommandError::new(
            Code::APIStrictError,
            format!(
                "Provided apiStrict:true, but the command {name} is not in API Version 1. Information on supported \
                 commands and migrations in API Version 1 can be found at \
                 https://dochub.mongodb.org/core/manual-versioned-api."
            ),
        ));
    }
    let unstable = UNSTABLE.iter().find(|(command, ..)| *command == name);
    if let Some((_, context, fields)) = unstable
        && let Some(field) = command.iter().find(|field| fields.contains(&field.name))
    {
        return Err(CommandError::new(
            Code::APIStrictError,
            format!(
                "BSON field '{context}.{}' is not allowed with apiStrict:true.",
                field.name
            ),
        ));
    }
    Ok(())
}

fn flag(command: Document<'_>, name: &str) -> Result<Option<bool>, CommandError> {
    match command.get(name) {
        ValueRef::Missing => Ok(None),
        ValueRef::Boolean(flag) => Ok(Some(flag)),
        other => Err(wrong_type(name, other, "bool")),
    }
}

fn wrong_type(name: &str, value: ValueRef<'_>, expected: &str) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field 'APIParametersFromClient.{name}' is the wrong type '{}', expected type '{expected}'",
            value.type_name()
        ),
    )
}
