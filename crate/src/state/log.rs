//! The log of a unit: its changes as entries of the oplog, but for the times that they get when the unit is kept.
//!
//! Follows the server's entries: `{op, ns, ui, o, o2}`, with `i`, `u`, `d` for documents and `c` for commands. The door
//! to write (`write`) notes each change here as it makes it, while the deployment has an oplog. Invariants: the
//! entries of a unit that is undone are forgotten with its `Changes`; changes of the database `local` and of each
//! `system.profile`, which belong to this server alone, have no entries.

use super::delta;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::catalog::stored::uuid_value;
use crate::catalog::views::VIEWS_COLLECTION;
use crate::catalog::{Collection, IndexDefinition, ModifiedPaths, names};
use std::rc::Rc;

/// The database whose collections are not logged: the oplog lies in it.
const LOCAL: &str = "local.";

/// How many documents the server inserts at once, and from how many bytes on it begins anew.
const INSERTED_AT_ONCE: usize = 500;
const BYTES_AT_ONCE: usize = 256 << 10;
/// How many it deletes at once.
const DELETED_AT_ONCE: usize = 10;

/// One change.
#[derive(Debug)]
pub struct Entry {
    /// `i`, `u`, `d`, `c`.
    pub op: &'static str,
    pub namespace: Rc<str>,
    pub uuid: Option<[u8; 16]>,
    pub o: DocumentBuf,
    pub o2: Option<DocumentBuf>,
    /// The document before and after, of collections that keep them for change streams.
    pub before: Option<DocumentBuf>,
    pub after: Option<DocumentBuf>,
    /// The server makes it together with the one before it: both are in one entry of the oplog.
    pub joins: bool,
    /// No statement asked for it: it made room in a capped collection.
    pub is_implied: bool,
    /// The number of the retryable statement that it is of.
    pub statement: Option<i32>,
}

impl Entry {
    fn new(op: &'static str, namespace: Rc<str>, o: DocumentBuf) -> Self {
        Self {
            op,
            namespace,
            uuid: None,
            o,
            o2: None,
            before: None,
            after: None,
            joins: false,
            is_implied: false,
            statement: None,
        }
    }
}

/// The entries of a unit, in the order of its changes.
pub type Log = Vec<Entry>;

/// Whether a collection keeps documents as they were before and after each change.
pub fn has_images(collection: &Collection) -> bool {
    let option = collection
        .options
        .others
        .get("changeStreamPreAndPostImages");
    option
        .as_document()
        .is_some_and(|images| images.get("enabled").is_truthy())
}

fn id_of(document: Document<'_>) -> DocumentBuf {
    let mut id = DocumentBuilder::new();
    id.append("_id", document.get("_id"));
    id.finish()
}

/// Joins the inserts behind the first `from` entries to as many as the server makes at once.
pub fn join_inserted(log: &mut Log, from: usize) {
    let (mut count, mut bytes) = (0, 0);
    for entry in log.iter_mut().skip(from) {
        if entry.op != "i" || count == INSERTED_AT_ONCE || bytes >= BYTES_AT_ONCE {
            (count, bytes) = (0, 0);
        }
        if entry.op == "i" {
            entry.joins = count > 0;
            count += 1;
            bytes += entry.o.as_bytes().len();
        }
    }
}

/// Notes changes.
pub struct Notes<'l>(pub &'l mut Log);

