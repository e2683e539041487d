//! The session that a command says it belongs to (`lsid`). Manual: reference/server-sessions.

use super::params::Params;
use crate::bson::ValueRef;
use crate::command::session::sessions::{SessionId, id_of};
use crate::error::{Code, CommandError};

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
        ValueRef::Binary { .. } => id_of(session).map(Some).ok_or_else(|| {
            CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field '{CONTEXT}.id' is the wrong binData type, expected type 'UUID'"
                ),
            )
        }),
        other => wrong_type(".id", other, "binData"),
    }
}
