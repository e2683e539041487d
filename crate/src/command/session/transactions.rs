//! `commitTransaction` and `abortTransaction`, and the way of any command into its transaction and out of it.
//!
//! Manual: core/transactions, core/transactions-operations. A command that is refused before it enters leaves its
//! transaction as it was. One that fails inside ends it, but for a page that is missing: it is run again then.
//! Invariant: a transaction is in the table, or in the hands of the command that runs in it.

use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::command::context::{CommandContext, CommandResult, Deployment};
use crate::command::diagnostics::parameters::LIFETIME_SECONDS;
use crate::command::reply::finish_ok;
use crate::command::request::{Request, Within, stable_api};
use crate::command::row::{CommandRow, InTransactions};
use crate::command::write::retryable::stored_number;
use crate::error::{Code, CommandError};
use crate::state::oplog::Author;
use crate::state::session_id::{SessionId, session_text};
use crate::state::{self, Base, OpenCursor, Transaction, TransactionState};

/// The label of errors after which the whole transaction may be tried again.
const TRANSIENT: &str = "TransientTransactionError";

fn not_inside(reason: String) -> CommandError {
    CommandError::new(Code::OperationNotSupportedInTransaction, reason)
}

fn no_such(reason: String) -> CommandError {
    CommandError::new(Code::NoSuchTransaction, reason)
}

/// Whether a command may be run in a transaction at all.
fn check_command(
    row: &CommandRow,
    request: &Request<'_>,
    within: &Within,
) -> Result<(), CommandError> {
    match row.in_transactions {
        InTransactions::Never { instead } => {
            let name = request.name;
            return Err(not_inside(format!(
                "Cannot run '{name}' in a multi-document transaction.{instead}"
            )));
        }
        InTransactions::Later if within.starts => {
            return Err(not_inside(format!(
                "Cannot run {} as the first operation in a multi-document transaction.",
                row.name
            )));
        }
        InTransactions::Ends { called } if within.starts => {
            return Err(not_inside(format!(
                "Cannot start a transaction with {called}"
            )));
        }
        _ => {}
    }
    let collection = match row.collection_field {
        Some(field) => request.document.get(field),
        None => request.argument,
    };
    match (request.database, collection.as_str()) {
        ("local", _) => Err(not_inside(
            "Cannot run command against the 'local' database in a transaction.".to_owned(),
        )),
        ("config", _) => Err(not_inside(
            "Cannot run command against the config database in a transaction.".to_owned(),
        )),
        (database, Some(name @ ("system.profile" | "system.views"))) => Err(not_inside(format!(
            "Cannot run command against the '{database}.{name}' collection in a transaction."
        ))),
        _ => Ok(()),
    }
}

/// Whether a command's transaction is there, or is to begin.
fn check_state(
    newest: Option<(i64, &TransactionState)>,
    row: &CommandRow,
    within: &Within,
) -> Result<bool, CommandError> {
    let number = within.number;
    let unknown = |active: i64| {
        no_such(format!(
            "Given transaction number {number} does not match any in-progress transactions. The active \
             transaction number is {active}"
        ))
    };
    let (active, state) = match newest {
        None if within.starts => return Ok(true),
        None => return Err(unknown(-1)),
        Some(newest) => newest,
    };
    if number < active {
        let kind = state.kind();
        return Err(CommandError::new(
            Code::TransactionTooOld,
            format!(
                "Cannot start transaction with {{ txnNumber: {number} }} on session {} because a newer {kind} \
                 with txnNumberAndRetryCounter {{ txnNumber: {active} }} has already started on this session.",
                session_text(&within.session)
            ),
        ));
    }
    if number > active {
        return match within.starts {
            true => Ok(true),
            false => Err(unknown(active)),
        };
    }
    if within.starts {
        return match state {
            // Its first command is run again.
            TransactionState::Open(Some(own)) if own.is_fresh() => Ok(false),
            _ => Err(CommandError::new(
                Code::ConflictingOperationInProgress,
                "Only servers in a sharded cluster can start a new transaction at the active transaction number",
            )),
        };
    }
    match state {
        TransactionState::Open(_) => Ok(false),
        TransactionState::Write => Err(unknown(active)),
        TransactionState::Aborted => Err(no_such(format!(
            "Transaction with {{ txnNumber: {number} }} has been aborted."
        ))),
        TransactionState::Late => Err(no_such(format!(
            "Transaction with {{ txnNumber: {number} }} has been aborted. (It was open for longer than \
             transactionLifetimeLimitSeconds.)"
        ))),
        TransactionState::Committed(_) if row.in_transactions.commits() => Ok(false),
        TransactionState::Committed(_) => Err(CommandError::new(
            Code::TransactionCommitted,
            format!("Transaction with {{ txnNumber: {number} }} has been committed."),
        )),
    }
}

