//! The session that a command says it belongs to (`lsid`). Manual: reference/server-sessions.

use super::params::{Params, invalid_uuid};
use crate::bson::ValueRef;
use crate::catalog::stored::UUID_SUBTYPE;
use crate::command::session::sessions::id_of;
use crate::error::{Code, CommandError};
use crate::state::session_id::SessionId;

/// The id in a command's `lsid`, if the command has one.
///
/// # Errors
/// 14 `TypeMismatch`, 40414 `IDLFailedToParse`, and 40415 for fields that no session has.
pub(super) fn read(session: ValueRef<'_>) -> Result<Option<SessionId>, CommandError> {
    match session {
        ValueRef::Missing => Ok(None),
        ValueRef::Document(given) if given.len() == 1 => match id_of(session) {
            None => read_other(session),
            found => Ok(found),
        },
        other => read_other(other),
    }
}

/// A session that is not an id alone: its user's digest may stand beside it.
#[cold]
#[inline(never)]
fn read_other(session: ValueRef<'_>) -> Result<Option<SessionId>, CommandError> {
    required(session, "OperationSessionInfo.lsid").map(Some)
}

/// The id of a session that messages call `context`.
///
/// # Errors
/// 14 `TypeMismatch`, 40414 `IDLFailedToParse`, 40415 for fields that no session has, 207 `InvalidUUID`.
pub(in crate::command) fn required(
    session: ValueRef<'_>,
    context: &str,
) -> Result<SessionId, CommandError> {
    let wrong = |field: &str, found: &str, expected: &str| {
        Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field '{context}{field}' is the wrong {found}, expected type '{expected}'"
            ),
        ))
    };
    let wrong_type = |field: &str, value: ValueRef<'_>, expected: &str| {
        wrong(field, &format!("type '{}'", value.type_name()), expected)
    };
    let Some(document) = session.as_document() else {
        return wrong_type("", session, "object");
    };
    let params = Params::new(document, context, None);
    let id = params.value("id");
    params.value("uid");
    let missing = params.missing("id");
    params.finish()?;
    match id {
        ValueRef::Missing | ValueRef::Null => Err(missing),
        ValueRef::Binary {
            subtype: UUID_SUBTYPE,
            ..
        } => id_of(session).ok_or_else(invalid_uuid),
        ValueRef::Binary { .. } => wrong(".id", "binData type", "UUID"),
        other => wrong_type(".id", other, "binData"),
    }
}
