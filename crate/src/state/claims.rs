//! Claims: which documents and unique keys the open transactions have written, so that the first writer wins.
//!
//! A document is claimed by its collection and RecordId, a new key of a unique index by index and key, a collection
//! that is made by its namespace. Each write goes past the `Guard` of its `Writer`. Outside of transactions it must
//! meet no claim. Inside of one it must meet none of another transaction, and find in the present what the transaction
//! itself has: a document that somebody changed since the transaction began, a key that came since, is a conflict too.
//! So nothing is noted of writes outside, and another tab's are found all the same.
//!
//! Invariant: with no transaction open a write asks nothing; a claim lasts until its transaction ends. A unique index
//! with a collation has no claims on its keys, because two states may label a new string differently: such a conflict
//! between two open transactions is found by the second commit.

use super::cursors::CursorTable;
use super::session_id::SessionId;
use super::view::View;
use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::Document;
use crate::catalog::collection::find_prefix;
use crate::catalog::{Collection, RecordId, names};
use crate::error::{Code, CommandError, StorageError};
use crate::storage::{KeyMap, Pager};
use std::rc::Rc;

const RECORD: u8 = 0;
const UNIQUE: u8 = 1;
const NAMESPACE: u8 = 2;

/// The number of an open transaction, which no other one of this engine had.
pub type Owner = u64;

/// What one open transaction has written.
#[derive(Default)]
pub struct Held {
    owner: Owner,
    /// The session and number, for those who meet a claim.
    name: (SessionId, i64),
    keys: KeyMap,
    /// The collections that it writes in, each with the first RecordId of its own documents.
    collections: Vec<(Rc<str>, RecordId)>,
}

/// What the open transactions have written.
#[derive(Default)]
pub struct Claims {
    open: Vec<Held>,
    last: Owner,
}

impl Claims {
    /// Begins the claims of a transaction.
    pub fn begin(&mut self, name: (SessionId, i64)) -> Owner {
        self.last += 1;
        self.open.push(Held {
            owner: self.last,
            name,
            ..Held::default()
        });
        self.last
    }

    /// Whether no transaction is open.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Ends the claims of a transaction, and gives them.
    pub fn end(&mut self, owner: Owner) -> Option<Held> {
        let at = self.open.iter().position(|held| held.owner == owner)?;
        Some(self.open.swap_remove(at))
    }

    /// Puts claims back that were ended: their transaction goes on.
    pub fn put_back(&mut self, held: Held) {
        self.open.push(held);
    }

    fn of(&mut self, owner: Owner) -> Option<&mut Held> {
        self.open.iter_mut().find(|held| held.owner == owner)
    }

    fn holds(&self, owner: Owner, tag: u8, key: &[u8]) -> bool {
        { self.open.iter() }.any(|held| held.owner == owner && held.holds(tag, key))
    }

    /// The transaction other than this one that holds a key.
    fn holder(&self, own: Option<Owner>, tag: u8, key: &[u8]) -> Option<&Held> {
        { self.open.iter() }.find(|held| Some(held.owner) != own && held.holds(tag, key))
    }

    /// A transaction that has written in a collection, or makes it.
    fn writer_in(&self, namespace: &str) -> Option<&Held> {
        { self.open.iter() }.find(|held| {
            held.first_own(namespace).is_some() || held.holds(NAMESPACE, namespace.as_bytes())
        })
    }
}

impl Held {
    fn holds(&self, tag: u8, key: &[u8]) -> bool {
        self.keys.find_tagged(tag, key).is_some()
    }

    fn first_own(&self, namespace: &str) -> Option<RecordId> {
        let found = { self.collections.iter() }.find(|(known, _)| **known == *namespace);
        found.map(|(_, first)| *first)
    }

    /// Adds the transaction to a message, and how to end it: its script may have ended without.
    #[cold]
    #[inline(never)]
    fn blame(&self, mut error: CommandError) -> CommandError {
        let (session, number) = &self.name;
        error.message += &format!(
            " (held by the open transaction {{ txnNumber: {number} }} of session {}: write in that session, commit or \
             abort it, or end all open ones with db.adminCommand({{ killAllSessions: [] }}); its time limit ends it too)",
            uuid_text(session)
        );
        error
    }
}

/// The transaction that a unit is of, and the present beside it.
#[derive(Clone, Copy)]
pub struct Own<'g> {
    pub owner: Owner,
    pub present: View<'g>,
    /// The cursors that are open outside.
    pub cursors: &'g CursorTable,
}

/// Asks for each write whether it conflicts.
pub struct Guard<'g> {
    claims: &'g mut Claims,
    own: Option<Own<'g>>,
}

/// 112 `WriteConflict`.
#[cold]
#[inline(never)]
pub fn conflict() -> CommandError {
    CommandError::new(
        Code::WriteConflict,
        "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry \
         your operation or multi-document transaction.",
    )
}