/// Notes the number that a session had before the engine was opened, where it has none yet.
fn recall(
    base: &mut Base,
    deployment: &mut Deployment,
    session: &SessionId,
    now_millis: i64,
) -> Result<(), CommandError> {
    if deployment.transactions.newest(session).is_none()
        && let Some(number) = stored_number(&base.view(), session)?
    {
        let table = &mut deployment.transactions;
        table.note_write(&mut base.claims, *session, number, now_millis);
    }
    Ok(())
}

/// Notes the number of a retryable write, which aborts the open transaction of its session.
///
/// # Errors
/// 225 `TransactionTooOld`, 72 `InvalidOptions` for the number of a transaction.
pub fn begin_write(
    base: &mut Base,
    deployment: &mut Deployment,
    request: &Request<'_>,
    now_millis: i64,
) -> Result<(), CommandError> {
    let (Some(session), Some(number)) = (request.session, request.write_number) else {
        return Ok(());
    };
    recall(base, deployment, &session, now_millis)?;
    let table = &mut deployment.transactions;
    if { table.newest(&session) }.is_some_and(|(active, _)| number < active) {
        table.forget_old(now_millis);
    }
    match table.newest(&session) {
        Some((active, state)) if number < active => {
            Err(write_too_old(number, &session, state.kind(), active))
        }
        Some((active, TransactionState::Write)) if number == active => Ok(()),
        Some((active, _)) if number == active => Err(CommandError::new(
            Code::InvalidOptions,
            "Must specify autocommit=false on all operations of a multi-statement transaction.",
        )),
        _ => {
            table.note_write(&mut base.claims, session, number, now_millis);
            Ok(())
        }
    }
}

/// The error of a retryable write whose session has gone on.
pub fn write_too_old(number: i64, session: &SessionId, kind: &str, active: i64) -> CommandError {
    CommandError::new(
        Code::TransactionTooOld,
        format!(
            "Retryable write with txnNumber {number} is prohibited on session {} because a newer {kind} with \
             txnNumber {active} has already started on this session.",
            session_text(session)
        ),
    )
}

/// Takes a command's transaction for it, which may begin now; none for a command that ends one.
///
/// # Errors
/// 20 `IllegalOperation` on a standalone, 263 `OperationNotSupportedInTransaction`, 225 `TransactionTooOld`, 117
/// `ConflictingOperationInProgress`, 251 `NoSuchTransaction`, 256 `TransactionCommitted`.
pub fn enter(
    base: &mut Base,
    deployment: &mut Deployment,
    (row, request): (&CommandRow, &Request<'_>),
    now_millis: i64,
) -> Result<Option<Box<Transaction>>, CommandError> {
    let Some(within) = &request.transaction else {
        return Ok(None);
    };
    if !deployment.topology.is_replica_set() {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "Transaction numbers are only allowed on a replica set member or mongos",
        ));
    }
    check_command(row, request, within)?;
    recall(base, deployment, &within.session, now_millis)?;
    let table = &mut deployment.transactions;
    let begins = check_state(table.newest(&within.session), row, within)?;
    if begins {
        let lifetime = deployment.parameters.number(LIFETIME_SECONDS);
        let times = (now_millis, lifetime.saturating_mul(1000));
        table.begin(base, within.session, within.number, times);
    }
    if let Some(own) = table.open_mut(&within.session) {
        let api = stable_api::options(request.document);
        if begins {
            own.api = api;
        } else if own.api != api {
            return Err(CommandError::new(
                Code::APIMismatchError,
                format!(
                    "API parameter mismatch: {} used params {}, the transaction's first command used {}",
                    row.name,
                    api.as_document(),
                    own.api.as_document()
                ),
            ));
        }
    }
    Ok(match row.in_transactions {
        InTransactions::Ends { .. } => None,
        _ => table.take(&within.session),
    })
}

/// Ends a command of a transaction: the transaction goes on, or ends where the command failed.
///
/// # Errors
/// That of the command; 257 `TransactionTooLarge`.
pub fn leave<T>(
    base: &mut Base,
    deployment: &mut Deployment,
    session: &SessionId,
    mut own: Box<Transaction>,
    result: Result<T, CommandError>,
) -> Result<T, CommandError> {
    let table = &mut deployment.transactions;
    let result = match result {
        Err(error) if error.missing_page.is_some() => {
            table.put_back(session, own);
            return Err(error);
        }
        Err(error) => Err(own.explain(error)),
        // The reply tells which statement was refused.
        Ok(reply) if own.has_refusal() => {
            table.end_taken(&mut base.claims, session, &own, TransactionState::Aborted);
            return Ok(reply);
        }
        Ok(reply) => own.keep().map(|()| reply),
    };
    match &result {
        Ok(_) => table.put_back(session, own),
        Err(_) => {
            table.end_taken(&mut base.claims, session, &own, TransactionState::Aborted);
        }
    }
    result
}