impl Notes<'_> {
    fn push(
        &mut self,
        op: &'static str,
        collection: &Collection,
        o: DocumentBuf,
        o2: Option<DocumentBuf>,
    ) -> Option<&mut Entry> {
        let is_own = collection.namespace.starts_with(LOCAL) || collection.name() == names::PROFILE;
        if is_own {
            return None;
        }
        let namespace = match op {
            "c" => command_namespace(&collection.namespace),
            _ => Rc::clone(&collection.namespace),
        };
        self.0.push(Entry {
            uuid: Some(collection.uuid),
            o2,
            ..Entry::new(op, namespace, o)
        });
        self.0.last_mut()
    }

    #[inline(never)]
    pub fn inserted(&mut self, collection: &Collection, documents: &[Document<'_>]) {
        let from = self.0.len();
        for document in documents {
            self.push("i", collection, document.to_buf(), Some(id_of(*document)));
        }
        join_inserted(self.0, from);
    }

    /// Notes an update: a replacement as the document that it made, any other as what it changed.
    #[inline(never)]
    pub fn updated(
        &mut self,
        collection: &Collection,
        before: Document<'_>,
        after: Document<'_>,
        paths: Option<&ModifiedPaths>,
    ) {
        let delta = match paths {
            Some(paths) if paths.is_whole() => None,
            Some(paths) => Some(delta::of_operators(before, after, paths)),
            None => delta::computed(before, after),
        };
        let o = delta.map_or_else(
            || after.to_buf(),
            |delta| {
                let mut o = DocumentBuilder::new();
                o.append("$v", 2).append("diff", &delta);
                o.finish()
            },
        );
        if let Some(entry) = self.push("u", collection, o, Some(id_of(after)))
            && has_images(collection)
        {
            entry.before = Some(before.to_buf());
            entry.after = Some(after.to_buf());
        }
    }

    /// Notes a deleted document; `place`: how many one sweep has deleted before it, none where it made room.
    #[inline(never)]
    pub fn deleted(
        &mut self,
        collection: &Collection,
        document: Document<'_>,
        place: Option<usize>,
    ) {
        if let Some(entry) = self.push("d", collection, id_of(document), None) {
            entry.is_implied = place.is_none();
            entry.joins = place.is_some_and(|place| place % DELETED_AT_ONCE > 0);
            if has_images(collection) {
                entry.before = Some(document.to_buf());
            }
        }
    }

    /// Notes a collection or a view that was created.
    #[inline(never)]
    pub fn created(&mut self, collection: &Collection) {
        if !collection.has_documents() {
            self.view("i", collection);
            return;
        }
        let mut o = DocumentBuilder::new();
        o.append("create", collection.name());
        collection.options.append_to(&mut o);
        if !collection.is_in_id_order()
            && let Some(index) = collection.indexes.first()
        {
            o.append("idIndex", &index.definition.to_bson());
        }
        self.push("c", collection, o.finish(), None);
    }

    /// Notes a view as the document of `system.views` that defines it.
    fn view(&mut self, op: &'static str, view: &Collection) {
        let mut definition = DocumentBuilder::new();
        view.append_view(&mut definition);
        let definition = definition.finish();
        let id = id_of(definition.as_document());
        let (o, o2) = match op {
            "d" => (id, None),
            _ => (definition, Some(id)),
        };
        let database = names::split(&view.namespace).0;
        let namespace = Rc::from(format!("{database}.{VIEWS_COLLECTION}"));
        if let Some(entry) = self.push(op, view, o, o2) {
            entry.namespace = namespace;
        }
    }

    #[inline(never)]
    pub fn dropped(&mut self, collection: &Collection) {
        if !collection.has_documents() {
            self.view("d", collection);
            return;
        }
        let (mut o, mut o2) = (DocumentBuilder::new(), DocumentBuilder::new());
        o.append("drop", collection.name());
        o2.append_integer("numRecords", collection.count() as i64);
        self.push("c", collection, o.finish(), Some(o2.finish()));
    }

    pub fn dropped_database(&mut self, database: &str) {
        let mut o = DocumentBuilder::new();
        o.append("dropDatabase", 1);
        if !format!("{database}.").starts_with(LOCAL) {
            let namespace = format!("{database}.$cmd").into();
            self.0.push(Entry::new("c", namespace, o.finish()));
        }
    }

    /// Notes another name of a collection, and the collection that had it before.
    #[inline(never)]
    pub fn renamed(&mut self, from: &str, to: &Collection, target: Option<&Collection>) {
        let (mut o, mut o2) = (DocumentBuilder::new(), None);
        o.append("renameCollection", from);
        o.append("to", &*to.namespace).append("stayTemp", false);
        if let Some(target) = target {
            o.append("dropTarget", uuid_value(&target.uuid));
            let mut records = DocumentBuilder::new();
            records.append_integer("numRecords", target.count() as i64);
            o2 = Some(records.finish());
        }
        if let Some(entry) = self.push("c", to, o.finish(), o2) {
            entry.namespace = command_namespace(from);
        }
    }

    #[inline(never)]
    pub fn indexed(&mut self, collection: &Collection, definition: &IndexDefinition) {
        let mut o = DocumentBuilder::new();
        o.append("createIndexes", collection.name());
        o.append_all(definition.to_bson().as_document());
        self.push("c", collection, o.finish(), None);
    }

    #[inline(never)]
    pub fn unindexed(&mut self, collection: &Collection, definition: &IndexDefinition) {
        let mut o = DocumentBuilder::new();
        o.append("dropIndexes", collection.name());
        o.append("index", &*definition.name);
        self.push("c", collection, o.finish(), Some(definition.to_bson()));
    }

    /// Notes other options of a collection; `before` are those that it had.
    #[inline(never)]
    pub fn changed(&mut self, collection: &Collection, before: &Collection) {
        if !collection.has_documents() {
            self.view("u", collection);
            return;
        }
        let (old, new) = (before.options.to_bson(), collection.options.to_bson());
        let mut o = DocumentBuilder::new();
        o.append("collMod", collection.name());
        for field in new.as_document().iter() {
            if old.as_document().iter().all(|was| was.raw != field.raw) {
                o.append_raw(field.raw);
            }
        }
        self.modified(collection, o, &old, None);
    }

    /// Notes another definition of an index.
    #[inline(never)]
    pub fn changed_index(
        &mut self,
        collection: &Collection,
        before: &IndexDefinition,
        after: &IndexDefinition,
    ) {
        let (old, new) = (before.to_bson(), after.to_bson());
        let (mut o, mut was) = (DocumentBuilder::new(), DocumentBuilder::new());
        o.append("collMod", collection.name());
        o.begin_document("index").append("name", &*after.name);
        for name in ["expireAfterSeconds", "hidden", "unique", "prepareUnique"] {
            let (old, new) = (old.get(name), new.get(name));
            let is_alike = match (old, new) {
                (ValueRef::Missing, ValueRef::Missing) => true,
                (old, new) => crate::bson::compare::compare(old, new).is_eq(),
            };
            if is_alike {
                continue;
            }
            // Of an option that is not there the default is told.
            let or_default = |value: ValueRef<'_>| match (value, name) {
                (ValueRef::Missing, "expireAfterSeconds") => ValueRef::Missing,
                (ValueRef::Missing, _) => ValueRef::Boolean(false),
                (value, _) => match value {
                    ValueRef::Boolean(flag) => ValueRef::Boolean(flag),
                    ValueRef::Int32(number) => ValueRef::Int64(i64::from(number)),
                    _ => ValueRef::Missing,
                },
            };
            o.append(name, or_default(new));
            was.append(name, or_default(old));
        }
        o.end();
        self.modified(
            collection,
            o,
            &collection.options.to_bson(),
            Some(was.finish()),
        );
    }

    fn modified(
        &mut self,
        collection: &Collection,
        o: DocumentBuilder,
        options: &DocumentBuf,
        index: Option<DocumentBuf>,
    ) {
        let mut o2 = DocumentBuilder::new();
        o2.begin_document("collectionOptions_old");
        o2.append("uuid", uuid_value(&collection.uuid));
        o2.append_all(options.as_document()).end();
        if let Some(index) = index {
            o2.append("indexOptions_old", &index);
        }
        self.push("c", collection, o.finish(), Some(o2.finish()));
    }
}

fn command_namespace(namespace: &str) -> Rc<str> {
    format!("{}.$cmd", names::split(namespace).0).into()
}
