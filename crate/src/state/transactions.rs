//! The transactions of sessions: the newest number of each session, and what became of it.
//!
//! A session has one transaction at a time; one with a higher number aborts it. Numbers are those of retryable writes
//! too. Invariants: a number never falls; what is open is bounded in time, by the engine's clock.

use super::base::Base;
use super::claims::Claims;
use super::session_id::SessionId;
use super::transaction::Transaction;
use crate::storage::{Pager, SortedMap};

/// Ended transactions are remembered for as long as sessions live.
const MEMORY_MILLIS: i64 = 30 * 60_000;

/// Of more sessions, the old ones are looked for at each retryable write.
const MOST_ROWS: usize = 4096;

/// What became of a session's newest number.
pub enum State {
    /// A command of it runs, or it waits for the next one.
    Open(Option<Box<Transaction>>),
    /// Stored with the batch of this sequence.
    Committed(u64),
    Aborted,
    /// Aborted when its time was over.
    Late,
    /// The number is of a retryable write.
    Write,
}

impl State {
    /// What the number is of, as the server words it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Write => "retryable write",
            _ => "transaction",
        }
    }
}

struct Row {
    number: i64,
    state: State,
    /// When it began.
    begun_millis: i64,
    /// When it is aborted.
    until_millis: i64,
}

/// How many transactions there were since the engine was opened.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    pub started: i64,
    pub committed: i64,
    pub aborted: i64,
}

/// The transactions of a deployment.
#[derive(Default)]
pub struct TransactionTable {
    rows: SortedMap<SessionId, Row>,
    open: usize,
    totals: Totals,
}

impl TransactionTable {
    /// How many transactions there were.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// How many are open.
    pub fn open(&self) -> usize {
        self.open
    }

    /// How many sessions have a number.
    pub fn sessions(&self) -> usize {
        self.rows.entries().len()
    }

    /// A session's newest number, and what became of it.
    pub fn newest(&self, session: &SessionId) -> Option<(i64, &State)> {
        { self.rows.get(session) }.map(|row| (row.number, &row.state))
    }

    /// Begins a transaction, and aborts the session's earlier one. `times`: the engine's, and how long it may be open.
    pub fn begin(
        &mut self,
        base: &mut Base,
        session: SessionId,
        number: i64,
        (now_millis, lifetime_millis): (i64, i64),
    ) {
        self.forget_old(now_millis);
        let own = Box::new(Transaction::begin(base, (session, number)));
        let row = Row {
            number,
            state: State::Open(Some(own)),
            begun_millis: now_millis,
            until_millis: now_millis.saturating_add(lifetime_millis),
        };
        self.set(&mut base.claims, session, row);
        self.open += 1;
        self.totals.started += 1;
    }

    /// Forgets what became of numbers whose sessions are over by now.
    pub fn forget_old(&mut self, now_millis: i64) {
        self.rows.retain(&mut |row| {
            let is_open = matches!(row.state, State::Open(_));
            is_open || now_millis.saturating_sub(row.begun_millis) < MEMORY_MILLIS
        });
    }

    /// Notes the number of a retryable write, which aborts the session's transaction.
    pub fn note_write(
        &mut self,
        claims: &mut Claims,
        session: SessionId,
        number: i64,
        now_millis: i64,
    ) {
        if self.rows.entries().len() >= MOST_ROWS {
            self.forget_old(now_millis);
        }
        let row = Row {
            number,
            state: State::Write,
            begun_millis: now_millis,
            until_millis: now_millis,
        };
        self.set(claims, session, row);
    }

    fn set(&mut self, claims: &mut Claims, session: SessionId, row: Row) {
        self.end(claims, &session, State::Aborted);
        self.rows.insert(session, row);
    }

    /// Takes the open transaction of a session, for a command of it.
    pub fn take(&mut self, session: &SessionId) -> Option<Box<Transaction>> {
        match &mut self.rows.get_mut(session)?.state {
            State::Open(own) => own.take(),
            _ => None,
        }
    }

    /// The open transaction of a session.
    pub fn open_mut(&mut self, session: &SessionId) -> Option<&mut Transaction> {
        match &mut self.rows.get_mut(session)?.state {
            State::Open(Some(own)) => Some(own),
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
        let count = match state {
            State::Committed(_) => &mut self.totals.committed,
            _ => &mut self.totals.aborted,
        };
        if let State::Open(own) = std::mem::replace(&mut row.state, state) {
            self.open -= 1;
            *count += 1;
            if let Some(own) = own {
                claims.end(own.owner());
            }
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
        let late = { self.rows.entries().iter() }.filter(|(_, row)| {
            matches!(row.state, State::Open(_)) && row.until_millis <= now_millis
        });
        let sessions: Vec<SessionId> = late.map(|(session, _)| *session).collect();
        for session in &sessions {
            self.end(claims, session, State::Late);
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

    /// What is not stored is lost, after this sequence: the commits behind it never were, and what is open began on it.
    pub fn lose(&mut self, claims: &mut Claims, durable: u64) {
        for row in self.rows.values_mut() {
            if matches!(row.state, State::Committed(sequence) if sequence > durable) {
                row.state = State::Aborted;
            }
        }
        self.abort_of(claims, &|_| true);
    }
}