/// Ends a command that ends a transaction: one that commits has made its changes, or is refused.
pub fn conclude<T>(
    base: &mut Base,
    deployment: &mut Deployment,
    (row, within): (&CommandRow, &Within),
    result: &Result<T, CommandError>,
) {
    if !row.in_transactions.commits() {
        return;
    }
    let table = &mut deployment.transactions;
    let has_changes = match table.newest(&within.session) {
        Some((_, TransactionState::Open(Some(own)))) => !own.whole().operations().is_empty(),
        _ => return,
    };
    let state = match result {
        // It can be tried again.
        Err(error) if error.wants_room || error.ends_command() => return,
        Err(_) => TransactionState::Aborted,
        Ok(_) if !has_changes => TransactionState::Committed(0),
        Ok(_) => TransactionState::Committed(base.pages.next_sequence()),
    };
    table.end(&mut base.claims, &within.session, state);
}

/// Labels an error of a command in a transaction, where all of it may be tried again.
pub fn labelled(error: CommandError) -> CommandError {
    const CODES: [Code; 4] = [
        Code::WriteConflict,
        Code::LockTimeout,
        Code::SnapshotUnavailable,
        Code::NoSuchTransaction,
    ];
    let is_transient = CODES.iter().any(|code| *code as i32 == error.code);
    if !is_transient || error.missing_page.is_some() {
        return error;
    }
    let mut details = match &error.details {
        Some(details) => DocumentBuilder::with_buffer(Vec::with_capacity(details.len() + 64)),
        None => DocumentBuilder::new(),
    };
    details
        .begin_array("errorLabels")
        .append("0", TRANSIENT)
        .end();
    let details: DocumentBuf = details.finish();
    error.with_details(details.into_bytes())
}

fn cannot_read_on(id: i64, number: i32, why: &str) -> CommandError {
    CommandError::location(number, format!("Cannot run getMore on cursor {id}, {why}"))
}

/// A cursor is read on in the session that opened it.
///
/// # Errors
/// 50736, 50737 and 50738 in another one, or in none.
pub fn check_session(
    request: &Request<'_>,
    id: i64,
    cursor: &OpenCursor,
) -> Result<(), CommandError> {
    match (cursor.session, request.session) {
        (owner, given) if given == owner => Ok(()),
        (Some(owner), given) => Err(of_another(id, &owner, given)),
        (None, given) => {
            let own = given.as_ref().map(session_text).unwrap_or_default();
            let why = format!("which was not created in a session, in session {own}");
            Err(cannot_read_on(id, 50_736, &why))
        }
    }
}

fn of_another(id: i64, owner: &SessionId, given: Option<SessionId>) -> CommandError {
    let why = format!("which was created in session {}", session_text(owner));
    match given.as_ref().map(session_text) {
        None => cannot_read_on(id, 50_737, &format!("{why}, without an lsid")),
        Some(own) => cannot_read_on(id, 50_738, &format!("{why}, in session {own}")),
    }
}

/// The error of a `getMore` that finds no cursor: it may be of a transaction, or of none.
pub fn explain_cursor(
    context: &CommandContext<'_>,
    request: &Request<'_>,
    id: i64,
    error: CommandError,
) -> CommandError {
    if error.code != Code::CursorNotFound as i32 {
        return error;
    }
    if let Some(within) = &request.transaction
        && context.unit.is_outside_cursor(id)
    {
        let number = within.number;
        let why = format!("which was not created in a transaction, in transaction {number}");
        return cannot_read_on(id, 50_739, &why);
    }
    let Some((session, number)) = context.deployment.transactions.of_cursor(id) else {
        return error;
    };
    match request.session {
        Some(own) if own == session => {
            let why = format!("which was created in transaction {number}, without a txnNumber");
            cannot_read_on(id, 50_740, &why)
        }
        given => of_another(id, &session, given),
    }
}

/// The transaction that a command is to end.
fn ended<'a>(request: &'a Request<'_>) -> Result<&'a Within, CommandError> {
    request.params().finish()?;
    request.transaction.as_ref().ok_or_else(|| {
        CommandError::new(
            Code::CommandFailed,
            format!("{} must be run within a transaction", request.name),
        )
    })
}

pub(in crate::command) fn commit(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let within = ended(request)?;
    let table = &mut context.deployment.transactions;
    // One that is committed already is only to be as durable as this command says. It stays open until the unit is kept
    // (`conclude`).
    if let Some(own) = table.take(&within.session) {
        let held = context.unit.claims_mut().end(own.owner());
        let unit = &mut context.unit;
        let result = state::commit(unit, &own, context.env);
        unit.changes_mut().note_transaction(Author {
            session: within.session,
            number: within.number,
            is_transaction: true,
            image: "",
        });
        if let Some(held) = held {
            context.unit.claims_mut().put_back(held);
        }
        table.put_back(&within.session, own);
        result?;
    }
    Ok(finish_ok(DocumentBuilder::new()))
}

pub(in crate::command) fn abort(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let within = ended(request)?;
    let table = &mut context.deployment.transactions;
    let claims = context.unit.claims_mut();
    table.end(claims, &within.session, TransactionState::Aborted);
    Ok(finish_ok(DocumentBuilder::new()))
}
