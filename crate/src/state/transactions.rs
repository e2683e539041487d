//! The transactions of sessions: the newest number of each session, and what became of it.
//!
//! A session has one transaction at a time; one with a higher number aborts it. Numbers are those of retryable writes
//! too. Invariants: a number never falls; what is open is bounded in time (`lifetime_millis`, by the engine's clock).

use super::base::Base;
use super::claims::Claims;
use super::transaction::Transaction;
use crate::error::CommandError;
use crate::storage::{Pager, SortedMap};

/// The identity of a session.
pub type SessionId = [u8; 16];

/// The manual's `transactionLifetimeLimitSeconds`.
pub const LIFETIME_SECONDS: i64 = 60;
/// Ended transactions are remembered for as long as sessions live.
const MEMORY_MILLIS: i64 = 30 * 60_000;

/// What became of a session's newest number.
pub enum State {
    /// A command of it runs, or it waits for the next one.
    Open(Option<Box<Transaction>>),
    Committed,
    Aborted,
    /// The number is of a retryable write.
    Write,
}

struct Row {
    number: i64,
    state: State,
    /// When it began.
    begun_millis: i64,
}

/// The transactions of a deployment.
pub struct TransactionTable {
    rows: SortedMap<SessionId, Row>,
    open: usize,
    pub lifetime_millis: i64,
}

impl Default for TransactionTable {
    fn default() -> Self {
        Self {
            rows: SortedMap::default(),
            open: 0,
            lifetime_millis: LIFETIME_SECONDS * 1000,
        }
    }
}

impl TransactionTable {
    /// How many are open.
    pub fn open_count(&self) -> usize {
        self.open
    }

    /// A session's newest number, and what became of it.
    pub fn newest(&self, session: &SessionId) -> Option<(i64, &State)> {
        { self.rows.get(session) }.map(|row| (row.number, &row.state))
    }

    /// Begins a transaction, and aborts the session's earlier one.
    pub fn begin(&mut self, base: &mut Base, session: SessionId, number: i64, now_millis: i64) {
        self.rows.retain(&mut |row| {
            let is_open = matches!(row.state, State::Open(_));
            is_open || now_millis.saturating_sub(row.begun_millis) < MEMORY_MILLIS
        });
        let own = Box::new(Transaction::begin(base));
        self.set(
            &mut base.claims,
            session,
            number,
            State::Open(Some(own)),
            now_millis,
        );
    }

    /// Notes the number of a retryable write, which aborts the session's transaction.
    pub fn note_write(
        &mut self,
        claims: &mut Claims,
        session: SessionId,
        number: i64,
        now_millis: i64,
    ) {
        self.set(claims, session, number, State::Write, now_millis);
    }

    fn set(
        &mut self,
        claims: &mut Claims,
        session: SessionId,
        number: i64,
        state: State,
        begun_millis: i64,
    ) {
        self.end(claims, &session, State::Aborted);
        self.open += usize::from(matches!(state, State::Open(_)));
        let row = Row {
            number,
            state,
            begun_millis,
        };
        self.rows.insert(session, row);
    }

    /// Takes the open transaction of a session, for a command of it.
    pub fn take(&mut self, session: &SessionId) -> Option<Box<Transaction>> {
        match &mut self.rows.get_mut(session)?.state {
            State::Open(own) => own.take(),
            _ => None,
        }
    }

    /// Puts back what was taken.
    pub fn put_back(&mut self, session: &SessionId, transaction: Box<Transaction>) {
        if let Some(row) = self.rows.get_mut(session) {
            row.state = State::Open(Some(transaction));
        }
    }

    /// Ends the open transaction of a session, if there is one that is not taken.
    pub fn end(&mut self, claims: &mut Claims, session: &SessionId, state: State) {
        let Some(row) = self.rows.get_mut(session) else {
            return;
        };
        if let State::Open(own) = std::mem::replace(&mut row.state, State::Aborted) {
            row.state = state;
            self.open -= 1;
            if let Some(own) = own {
                claims.end(own.owner());
            }
        } else {
            row.state = state;
        }
    }

    /// Ends a transaction that was taken.
    pub fn end_taken(
        &mut self,
        claims: &mut Claims,
        session: &SessionId,
        transaction: &Transaction,
        state: State,
    ) {
        claims.end(transaction.owner());
        self.end(claims, session, state);
    }

    /// Aborts the open transactions of those sessions.
    pub fn abort_of(&mut self, claims: &mut Claims, is_of: &dyn Fn(&SessionId) -> bool) {
        if self.open == 0 {
            return;
        }
        let open = { self.rows.entries().iter() }
            .filter(|(session, row)| matches!(row.state, State::Open(_)) && is_of(session));
        let sessions: Vec<SessionId> = open.map(|(session, _)| *session).collect();
        for session in &sessions {
            self.end(claims, session, State::Aborted);
        }
    }

    /// Aborts those that are past their time.
    #[inline]
    pub fn expire(&mut self, claims: &mut Claims, now_millis: i64) {
        if self.open > 0 {
            self.expire_some(claims, now_millis);
        }
    }

    #[inline(never)]
    fn expire_some(&mut self, claims: &mut Claims, now_millis: i64) {
        let latest = now_millis.saturating_sub(self.lifetime_millis);
        let late = { self.rows.entries().iter() }
            .filter(|(_, row)| matches!(row.state, State::Open(_)) && row.begun_millis <= latest);
        let sessions: Vec<SessionId> = late.map(|(session, _)| *session).collect();
        for session in &sessions {
            self.end(claims, session, State::Aborted);
        }
    }

    /// The session and number of the transaction that a cursor was opened in.
    pub fn of_cursor(&self, id: i64) -> Option<(SessionId, i64)> {
        let mut rows = self.rows.entries().iter();
        rows.find_map(|(session, row)| match &row.state {
            State::Open(Some(own)) if own.cursors.iter().any(|(known, _)| known == id) => {
                Some((*session, row.number))
            }
            _ => None,
        })
    }

    fn all_open(&mut self) -> impl Iterator<Item = &mut Box<Transaction>> {
        self.rows
            .values_mut()
            .filter_map(|row| match &mut row.state {
                State::Open(own) => own.as_mut(),
                _ => None,
            })
    }

    /// Whether some transaction has pages of its state still to read.
    pub fn has_absent(&self) -> bool {
        let mut rows = self.rows.entries().iter();
        self.open > 0
            && rows
                .any(|(_, row)| matches!(&row.state, State::Open(Some(own)) if !own.is_resident()))
    }

    /// Before the present moves on: takes the pages of it that have arrived.
    pub fn take_arrived(&mut self, present: &Pager) {
        self.all_open().for_each(|own| own.take_arrived(present));
    }

    /// The present has moved on.
    pub fn leave(&mut self) {
        self.all_open().for_each(|own| own.leave());
    }

    /// Commits a transaction that was taken (`commit.rs`).
    ///
    /// # Errors
    /// As `commit`. The transaction is over, unless the commit can be tried again: it is put back then.
    pub fn settle(
        &mut self,
        claims: &mut Claims,
        session: &SessionId,
        transaction: Box<Transaction>,
        result: Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        match &result {
            Err(error)
                if error.missing_page.is_some() || error.wants_room || error.ends_command() =>
            {
                self.put_back(session, transaction);
            }
            Err(_) => self.end_taken(claims, session, &transaction, State::Aborted),
            Ok(()) => self.end_taken(claims, session, &transaction, State::Committed),
        }
        result
    }
}
