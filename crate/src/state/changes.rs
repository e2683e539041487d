//! What commands changed, by namespace: documents, collections and indexes.
//!
//! The page tells of a run by them, the server's counters count by them, and entries of an oplog are to be made of
//! them. Invariants: a change is noted by the code that made it (`write`), and never read from a command's name or
//! reply. Counts cost one entry a namespace, whose room is used again. Documents are copied only where somebody asked
//! for them; the operations then stand in the order in which they were done.

use super::log::{Log, Notes, join_inserted};
use super::oplog::Author;
use crate::bson::{ArrayBuilder, Document, DocumentBuf, DocumentBuilder};
use crate::catalog::{Collection, ModifiedPaths};
use std::rc::Rc;

/// How much is noted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Interest {
    /// How many, of each kind and namespace.
    #[default]
    Counts,
    /// The operations too, in their order and with their documents.
    Documents,
}

/// The kinds of changes that are counted, in the order in which a namespace's are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Created,
    Restored,
    Inserted,
    Updated,
    Deleted,
    /// Documents that a TTL pass deleted.
    Expired,
    /// The oldest documents of a capped collection, which gave way to new ones.
    Overwritten,
    Indexed,
    Unindexed,
    /// Options, or those of an index.
    Changed,
    Dropped,
    /// Created by the first write into it. The page tells of that write alone.
    Implied,
    /// Another collection came into its place.
    Replaced,
    /// A collection has this name now that had another one.
    Renamed,
}

/// The names by which the page knows the kinds (`web/src/protocol/run.ts`), in the same order; none where it is told
/// in another way.
const NAMES: [&str; KINDS] = [
    "created",
    "restored",
    "inserted",
    "updated",
    "deleted",
    "expired",
    "overwritten",
    "indexed",
    "unindexed",
    "changed",
    "dropped",
    "",
    "",
    "",
];
const KINDS: usize = Kind::Renamed as usize + 1;

/// What happened to one namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamespaceChanges {
    /// `database.collection`; a database alone where that was dropped.
    pub namespace: Rc<str>,
    counts: [u32; KINDS],
    /// Which namespace it is in the order of their first changes.
    first: u32,
}

impl NamespaceChanges {
    /// How many changes of a kind there were.
    pub fn count(&self, kind: Kind) -> u64 {
        u64::from(self.counts[kind as usize])
    }
}

/// One change, for readers that asked for documents.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    Inserted(Rc<str>, DocumentBuf),
    Updated {
        namespace: Rc<str>,
        before: DocumentBuf,
        after: DocumentBuf,
        /// The paths that differ, where they are known.
        paths: Option<Box<ModifiedPaths>>,
    },
    /// With the document as it was; deleted by whatever: a command, a TTL pass, a capped collection's limits.
    Deleted(Rc<str>, DocumentBuf),
    Created(Rc<str>),
    Dropped(Rc<str>),
    /// All of a database was dropped, each of its collections before.
    DroppedDatabase(Rc<str>),
    Renamed {
        from: Rc<str>,
        to: Rc<str>,
        /// A collection of the new name was dropped for it.
        drops_target: bool,
    },
    /// An index of this name was built.
    Indexed(Rc<str>, Box<str>),
    Unindexed(Rc<str>, Box<str>),
    /// The options of the collection, or of an index, are others.
    Changed(Rc<str>),
}

/// How many documents collections took, changed and gave up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentTotals {
    pub inserted: u64,
    pub updated: u64,
    pub deleted: u64,
}

impl DocumentTotals {
    /// What was added to earlier totals.
    pub fn since(self, before: Self) -> Self {
        Self {
            inserted: self.inserted - before.inserted,
            updated: self.updated - before.updated,
            deleted: self.deleted - before.deleted,
        }
    }
}

/// The changes of a command, or of several.
#[derive(Debug, Default)]
pub struct Changes {
    interest: Interest,
    /// One a namespace, by name.
    namespaces: Vec<NamespaceChanges>,
    /// Where the namespace of the last change stands.
    last: usize,
    totals: DocumentTotals,
    operations: Vec<Operation>,
    /// Collections that came into the place of others, each with the number of its documents.
    replaced: Vec<(Rc<str>, u64)>,
    /// Collections that were renamed: the names before and after.
    renamed: Vec<(Rc<str>, Rc<str>)>,
    /// The transaction that was committed, or the retryable write.
    author: Option<Author>,
    /// A statement of the command was refused.
    is_refused: bool,
    /// About how many bytes the documents of the operations have.
    bytes: usize,
    /// The entries for the oplog, where there is one.
    log: Option<Box<Log>>,
}

