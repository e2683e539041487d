//! Logical sessions: which were used lately, as `$listLocalSessions` and `$listSessions` list them.
//!
//! Manual: reference/operator/aggregation/listSessions. Invariant: in memory only. As on a server, every five minutes
//! of engine time the sessions that were used since move from the local list to the refreshed one, where they expire
//! after thirty minutes.

use crate::bson::{DocumentBuf, DocumentBuilder, ValueRef};

/// How often the local list is handed over.
const REFRESH_MILLIS: i64 = 300_000;
/// How long a session that nobody uses lives.
pub const SESSION_MINUTES: i64 = 30;
const TIMEOUT_MILLIS: i64 = SESSION_MINUTES * 60_000;
/// The digest of nobody: SHA-256 of the empty user name.
const NOBODY: [u8; 32] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
];
/// The subtype of a UUID.
const UUID_SUBTYPE: u8 = 4;

/// The identifier of a session.
pub type SessionId = [u8; 16];

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

/// Appends a session's id.
pub fn append_session_id(builder: &mut DocumentBuilder, id: &SessionId) {
    builder.append(
        "id",
        ValueRef::Binary {
            subtype: UUID_SUBTYPE,
            bytes: id,
        },
    );
}

/// Appends a session's identity: its id and the digest of its user.
pub fn append_identity(builder: &mut DocumentBuilder, name: &str, id: &SessionId) {
    builder.begin_document(name);
    append_session_id(builder, id);
    builder.append(
        "uid",
        ValueRef::Binary {
            subtype: 0,
            bytes: &NOBODY,
        },
    );
    builder.end();
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Session {
    id: SessionId,
    last_use_millis: i64,
}

/// The sessions of a deployment.
#[derive(Debug, Default)]
pub struct SessionTable {
    local: Vec<Session>,
    refreshed: Vec<Session>,
    /// Sessions that their clients have ended since the last refresh.
    ended: Vec<SessionId>,
    refreshed_millis: Option<i64>,
}

fn put(sessions: &mut Vec<Session>, session: Session) {
    match sessions.iter_mut().find(|known| known.id == session.id) {
        Some(known) => known.last_use_millis = session.last_use_millis,
        None => sessions.push(session),
    }
}

impl SessionTable {
    /// Drops expired sessions, and notes that a command uses a session.
    pub fn note(&mut self, session: Option<SessionId>, now_millis: i64) {
        let last = *self.refreshed_millis.get_or_insert(now_millis);
        if now_millis.saturating_sub(last) >= REFRESH_MILLIS {
            self.refreshed_millis = Some(now_millis);
            for session in self.local.drain(..) {
                put(&mut self.refreshed, session);
            }
            let ended = std::mem::take(&mut self.ended);
            self.refreshed.retain(|session| {
                now_millis.saturating_sub(session.last_use_millis) < TIMEOUT_MILLIS
                    && !ended.contains(&session.id)
            });
        }
        if let Some(id) = session {
            put(
                &mut self.local,
                Session {
                    id,
                    last_use_millis: now_millis,
                },
            );
        }
    }

    /// A session that is to go at the next refresh.
    pub fn end(&mut self, id: SessionId) {
        self.ended.push(id);
    }

    /// The sessions used since the last refresh, as documents.
    pub fn local(&self) -> Vec<DocumentBuf> {
        self.local.iter().map(describe).collect()
    }

    /// The refreshed sessions, as documents.
    pub fn refreshed(&self) -> Vec<DocumentBuf> {
        self.refreshed.iter().map(describe).collect()
    }
}

fn describe(session: &Session) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    append_identity(&mut builder, "_id", &session.id);
    builder.append("lastUse", ValueRef::DateTime(session.last_use_millis));
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_refreshed_and_expire() {
        let mut table = SessionTable::default();
        table.note(Some([1; 16]), 1000);
        table.note(Some([1; 16]), 2000);
        table.note(Some([2; 16]), 2000);
        assert_eq!((table.local().len(), table.refreshed().len()), (2, 0));
        table.note(Some([2; 16]), 1000 + REFRESH_MILLIS);
        assert_eq!((table.local().len(), table.refreshed().len()), (1, 2));
        table.end([2; 16]);
        assert_eq!(table.local().len(), 1);
        table.note(None, 1000 + 2 * REFRESH_MILLIS);
        assert_eq!((table.local().len(), table.refreshed().len()), (0, 1));
        table.note(None, 3000 + TIMEOUT_MILLIS);
        assert_eq!((table.local().len(), table.refreshed().len()), (0, 0));
    }
}
