//! Logical sessions: which were used lately, as `$listLocalSessions` and `$listSessions` list them.
//!
//! Manual: reference/operator/aggregation/listSessions. Invariant: in memory only. As on a server, every five minutes
//! of engine time the sessions that were used since move from the local list to the refreshed one, where they expire
//! after thirty minutes. Both lists are bounded.

use crate::bson::{DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::stored::UUID_SUBTYPE;
use crate::error::{Code, CommandError};
use crate::state::session_id::{SessionId, append_identity, session_text};
use crate::storage::SortedMap;

/// How often the local list is handed over.
const REFRESH_MILLIS: i64 = 300_000;
/// How long a session that nobody uses lives.
pub const SESSION_MINUTES: i64 = 30;
const TIMEOUT_MILLIS: i64 = SESSION_MINUTES * 60_000;
/// How many sessions may be used between two refreshes; a server's default is a million.
const MOST_SESSIONS: usize = 100_000;
/// The id in a command's `lsid`.
pub fn id_of(session: ValueRef<'_>) -> Option<SessionId> {
    match session.as_document()?.get("id") {
        ValueRef::Binary {
            subtype: UUID_SUBTYPE,
            bytes,
        } => bytes.try_into().ok(),
        _ => None,
    }
}

/// The sessions of a deployment.
#[derive(Debug, Default)]
pub struct SessionTable {
    /// When each session was used last, of those used since the last refresh.
    local: SortedMap<SessionId, i64>,
    refreshed: SortedMap<SessionId, i64>,
    /// Sessions that their clients have ended since the last refresh.
    ended: SortedMap<SessionId, i64>,
    refreshed_millis: Option<i64>,
    jobs: Jobs,
}

/// The refreshes so far, and what the last one did.
#[derive(Debug, Default)]
struct Jobs {
    count: i32,
    refreshed: usize,
    ended: usize,
}

impl SessionTable {
    /// Notes that a command uses a session. Where the time for it has come, the local list is handed over before; gives
    /// the sessions that are gone then.
    ///
    /// # Errors
    /// 261 `TooManyLogicalSessions`.
    #[inline]
    pub fn note(
        &mut self,
        session: Option<SessionId>,
        now_millis: i64,
    ) -> Result<Vec<SessionId>, CommandError> {
        let last = *self.refreshed_millis.get_or_insert(now_millis);
        let gone = match now_millis.saturating_sub(last) >= REFRESH_MILLIS {
            true => self.refresh(now_millis),
            false => Vec::new(),
        };
        if let Some(id) = session {
            self.use_now(id, now_millis)?;
        }
        Ok(gone)
    }

    #[inline(never)]
    fn refresh(&mut self, now_millis: i64) -> Vec<SessionId> {
        self.refreshed_millis = Some(now_millis);
        self.jobs = Jobs {
            count: self.jobs.count.saturating_add(1),
            refreshed: self.local.entries().len(),
            ended: self.ended.entries().len(),
        };
        for (id, used) in self.local.entries() {
            self.refreshed.insert(*id, *used);
        }
        self.local.clear();
        let is_gone = |(id, used): &&(SessionId, i64)| {
            now_millis.saturating_sub(*used) >= TIMEOUT_MILLIS || self.ended.contains_key(id)
        };
        let gone = { self.refreshed.entries().iter() }.filter(is_gone);
        let gone: Vec<SessionId> = gone.map(|(id, _)| *id).collect();
        for id in &gone {
            self.refreshed.remove(id);
        }
        self.ended.clear();
        gone
    }

    #[inline(never)]
    fn use_now(&mut self, id: SessionId, now_millis: i64) -> Result<(), CommandError> {
        let is_full = self.local.entries().len() >= MOST_SESSIONS;
        if is_full && !self.local.contains_key(&id) {
            return Err(CommandError::new(
                Code::TooManyLogicalSessions,
                format!(
                    "Unable to add session ID {} into the cache because the number of active sessions is too high",
                    session_text(&id)
                ),
            ));
        }
        self.local.insert(id, now_millis);
        Ok(())
    }

    /// A session that is to go at the next refresh.
    pub fn end(&mut self, id: SessionId, now_millis: i64) {
        if self.ended.entries().len() < MOST_SESSIONS {
            self.ended.insert(id, now_millis);
        }
    }

    /// Appends how many sessions are in use, and what the last refresh did.
    pub fn append_jobs(&self, builder: &mut DocumentBuilder) {
        let jobs = &self.jobs;
        builder.append("activeSessionsCount", self.local.entries().len() as i32);
        builder.append("sessionsCollectionJobCount", jobs.count);
        builder.append("lastSessionsCollectionJobDurationMillis", 0);
        if let (Some(at), 1..) = (self.refreshed_millis, jobs.count) {
            builder.append("lastSessionsCollectionJobTimestamp", ValueRef::DateTime(at));
        }
        for (name, count) in [
            ("lastSessionsCollectionJobEntriesRefreshed", jobs.refreshed),
            ("lastSessionsCollectionJobEntriesEnded", jobs.ended),
        ] {
            builder.append(name, count as i32);
        }
    }

    /// The sessions used since the last refresh, as documents.
    pub fn local(&self) -> Vec<DocumentBuf> {
        self.local.entries().iter().map(describe).collect()
    }

    /// The refreshed sessions, as documents.
    pub fn refreshed(&self) -> Vec<DocumentBuf> {
        self.refreshed.entries().iter().map(describe).collect()
    }
}

fn describe((id, used): &(SessionId, i64)) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    append_identity(&mut builder, "_id", id);
    builder.append("lastUse", ValueRef::DateTime(*used));
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(table: &mut SessionTable, id: u8, now_millis: i64) -> usize {
        let id = (id > 0).then_some([id; 16]);
        table.note(id, now_millis).expect("there is room").len()
    }

    #[test]
    fn sessions_are_refreshed_and_expire() {
        let mut table = SessionTable::default();
        note(&mut table, 1, 1000);
        note(&mut table, 1, 2000);
        note(&mut table, 2, 2000);
        assert_eq!((table.local().len(), table.refreshed().len()), (2, 0));
        assert_eq!(note(&mut table, 2, 1000 + REFRESH_MILLIS), 0);
        assert_eq!((table.local().len(), table.refreshed().len()), (1, 2));
        table.end([2; 16], 2000);
        assert_eq!(table.local().len(), 1);
        assert_eq!(note(&mut table, 0, 1000 + 2 * REFRESH_MILLIS), 1);
        assert_eq!((table.local().len(), table.refreshed().len()), (0, 1));
        assert_eq!(note(&mut table, 0, 3000 + TIMEOUT_MILLIS), 1);
        assert_eq!((table.local().len(), table.refreshed().len()), (0, 0));
    }

    #[test]
    fn no_more_sessions_are_taken_than_there_is_room_for() {
        let mut table = SessionTable::default();
        let id = |number: usize| (number as u128).to_be_bytes();
        for number in 0..MOST_SESSIONS {
            assert!(table.note(Some(id(number)), 1).is_ok());
        }
        assert!(table.note(Some(id(7)), 2).is_ok());
        let refused = table.note(Some(id(MOST_SESSIONS)), 2);
        assert_eq!(
            refused.map_err(|error| error.code),
            Err(Code::TooManyLogicalSessions as i32)
        );
        // The next refresh makes room.
        assert!(
            table
                .note(Some(id(MOST_SESSIONS)), 1 + REFRESH_MILLIS)
                .is_ok()
        );
    }
}