impl Changes {
    /// No changes yet; `interest` says how much of each is to be noted.
    pub fn with(interest: Interest) -> Self {
        Self {
            interest,
            ..Self::default()
        }
    }

    /// Whether documents are asked for.
    #[inline]
    pub fn wants_documents(&self) -> bool {
        self.interest == Interest::Documents
    }

    /// Whether a document is read for its sake before it goes.
    #[inline]
    pub(super) fn reads_documents(&self) -> bool {
        self.wants_documents() || self.log.is_some()
    }

    /// Says whether entries for an oplog are made of the changes to come.
    pub(super) fn set_logging(&mut self, logs: bool) {
        if logs != self.log.is_some() {
            self.log = logs.then(Box::default);
        }
    }

    /// Where changes are noted for the oplog, if there is one.
    #[inline]
    pub(super) fn log(&mut self) -> Option<Notes<'_>> {
        self.log.as_deref_mut().map(Notes)
    }

    /// Takes the entries for the oplog.
    pub fn take_log(&mut self) -> Log {
        { self.log.as_deref_mut() }.map_or_else(Log::new, std::mem::take)
    }

    /// How many entries for the oplog there are.
    pub fn logged(&self) -> usize {
        self.log.as_ref().map_or(0, |log| log.len())
    }

    /// Says that the documents inserted since then were given at once, and none was refused.
    pub fn join_inserted(&mut self, from: usize) {
        if let Some(log) = &mut self.log {
            join_inserted(log, from);
        }
    }

    /// Names a retryable write, where there is an oplog: the numbers of its statements that changed documents, one
    /// document each, in their order.
    pub fn note_statements(&mut self, author: Author, statements: &[i32]) {
        let Some(log) = self.log.as_deref_mut() else {
            return;
        };
        let asked = log
            .iter_mut()
            .filter(|entry| entry.op != "c" && !entry.is_implied);
        for (entry, statement) in asked.zip(statements) {
            entry.statement = Some(*statement);
        }
        self.author = Some(author);
    }

    /// Whether nothing changed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.namespaces.is_empty()
    }

    /// Forgets all changes, and keeps the room.
    #[inline]
    pub fn clear(&mut self) {
        // A collection that was to replace another one has no namespace here, but its documents count.
        self.totals = DocumentTotals::default();
        self.author = None;
        self.is_refused = false;
        self.namespaces.clear();
        let is_bare = self.operations.is_empty() && self.replaced.is_empty();
        if !is_bare || !self.renamed.is_empty() || self.log.is_some() {
            self.clear_rest();
        }
    }

    #[inline(never)]
    fn clear_rest(&mut self) {
        self.operations.clear();
        self.bytes = 0;
        self.replaced.clear();
        self.renamed.clear();
        if let Some(log) = &mut self.log {
            log.clear();
        }
    }

    /// Whether there were changes of a kind in a namespace.
    pub fn has(&self, namespace: &str, kind: Kind) -> bool {
        let mut namespaces = self.namespaces.iter();
        namespaces.any(|one| *one.namespace == *namespace && one.count(kind) > 0)
    }

    /// Says that these are the changes of a transaction.
    pub fn note_transaction(&mut self, author: Author) {
        self.author = Some(author);
    }

    /// The transaction, or the retryable write, whose changes these are.
    pub fn author(&self) -> Option<Author> {
        self.author
    }

    pub(super) fn note_refusal(&mut self) {
        self.is_refused = true;
    }

    /// Whether a statement was refused.
    pub fn has_refusal(&self) -> bool {
        self.is_refused
    }

    /// About how many bytes of documents the operations hold.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many documents a collection has that came into the place of another one, if one did.
    fn replaced_by(&self, namespace: &str) -> Option<u64> {
        let found = { self.replaced.iter() }.find(|(place, _)| **place == *namespace);
        found.map(|(_, documents)| *documents)
    }

    /// Keeps the number of documents of the collection that took the namespace `place`. Where several collections took
    /// it one after another, the last one counts.
    fn keep_replaced(&mut self, place: &Rc<str>, documents: u64) {
        match { self.replaced.iter_mut() }.find(|(known, _)| known == place) {
            Some((_, known)) => *known = documents,
            None => self.replaced.push((Rc::clone(place), documents)),
        }
    }

    /// Keeps the names before and after, which are told once however often that is done.
    fn keep_renamed(&mut self, from: &Rc<str>, to: &Rc<str>) {
        let names = (Rc::clone(from), Rc::clone(to));
        if !self.renamed.contains(&names) {
            self.renamed.push(names);
        }
    }

    /// How many documents there were, of all namespaces.
    #[inline]
    pub fn documents(&self) -> DocumentTotals {
        self.totals
    }

    /// The changes of each namespace, in the order of their first changes.
    pub fn by_namespace(&self) -> impl Iterator<Item = &NamespaceChanges> {
        let mut places = vec![0; self.namespaces.len()];
        for (place, one) in self.namespaces.iter().enumerate() {
            places[one.first as usize] = place;
        }
        { places.into_iter() }.map(|place| &self.namespaces[place])
    }

    /// The changes as the page reads them: in `written` an array of `{kind, namespace, count}`, of a renamed collection
    /// with `from`. Of a database that was dropped its collections are not told one by one.
    #[inline(never)]
    pub fn told(&self) -> DocumentBuf {
        let mut array = ArrayBuilder::new();
        let mut tell = |kind: &str, namespace: &str, count: u64, from: Option<&Rc<str>>| {
            let mut one = DocumentBuilder::new();
            one.append("kind", kind).append("namespace", namespace);
            one.append_integer("count", count as i64);
            if let Some(from) = from {
                one.append("from", &**from);
            }
            array.push(&one.finish());
        };
        for of in self.by_namespace() {
            let namespace = &*of.namespace;
            let goes_with_database = namespace.split_once('.').is_some_and(|(database, _)| {
                let known = &self.namespaces;
                known
                    .binary_search_by(|known| (*known.namespace).cmp(database))
                    .is_ok()
            });
            if of.count(Kind::Replaced) > 0
                && let Some(documents) = self.replaced_by(namespace)
            {
                tell("replaced", namespace, documents, None);
            }
            for (kind, count) in NAMES.iter().zip(of.counts) {
                if count > 0 && !kind.is_empty() && !(*kind == "dropped" && goes_with_database) {
                    tell(kind, namespace, u64::from(count), None);
                }
            }
            if of.count(Kind::Renamed) > 0 {
                let here = { self.renamed.iter() }.filter(|(_, to)| **to == *namespace);
                here.for_each(|(from, _)| tell("renamed", namespace, 1, Some(from)));
            }
        }
        let mut told = DocumentBuilder::new();
        told.append("written", &array.finish());
        told.finish()
    }

    /// The operations in their order; none where documents were not asked for.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Notes documents that were inserted. `documents` are those, for who asked for them.
    #[inline]
    pub(super) fn inserted(&mut self, namespace: &Rc<str>, documents: &[Document<'_>]) {
        let count = documents.len() as u64;
        self.totals.inserted += count;
        self.count(namespace, Kind::Inserted, count);
        self.keep_inserted(namespace, documents);
    }

    #[inline]
    fn keep_inserted(&mut self, namespace: &Rc<str>, documents: &[Document<'_>]) {
        if self.wants_documents() {
            for document in documents {
                let inserted = Operation::Inserted(Rc::clone(namespace), copied(*document));
                self.bytes += document.as_bytes().len();
                self.operations.push(inserted);
            }
        }
    }

    /// Notes a document that was updated.
    #[inline]
    pub(super) fn updated(
        &mut self,
        namespace: &Rc<str>,
        before: Document<'_>,
        after: Document<'_>,
        paths: Option<&ModifiedPaths>,
    ) {
        self.totals.updated += 1;
        self.count(namespace, Kind::Updated, 1);
        if self.wants_documents() {
            self.bytes += before.as_bytes().len() + after.as_bytes().len();
            self.operations.push(Operation::Updated {
                namespace: Rc::clone(namespace),
                before: copied(before),
                after: copied(after),
                paths: paths.map(|paths| Box::new(paths.clone())),
            });
        }
    }

    /// Notes documents that were deleted: as `Deleted`, `Expired` or `Overwritten`. Their operations were noted before
    /// (`will_delete`).
    #[inline]
    pub(super) fn deleted(&mut self, namespace: &Rc<str>, kind: Kind, count: u64) {
        // A TTL pass is no command: its deletions are counted by themselves.
        if kind != Kind::Expired {
            self.totals.deleted += count;
        }
        self.count(namespace, kind, count);
    }

    /// Keeps a document that is about to be deleted, for who asked for documents; `place`: see `Notes::deleted`.
    pub(super) fn will_delete(
        &mut self,
        collection: &Collection,
        document: Document<'_>,
        place: Option<usize>,
    ) {
        if self.wants_documents() {
            let namespace = Rc::clone(&collection.namespace);
            let deleted = Operation::Deleted(namespace, copied(document));
            self.bytes += document.as_bytes().len();
            self.operations.push(deleted);
        }
        if let Some(mut log) = self.log() {
            log.deleted(collection, document, place);
        }
    }

    /// Notes one change that is of no document; `operation` is what it is in the order of all.
    #[inline(never)]
    pub(super) fn done(&mut self, namespace: &Rc<str>, kind: Kind, operation: Operation) {
        self.count(namespace, kind, 1);
        self.operation(operation);
    }

    /// Notes a collection or a view that was created.
    #[inline(never)]
    pub(super) fn created(&mut self, collection: &Collection) {
        let namespace = &collection.namespace;
        self.done(
            namespace,
            Kind::Created,
            Operation::Created(Rc::clone(namespace)),
        );
        if let Some(mut log) = self.log() {
            log.created(collection);
        }
    }

    /// Notes other options of a collection, or another definition of a view.
    #[inline(never)]
    pub(super) fn modified(&mut self, collection: &Collection, before: &Collection) {
        let namespace = &collection.namespace;
        self.done(
            namespace,
            Kind::Changed,
            Operation::Changed(Rc::clone(namespace)),
        );
        if let Some(mut log) = self.log() {
            log.changed(collection, before);
        }
    }

    /// Keeps an operation that counts elsewhere, or not at all.
    pub(super) fn operation(&mut self, operation: Operation) {
        if self.wants_documents() {
            self.operations.push(operation);
        }
    }

    /// Notes documents of a collection that is to take the place of another one.
    pub(super) fn filled(&mut self, apart: &Rc<str>, documents: &[Document<'_>]) {
        self.totals.inserted += documents.len() as u64;
        self.keep_inserted(apart, documents);
    }

    /// Notes that the collection filled under the name `apart` has the namespace `place` now. `documents` is the number
    /// of its documents.
    pub(super) fn replaced(
        &mut self,
        apart: &Rc<str>,
        place: &Rc<str>,
        documents: u64,
        drops_target: bool,
    ) {
        self.count(place, Kind::Replaced, 1);
        self.keep_replaced(place, documents);
        self.operation(Operation::Renamed {
            from: Rc::clone(apart),
            to: Rc::clone(place),
            drops_target,
        });
    }

    /// Notes that a collection has another name now.
    pub(super) fn renamed(&mut self, from: &Rc<str>, to: &Rc<str>, drops_target: bool) {
        self.count(to, Kind::Renamed, 1);
        self.keep_renamed(from, to);
        self.operation(Operation::Renamed {
            from: Rc::clone(from),
            to: Rc::clone(to),
            drops_target,
        });
    }

    /// Counts changes of a namespace, if there were any.
    #[inline]
    pub(super) fn count(&mut self, namespace: &Rc<str>, kind: Kind, count: u64) {
        if count > 0 {
            let sum = &mut self.entry(namespace).counts[kind as usize];
            *sum = sum.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }

    /// The entry of a namespace, which is made for the first change.
    #[inline]
    fn entry(&mut self, namespace: &Rc<str>) -> &mut NamespaceChanges {
        let is_last = { self.namespaces.get(self.last) }
            .is_some_and(|known| Rc::ptr_eq(&known.namespace, namespace));
        if !is_last {
            self.find(namespace);
        }
        &mut self.namespaces[self.last]
    }

    #[inline(never)]
    fn find(&mut self, namespace: &Rc<str>) {
        let known = &self.namespaces;
        let found = known.binary_search_by(|known| known.namespace.cmp(namespace));
        self.last = found.unwrap_or_else(|at| {
            let made = NamespaceChanges {
                namespace: Rc::clone(namespace),
                counts: [0; KINDS],
                first: self.namespaces.len() as u32,
            };
            self.namespaces.insert(at, made);
            at
        });
    }

    /// Adds the changes that were made after these, and leaves none there.
    pub fn absorb(&mut self, later: &mut Changes) {
        for one in later.by_namespace() {
            let into = self.entry(&one.namespace);
            for (sum, count) in into.counts.iter_mut().zip(one.counts) {
                *sum = sum.saturating_add(count);
            }
        }
        let (sum, more) = (&mut self.totals, later.totals);
        sum.inserted += more.inserted;
        sum.updated += more.updated;
        sum.deleted += more.deleted;
        for (place, documents) in &later.replaced {
            self.keep_replaced(place, *documents);
        }
        for (from, to) in &later.renamed {
            self.keep_renamed(from, to);
        }
        if self.wants_documents() {
            self.operations.append(&mut later.operations);
            // `clear` sees no operation any more, by which it would count them anew.
            self.bytes += std::mem::take(&mut later.bytes);
        }
        self.author = later.author.or(self.author);
        if let Some(log) = &mut self.log {
            log.append(&mut later.take_log());
        }
        later.clear();
    }
}

fn copied(document: Document<'_>) -> DocumentBuf {
    DocumentBuf::from_valid_bytes(document.as_bytes().to_vec())
}
