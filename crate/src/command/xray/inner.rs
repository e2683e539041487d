//! The command that another one runs.
//!
//! Invariant: a command runs at most one level inside another, but for those that are observed: a fork's, and a read on
//! a moment.

use crate::bson::Document;
use crate::command::request::{Incoming, Request};
use crate::command::row::WriteAccess;
use crate::command::table;
use crate::error::{Code, CommandError};

/// The command inside a request, found and read as any other.
///
/// # Errors
/// 20 `IllegalOperation` for one that cannot be run inside another; errors of the command's generic fields.
pub fn read<'a>(request: &Request<'a>) -> Result<Incoming<'a>, CommandError> {
    inside(request, command_of(request)?)
}

/// The document of the command inside a request.
///
/// # Errors
/// 14 `TypeMismatch`, 40414 where there is none.
pub fn command_of<'a>(request: &Request<'a>) -> Result<Document<'a>, CommandError> {
    let params = request.params();
    { params.document("command")? }.ok_or_else(|| params.missing("command"))
}

/// Reads a command that is to run inside a request.
///
/// # Errors
/// Those of `read`.
pub(super) fn inside<'a>(
    request: &Request<'a>,
    command: Document<'a>,
) -> Result<Incoming<'a>, CommandError> {
    let incoming = Incoming::inside(command, request)?;
    match incoming.row.access {
        _ if incoming.row.wants_settled(true) => Err(refused(request, incoming.row.name)),
        WriteAccess::ByInner if !is_fork(request) => Err(refused(request, incoming.row.name)),
        _ => Ok(incoming),
    }
}

fn is_fork(request: &Request<'_>) -> bool {
    table::find(request.name).is_some_and(|row| row.access == WriteAccess::Fork)
}

/// Whether the command inside a request may change pages or the catalog.
pub fn writes(request: &Request<'_>) -> bool {
    read(request).is_ok_and(|inner| inner.row.writes(&inner.request))
}

#[cold]
pub(super) fn refused(request: &Request<'_>, name: &str) -> CommandError {
    CommandError::new(
        Code::IllegalOperation,
        format!("{} cannot run '{name}'", request.name),
    )
}
