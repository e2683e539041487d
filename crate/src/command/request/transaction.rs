//! The transaction that a command says it is of: `txnNumber` with `autocommit: false`, and `startTransaction` on its
//! first command. Manual: reference/command/commitTransaction, core/transactions.

use super::params::Params;
use crate::bson::{Document, ValueRef};
use crate::error::{Code, CommandError};
use crate::state::session_id::SessionId;

/// The transaction of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Within {
    pub session: SessionId,
    pub number: i64,
    /// The command is the first one.
    pub starts: bool,
}

fn invalid(message: &str) -> CommandError {
    CommandError::new(Code::InvalidOptions, message)
}

/// Reads the fields of transactions; `None` where the command has no `autocommit`.
///
/// # Errors
/// 72 `InvalidOptions` for fields that do not go together, 14 `TypeMismatch`.
pub(super) fn read(
    command: Document<'_>,
    session: Option<SessionId>,
) -> Result<Option<Within>, CommandError> {
    let params = Params::new(command, "OperationSessionInfo", None);
    let number = match command.get("txnNumber") {
        ValueRef::Missing | ValueRef::Null => None,
        ValueRef::Int64(number) => Some(number),
        other => return Err(params.wrong_type("txnNumber", other, "long")),
    };
    let flag = |name: &'static str| match command.get(name) {
        ValueRef::Missing | ValueRef::Null => Ok(None),
        ValueRef::Boolean(flag) => Ok(Some(flag)),
        other => Err(params.wrong_type(name, other, "bool")),
    };
    let (autocommit, starts) = (flag("autocommit")?, flag("startTransaction")?);
    match (number, autocommit) {
        (Some(_), _) if session.is_none() => {
            return Err(invalid(
                "Transaction number requires a session ID to also be specified",
            ));
        }
        (Some(number), _) if number < 0 => {
            return Err(invalid("Transaction number cannot be negative"));
        }
        (None, Some(_)) => {
            return Err(invalid(
                "'autocommit' field requires a transaction number to also be specified",
            ));
        }
        (_, Some(true)) => return Err(invalid("Specifying autocommit=true is not allowed.")),
        (_, None) if starts.is_some() => {
            return Err(invalid(
                "'startTransaction' field requires 'autocommit' field to also be specified",
            ));
        }
        _ => {}
    }
    if starts == Some(false) {
        return Err(invalid("Specifying startTransaction=false is not allowed."));
    }
    Ok(match (session, number, autocommit) {
        (Some(session), Some(number), Some(_)) => Some(Within {
            session,
            number,
            starts: starts.is_some(),
        }),
        _ => None,
    })
}
