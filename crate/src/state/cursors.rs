//! Open cursors: running stages that lie between two commands.
//!
//! Invariant: an open cursor holds a view and nothing else of the deployment: the pages that its stages read stay as
//! they were, also when another writer moves the deployment on. A tailable cursor's view is the present, so that it
//! reads the collection anew at each `getMore`.

use super::session_id::SessionId;
use super::view::{HeldView, Left};
use crate::algorithms::sorting;
use crate::bson::{Document, DocumentBuf};
use crate::catalog::Catalog;
use crate::catalog::uuid::dropped_reason;
use crate::error::{Code, CommandError};
use crate::exec::Stage;
use crate::exec::eof::Eof;
use crate::exec::stream::Stream;
use crate::storage::SortedMap;
use std::any::Any;
use std::rc::Rc;

/// How a cursor ends and waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CursorKind {
    /// Ends with its last document.
    Plain,
    /// Stays open at the end of a capped collection.
    Tailable { await_data: bool },
}

/// One open cursor.
pub struct OpenCursor {
    pub namespace: String,
    pub stage: Box<dyn Stage>,
    pub kind: CursorKind,
    /// Why the cursor is of no use any more: its collection was dropped or renamed.
    pub killed: Option<Box<str>>,
    /// A document that was given but did not fit the last batch.
    pub pending: Option<DocumentBuf>,
    /// The state that the cursor reads.
    pub view: HeldView,
    /// All its documents lie in its stage: it reads no collection that may go.
    pub has_all: bool,
    /// The place of a change stream, which reads the oplog alone.
    pub stream: Option<Rc<Stream>>,
    /// When the cursor was last used, in engine time.
    pub used_millis: i64,
    pub no_timeout: bool,
    /// The session that opened the cursor.
    pub session: Option<SessionId>,
    /// The command that opened the cursor.
    pub origin: DocumentBuf,
    /// The plans of a command that was watched, as the commands know them.
    pub observed: Option<Rc<dyn Any>>,
    pub created_millis: i64,
    /// Which use of any cursor was the last one of this cursor.
    pub turn: u64,
    /// Documents and batches given so far.
    pub returned: u64,
    pub batches: u64,
}

impl OpenCursor {
    /// A cursor that ends with its last document, opened now with its first batch.
    pub fn new(
        namespace: String,
        stage: Box<dyn Stage>,
        origin: Document<'_>,
        now_millis: i64,
    ) -> Self {
        Self {
            namespace,
            stage,
            kind: CursorKind::Plain,
            killed: None,
            pending: None,
            view: HeldView::default(),
            has_all: false,
            stream: None,
            used_millis: now_millis,
            no_timeout: false,
            session: None,
            origin: origin.to_buf(),
            observed: None,
            created_millis: now_millis,
            turn: 0,
            returned: 0,
            batches: 1,
        }
    }
}

/// All open cursors of a deployment.
#[derive(Default)]
pub struct CursorTable {
    open: SortedMap<i64, OpenCursor>,
    /// The namespaces whose cursors end with the unit that is open, and why: a unit that is undone ends none.
    ending: SortedMap<Box<str>, Box<str>>,
    /// How often cursors were opened or read on.
    turns: u64,
    /// How many cursors were ever opened, and closed because nobody used them.
    opened: u64,
    timed_out: u64,
}

impl CursorTable {
    pub fn len(&self) -> usize {
        self.open.entries().len()
    }

    pub fn is_empty(&self) -> bool {
        self.open.entries().is_empty()
    }

    /// How many cursors were ever opened.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// How many cursors were closed because nobody used them.
    pub fn timed_out(&self) -> u64 {
        self.timed_out
    }