/// 112 `WriteConflict` with a write that no transaction holds any more, as one of a script that left its session out.
#[cold]
#[inline(never)]
fn conflict_since() -> CommandError {
    let mut error = conflict();
    error.message += " (written outside of this transaction after it began)";
    error
}

#[cold]
#[inline(never)]
fn has_changed(namespace: &str) -> CommandError {
    CommandError::new(
        Code::WriteConflict,
        format!(
            "Unable to write to collection '{namespace}' due to catalog changes; please retry the operation"
        ),
    )
}

#[cold]
#[inline(never)]
fn not_inside(reason: String) -> CommandError {
    CommandError::new(Code::OperationNotSupportedInTransaction, reason)
}

fn record_key(uuid: &[u8; 16], id: RecordId) -> [u8; 24] {
    let mut key = [0; 24];
    key[..16].copy_from_slice(uuid);
    key[16..].copy_from_slice(&id.to_bytes());
    key
}

impl<'g> Guard<'g> {
    /// The guard of a writer, where there is anything to ask.
    pub(super) fn of(claims: &'g mut Claims, own: Option<Own<'g>>) -> Option<Self> {
        (!claims.is_empty()).then_some(Self { claims, own })
    }

    pub(super) fn reborrow(&mut self) -> Guard<'_> {
        Guard {
            claims: self.claims,
            own: self.own,
        }
    }

    fn owner(&self) -> Option<Owner> {
        self.own.map(|own| own.owner)
    }

    /// A conflict inside a transaction ends that.
    fn fail(&self, mut error: CommandError) -> CommandError {
        error.ends_transaction = self.own.is_some();
        error
    }

    fn claim(&mut self, tag: u8, key: &[u8]) -> Result<(), CommandError> {
        let owner = self.owner();
        if let Some(held) = self.claims.holder(owner, tag, key) {
            return Err(self.fail(held.blame(conflict())));
        }
        if let Some(held) = owner.and_then(|owner| self.claims.of(owner)) {
            held.keys.find_or_insert_tagged(tag, key, 0);
        }
        Ok(())
    }

    /// Asks whether documents of a collection may be written; false where nothing more is to be asked of them.
    fn enter(&mut self, collection: &Collection) -> Result<bool, CommandError> {
        let namespace = &collection.namespace;
        let Some(own) = self.own else {
            return Ok(self.claims.writer_in(namespace).is_some());
        };
        let known = { self.claims.open.iter() }.find(|held| held.owner == own.owner);
        if known.is_some_and(|held| held.first_own(namespace).is_some()) {
            return Ok(true);
        }
        let (database, _) = names::split(namespace);
        if matches!(database, "config" | "local") {
            return Err(not_inside(format!(
                "Cannot run command against the '{database}' database in a transaction."
            )));
        }
        collection.options.kind.rules().check_inside(namespace)?;
        let is_same = match own.present.catalog.named(namespace) {
            Some(present) => is_defined_alike(present, collection),
            None => self.has_made(namespace),
        };
        if !is_same {
            return Err(self.fail(has_changed(namespace)));
        }
        let first = (Rc::clone(namespace), collection.next_record);
        if let Some(held) = self.claims.of(own.owner) {
            held.collections.push(first);
        }
        Ok(true)
    }

    /// A document is to be updated or deleted; `old` is the document as the writer has it.
    pub(super) fn change(
        &mut self,
        collection: &Collection,
        id: RecordId,
        old: &[u8],
    ) -> Result<(), CommandError> {
        if !self.enter(collection)? {
            return Ok(());
        }
        let key = record_key(&collection.uuid, id);
        let Some(own) = self.own else {
            return self.claim(RECORD, &key);
        };
        let held = { self.claims.open.iter() }.find(|held| held.owner == own.owner);
        let first = held.and_then(|held| held.first_own(&collection.namespace));
        let is_own = first.is_some_and(|first| id >= first);
        if is_own || self.claims.holds(own.owner, RECORD, &key) {
            return Ok(());
        }
        let View { pages, catalog } = own.present;
        let present = catalog.collection(&collection.namespace);
        let present = present.filter(|present| present.uuid == collection.uuid);
        let now = match present {
            Some(present) => present.read(pages, id)?,
            None => None,
        };
        // Claimed last: a command that misses a page is run again, and has to look then.
        match now.is_some_and(|now| *now == *old) {
            true => self.claim(RECORD, &key),
            false => Err(self.fail(conflict_since())),
        }
    }

    /// Documents of these records are to be deleted.
    pub(super) fn remove(
        &mut self,
        pager: &Pager,
        collection: &Collection,
        ids: &[RecordId],
    ) -> Result<(), CommandError> {
        if self.own.is_some() && collection.options.kind.limits().is_some() {
            return Err(CommandError::new(
                Code::IllegalOperation,
                format!(
                    "Cannot remove from a capped collection in a multi-document transaction: {}",
                    collection.namespace
                ),
            ));
        }
        if !self.enter(collection)? {
            return Ok(());
        }
        for id in ids {
            if let Some(old) = collection.read(pager, *id)? {
                self.change(collection, *id, &old)?;
            }
        }
        Ok(())
    }

    /// A document is to come into a collection, in the place of `old` where it is updated.
    pub(super) fn store(
        &mut self,
        pager: &Pager,
        collection: &Collection,
        new: Document<'_>,
        old: Option<Document<'_>>,
    ) -> Result<(), CommandError> {
        if !self.enter(collection)? {
            return Ok(());
        }
        for index in &collection.indexes {
            if !index.definition.guards() {
                continue;
            }
            let keys_of = |document| match index.keys_of(pager, document) {
                // The write itself will be refused.
                Err(error) if error.missing_page.is_none() => Ok(Vec::new()),
                keys => keys,
            };
            let before = match old {
                Some(old) => keys_of(old)?,
                None => Vec::new(),
            };
            let mut is_news = false;
            for value in keys_of(new)? {
                if before.contains(&value) || find_prefix(&index.tree, pager, &value)?.is_some() {
                    continue;
                }
                is_news = true;
                if index.definition.collation.is_simple() {
                    let mut key = collection.uuid.to_vec();
                    key.extend_from_slice(index.definition.name.as_bytes());
                    key.push(0);
                    key.extend_from_slice(&value);
                    self.claim(UNIQUE, &key)?;
                }
            }
            if is_news && let Some(own) = self.own {
                self.check_present(own, collection, index.name(), (new, old))?;
            }
        }
        Ok(())
    }

    /// Looks whether the present has a new key of a document in a unique index: it came after the transaction began.
    fn check_present(
        &self,
        own: Own<'_>,
        collection: &Collection,
        index: &str,
        (new, old): (Document<'_>, Option<Document<'_>>),
    ) -> Result<(), CommandError> {
        let View { pages, catalog } = own.present;
        let Some(present) = catalog.collection(&collection.namespace) else {
            return Ok(());
        };
        let mut indexes = present.indexes.iter();
        let Some(index) = indexes.find(|present| present.name() == index) else {
            return Ok(());
        };
        let before = match old {
            Some(old) => index.keys_of(pages, old)?,
            None => Vec::new(),
        };
        for value in index.keys_of(pages, new)? {
            if before.contains(&value) {
                continue;
            }
            if let Some(id) = find_prefix(&index.tree, pages, &value)?
                && !self
                    .claims
                    .holds(own.owner, RECORD, &record_key(&present.uuid, id))
            {
                return Err(self.fail(conflict_since()));
            }
        }
        Ok(())
    }

    /// A collection is to be made.
    pub(super) fn create(&mut self, namespace: &str) -> Result<(), CommandError> {
        self.claim(NAMESPACE, namespace.as_bytes())?;
        match self.own {
            Some(own) if own.present.catalog.named(namespace).is_some() => {
                Err(self.fail(has_changed(namespace)))
            }
            _ => Ok(()),
        }
    }

    /// A collection is to be dropped, renamed, replaced or defined in another way. On a server that waits for the
    /// transactions which write in it.
    pub(super) fn redefine(&self, namespace: &str) -> Result<(), StorageError> {
        match self.claims.writer_in(namespace) {
            Some(held) if self.own.is_none() => {
                let reason = format!("Unable to acquire X lock on '{namespace}'");
                let error = CommandError::new(Code::LockTimeout, reason);
                Err(StorageError::stopped(held.blame(error)))
            }
            _ => Ok(()),
        }
    }

    /// Whether the transaction of this guard has made a collection.
    pub(super) fn has_made(&self, namespace: &str) -> bool {
        { self.own }.is_some_and(|own| {
            self.claims
                .holds(own.owner, NAMESPACE, namespace.as_bytes())
        })
    }

    /// The records among these that no transaction has written.
    pub(super) fn free_of(&self, collection: &Collection, ids: &mut Vec<RecordId>) {
        ids.retain(|id| {
            let key = record_key(&collection.uuid, *id);
            self.claims.holder(None, RECORD, &key).is_none()
        });
    }
}

/// Whether two states of a collection have the same identity, options and indexes.
fn is_defined_alike(one: &Collection, other: &Collection) -> bool {
    let is_index_alike =
        { one.indexes.iter().zip(&other.indexes) }.all(|(one, other)| one.name() == other.name());
    one.uuid == other.uuid
        && one.indexes.len() == other.indexes.len()
        && is_index_alike
        && (Rc::ptr_eq(&one.options, &other.options) || one.options == other.options)
}
