//! What all commands have in common: the fields that any of them may carry, and what a standalone refuses of them.
//!
//! Invariant: what a command may do without is read and checked in functions of its own, because a browser compiles a
//! function whole when it is first called.

use super::stable_api;
use crate::bson::{Document, ValueRef};
use crate::catalog;
use crate::command::Request;
use crate::command::params::Params;
use crate::command::sessions;
use crate::error::{Code, CommandError};

/// The fields that any command may carry, read in one walk: most commands have none but `$db`.
struct GenericFields<'a> {
    database: ValueRef<'a>,
    session: ValueRef<'a>,
    write_concern: ValueRef<'a>,
    max_time: ValueRef<'a>,
    comment: ValueRef<'a>,
    /// Whether any of those is there that `check_rare` looks at.
    has_rare: bool,
}

impl<'a> GenericFields<'a> {
    fn read(document: Document<'a>) -> Self {
        let mut fields = Self {
            database: ValueRef::Missing,
            session: ValueRef::Missing,
            write_concern: ValueRef::Missing,
            max_time: ValueRef::Missing,
            comment: ValueRef::Missing,
            has_rare: false,
        };
        for element in document.raw_elements() {
            let slot = match element.name {
                b"$db" => &mut fields.database,
                b"lsid" => &mut fields.session,
                b"comment" => &mut fields.comment,
                b"maxTimeMS" => &mut fields.max_time,
                b"writeConcern" => &mut fields.write_concern,
                b"txnNumber"
                | b"autocommit"
                | b"startTransaction"
                | b"apiVersion"
                | b"apiStrict"
                | b"apiDeprecationErrors"
                | b"readConcern" => {
                    fields.has_rare = true;
                    continue;
                }
                _ => continue,
            };
            // The first field of a name counts.
            if slot.is_missing() {
                *slot = element.value();
            }
        }
        fields
    }
}

/// Reads what is common to all commands, and refuses what a standalone refuses.
pub(super) fn read_request(
    document: Document<'_>,
    nesting: usize,
) -> Result<Request<'_>, CommandError> {
    let Some(first) = document.iter().next() else {
        return Err(CommandError::new(
            Code::CommandNotFound,
            "no such command: ''",
        ));
    };
    let fields = GenericFields::read(document);
    let database = match fields.database {
        ValueRef::String(name) => name,
        ValueRef::Missing => {
            return Err(CommandError::location(
                40571,
                "OP_MSG requests require a $db argument",
            ));
        }
        other => {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field '{}.$db' is the wrong type '{}', expected type 'string'",
                    first.name,
                    other.type_name()
                ),
            ));
        }
    };
    catalog::names::check_database(database)?;
    check_session(fields.session)?;
    if fields.has_rare {
        check_rare(document, first.name)?;
    }
    Ok(Request {
        document,
        name: first.name,
        argument: first.value,
        database,
        nesting,
        max_time_millis: match fields.max_time {
            ValueRef::Missing => 0,
            given => max_time(given)?,
        },
        comment: fields.comment,
        session: fields.session,
        write_concern: fields.write_concern,
    })
}

fn check_session(session: ValueRef<'_>) -> Result<(), CommandError> {
    match session {
        ValueRef::Missing => Ok(()),
        ValueRef::Document(given) if given.len() == 1 && sessions::id_of(session).is_some() => {
            Ok(())
        }
        other => check_other_session(other),
    }
}

/// A session that is not an id alone: its user's digest may stand beside it.
#[cold]
#[inline(never)]
fn check_other_session(session: ValueRef<'_>) -> Result<(), CommandError> {
    const CONTEXT: &str = "OperationSessionInfo.lsid";
    let wrong_type = |field: &str, value: ValueRef<'_>, expected: &str| {
        Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field '{CONTEXT}{field}' is the wrong type '{}', expected type '{expected}'",
                value.type_name()
            ),
        ))
    };
    let Some(document) = session.as_document() else {
        return wrong_type("", session, "object");
    };
    let params = Params::new(document, CONTEXT, None);
    let id = params.value("id");
    params.value("uid");
    params.finish()?;
    match id {
        ValueRef::Missing => Err(CommandError::new(
            Code::IDLFailedToParse,
            format!("BSON field '{CONTEXT}.id' is missing but a required field"),
        )),
        ValueRef::Binary { .. } if sessions::id_of(session).is_some() => Ok(()),
        ValueRef::Binary { .. } => Err(CommandError::new(
            Code::TypeMismatch,
            format!("BSON field '{CONTEXT}.id' is the wrong binData type, expected type 'UUID'"),
        )),
        other => wrong_type(".id", other, "binData"),
    }
}

/// What few commands say. A standalone has sessions but no transactions.
// Apart: a browser compiles a function whole when it is first called.
#[inline(never)]
fn check_rare(command: Document<'_>, name: &str) -> Result<(), CommandError> {
    if !command.get("txnNumber").is_missing() {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "Transaction numbers are only allowed on a replica set member or mongos",
        ));
    }
    for name in ["autocommit", "startTransaction"] {
        if !command.get(name).is_missing() {
            return Err(CommandError::new(
                Code::InvalidOptions,
                format!("Specifying {name} requires a transaction number"),
            ));
        }
    }
    stable_api::check(command, name)?;
    check_read_concern(command.get("readConcern"))
}

fn check_read_concern(concern: ValueRef<'_>) -> Result<(), CommandError> {
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
        match (element.name, element.value) {
            ("level", ValueRef::String("local" | "available" | "majority")) => {}
            ("level", ValueRef::String("linearizable" | "snapshot")) | ("afterClusterTime", _) => {
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

#[inline(never)]
fn max_time(value: ValueRef<'_>) -> Result<i64, CommandError> {
    let number = value
        .as_number()
        .ok_or_else(|| CommandError::new(Code::BadValue, "maxTimeMS must be a number"))?;
    match number.to_exact_i64() {
        Some(millis) if (0..=i64::from(i32::MAX)).contains(&millis) => Ok(millis),
        Some(millis) => Err(CommandError::new(
            Code::BadValue,
            format!("{millis} value for maxTimeMS is out of range [0, 2147483647]"),
        )),
        None => Err(CommandError::new(
            Code::BadValue,
            "maxTimeMS has non-integral value",
        )),
    }
}