    /// All cursors that can be read on, with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &OpenCursor)> {
        let entries = self.open.entries().iter();
        entries
            .map(|(id, cursor)| (*id, cursor))
            .filter(|(_, cursor)| cursor.killed.is_none())
    }

    /// Kills the cursors that are to be, whose readers find none any more.
    pub fn kill_those(&mut self, is_killed: &dyn Fn(&OpenCursor) -> bool) {
        let those = self.iter().filter(|(_, cursor)| is_killed(cursor));
        let killed: Vec<i64> = those.map(|(id, _)| id).collect();
        for id in killed {
            self.kill(id);
        }
    }

    /// Kills the cursors of those sessions.
    pub fn kill_of(&mut self, is_of: &dyn Fn(&SessionId) -> bool) {
        self.kill_those(&|cursor| cursor.session.as_ref().is_some_and(is_of));
    }

    /// Keeps a cursor under a new id, made of random bits; never 0.
    pub fn insert(&mut self, random: [u8; 8], cursor: OpenCursor) -> i64 {
        let mut id = i64::from_le_bytes(random) & i64::MAX;
        while id == 0 || self.open.contains_key(&id) {
            id = id.wrapping_add(1) & i64::MAX;
        }
        self.opened += 1;
        self.put_back(id, cursor);
        id
    }

    /// Puts a cursor that was taken out back under its id.
    pub fn put_back(&mut self, id: i64, mut cursor: OpenCursor) {
        self.turns += 1;
        cursor.turn = self.turns;
        self.open.insert(id, cursor);
    }

    /// Takes a cursor out to work with it.
    ///
    /// # Errors
    /// `CursorNotFound` for an unknown id; `QueryPlanKilled`, once, when its collection is gone; `Unauthorized` when
    /// the namespace is another one.
    pub fn take(&mut self, id: i64, namespace: &str) -> Result<OpenCursor, CommandError> {
        let Some(cursor) = self.open.get(&id) else {
            return Err(CommandError::new(
                Code::CursorNotFound,
                format!("cursor id {id} not found"),
            ));
        };
        if cursor.namespace != namespace {
            return Err(CommandError::new(
                Code::Unauthorized,
                format!(
                    "Requested getMore on namespace '{namespace}', but cursor belongs to a \
                     different namespace {}",
                    cursor.namespace
                ),
            ));
        }
        let cursor = self.open.remove(&id).ok_or_else(|| {
            CommandError::new(Code::CursorNotFound, format!("cursor id {id} not found"))
        })?;
        match &cursor.killed {
            Some(reason) => Err(CommandError::new(Code::QueryPlanKilled, &**reason)),
            None => Ok(cursor),
        }
    }

    /// Closes a cursor; false when there is none of that id.
    pub fn kill(&mut self, id: i64) -> bool {
        self.open.remove(&id).is_some()
    }

    /// Has the cursors of a namespace that was dropped or renamed end when the unit is kept.
    pub fn end_namespace(&mut self, namespace: &str, reason: &str) {
        if !self.ending.contains_key(namespace) {
            self.ending.insert(namespace.into(), reason.into());
        }
    }

    /// Ends the cursors that were to end, or leaves them open. Those that end drop their stages, documents and
    /// snapshots: the next `getMore` tells the reason. Those of a moment go on, where the namespace is there still, and
    /// those that read no more.
    #[inline]
    pub fn settle(&mut self, ends: bool) {
        if !self.ending.entries().is_empty() {
            self.settle_ending(ends);
        }
    }

    #[inline(never)]
    fn settle_ending(&mut self, ends: bool) {
        let ending = std::mem::take(&mut self.ending);
        let cursors = self.open.values_mut().filter(|_| ends);
        for cursor in cursors {
            let reads_elsewhere = cursor.has_all || cursor.view.is_of_moment();
            if !reads_elsewhere
                && cursor.killed.is_none()
                && let Some(reason) = ending.get(&*cursor.namespace)
            {
                cursor.killed = Some(reason.clone());
                cursor.stage = Box::<Eof>::default();
                cursor.pending = None;
                cursor.observed = None;
                cursor.view = HeldView::default();
            }
        }
    }

    /// Whether some cursor keeps pages of the present.
    pub fn keep_present(&self) -> bool {
        let mut cursors = self.open.entries().iter();
        cursors.any(|(_, cursor)| cursor.view.keeps_present())
    }

    /// Whether a cursor reads a state that the deployment moved on from.
    pub fn is_of_left(&self, id: i64) -> bool {
        self.open
            .get(&id)
            .is_some_and(|cursor| cursor.view.is_left())
    }

    /// Has the cursors of the present go on over it as a state that was left.
    pub fn leave(&mut self, left: &Rc<Left>) {
        for cursor in self.open.values_mut() {
            cursor.view.leave(left);
        }
    }

    /// Ends the cursors over collections that another writer dropped, as dropping them here does.
    pub fn end_dropped(&mut self, present: &Catalog) {
        let uuid_in = |catalog: &Catalog, cursor: &OpenCursor| {
            let collection = catalog.collection(&cursor.namespace);
            collection.map(|collection| collection.uuid)
        };
        let mut dropped = Vec::new();
        for (_, cursor) in self.open.entries() {
            if let Some(left) = cursor.view.left_catalog()
                && let Some(uuid) = uuid_in(left, cursor)
                && uuid_in(present, cursor) != Some(uuid)
            {
                dropped.push((cursor.namespace.clone(), uuid));
            }
        }
        for (namespace, uuid) in dropped {
            self.end_namespace(&namespace, &dropped_reason(&uuid));
        }
        self.settle(true);
    }

    /// The last turns and ids of the cursors that may be closed for the memory that they hold.
    fn closable(&self, spared: Option<i64>) -> impl Iterator<Item = (u64, i64)> {
        let may_go = move |(id, cursor): &&(i64, OpenCursor)| {
            let is_plain = cursor.kind == CursorKind::Plain && cursor.killed.is_none();
            is_plain && !cursor.no_timeout && Some(*id) != spared
        };
        let cursors = self.open.entries().iter().filter(may_go);
        cursors.map(|(id, cursor)| (cursor.turn, *id))
    }

    /// Whether some cursor may be closed for the memory that it holds.
    pub fn can_close(&self) -> bool {
        self.closable(None).next().is_some()
    }

    /// Closes at most `most` cursors for the memory that they hold: those that were used longest ago, and not the
    /// `spared` one. One without a time limit stays, and one that waits at a collection's end holds nothing.
    /// Gives how many were closed.
    pub fn close_oldest(&mut self, most: usize, spared: Option<i64>) -> usize {
        let mut oldest: Vec<(u64, i64)> = self.closable(spared).collect();
        sorting::sort(&mut oldest);
        oldest.truncate(most);
        for (_, id) in &oldest {
            self.open.remove(id);
        }
        oldest.len()
    }

    /// Closes cursors that nobody used for so long.
    pub fn close_idle(&mut self, now_millis: i64, limit_millis: i64) {
        let before = self.len();
        self.open.retain(&mut |cursor| {
            cursor.no_timeout || now_millis.saturating_sub(cursor.used_millis) < limit_millis
        });
        self.timed_out += (before - self.len()) as u64;
    }
}
