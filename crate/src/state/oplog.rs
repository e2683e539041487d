//! The oplog: `local.oplog.rs`, the changes of all units in the order in which they were kept.
//!
//! Follows the server's format: `{op, ns, ui, o, o2, ts, t, v, wall}`. Each unit's entries are written with its
//! changes, so that a crash leaves both or neither. A record's id is its `ts`, so a moment is found by one look-up.
//! Images of documents are no-op entries before the entry that names them. Documents that the server inserts, or
//! deletes, at once are operations of one entry, as those of a transaction are. Invariants: the deployment has an oplog
//! as long as the collection is there; `ts` grows from entry to entry; the oldest entries go when the limits of the
//! collection are met.

use super::log::{Entry, Log};
use super::session_id::{SessionId, append_identity};
use super::write::Writer;
use crate::bson::{DocumentBuilder, Timestamp, ValueRef};
use crate::catalog::stored::uuid_value;
use crate::catalog::{CappedLimits, Catalog, CollectionOptions, RecordId};
use crate::error::CommandError;

pub use crate::catalog::names::OPLOG as NAMESPACE;
/// The bytes of entries that are kept where nobody says how many.
pub const DEFAULT_BYTES: i64 = 16 << 20;
/// The most bytes of operations that one entry of a transaction has.
const MOST_BYTES: usize = 12 << 20;
/// The term of a deployment that never had another primary.
const TERM: i64 = 1;
/// The version of the format.
const VERSION: i64 = 2;

/// The `multiOpType` of operations that are one entry and no transaction.
const SEPARATELY: i32 = 1;

/// The session and number of the transaction, or of the retryable write, whose changes a unit has.
#[derive(Debug, Clone, Copy)]
pub struct Author {
    pub session: SessionId,
    pub number: i64,
    pub is_transaction: bool,
    /// Which image of a `findAndModify` its first reply has: `preImage` or `postImage`, or none.
    pub image: &'static str,
}

/// Writes entries behind those that are there.
pub(super) struct Appender<'a>(pub Writer<'a>);

/// Whether the deployment has an oplog.
pub fn is_on(catalog: &Catalog) -> bool {
    catalog.collection(NAMESPACE).is_some()
}

/// The options of an oplog.
///
/// # Errors
/// 2 `BadValue` for a size out of range.
pub fn options(bytes: i64) -> Result<CollectionOptions, CommandError> {
    Ok(CollectionOptions::of(CappedLimits::new(bytes, None)?))
}

impl Appender<'_> {
    /// Writes the first entry, which is of no change.
    pub fn begin(&mut self) -> Result<(), CommandError> {
        let mut note = DocumentBuilder::new();
        note.append("op", "n").append("ns", "");
        note.begin_document("o")
            .append("msg", "initiating set")
            .end();
        self.append(note, DocumentBuilder::new()).map(drop)
    }

    /// Writes the entries of a unit: those of a transaction as one moment, of others those that were made together.
    pub fn log(&mut self, log: &Log, author: Option<Author>) -> Result<(), CommandError> {
        if let Some(author) = author.filter(|author| author.is_transaction) {
            return self.transaction(log, &author);
        }
        let (mut rest, mut before) = (&log[..], 0);
        while let Some((first, more)) = rest.split_first() {
            let joining = more.iter().take_while(|entry| entry.joins).count();
            let (all, left) = rest.split_at(1 + joining);
            rest = left;
            let author = author.filter(|_| first.statement.is_some());
            let (mut entry, mut tail) = (DocumentBuilder::new(), DocumentBuilder::new());
            append_author(&mut entry, author.as_ref());
            match joining {
                0 => self.operation(first, &mut entry)?,
                _ => {
                    let mut operations = DocumentBuilder::new();
                    self.operations(all, &mut operations)?;
                    append_operations(&mut entry, operations);
                }
            }
            if let Some(author) = author {
                append_time(&mut tail, "prevOpTime", before);
                if !author.image.is_empty() && first.op != "i" {
                    tail.append("needsRetryImage", author.image);
                }
                if joining > 0 {
                    tail.append("multiOpType", SEPARATELY);
                }
            }
            let at = self.append(entry, tail)?;
            before = if author.is_some() { at } else { before };
        }
        Ok(())
    }

    /// Writes the images of an operation, and appends the operation itself.
    fn operation(
        &mut self,
        entry: &Entry,
        builder: &mut DocumentBuilder,
    ) -> Result<(), CommandError> {
        builder
            .append("op", entry.op)
            .append("ns", &*entry.namespace);
        if let Some(uuid) = &entry.uuid {
            builder.append("ui", uuid_value(uuid));
        }
        builder.append("o", &entry.o);
        if let Some(o2) = &entry.o2 {
            builder.append("o2", o2);
        }
        if let Some(statement) = entry.statement {
            builder.append("stmtId", statement);
        }
        let images = [
            ("preImageOpTime", &entry.before),
            ("postImageOpTime", &entry.after),
        ];
        for (name, image) in images {
            let Some(image) = image else { continue };
            let mut note = DocumentBuilder::new();
            note.append("op", "n").append("ns", &*entry.namespace);
            note.append("o", image);
            let at = self.append(note, DocumentBuilder::new())?;
            append_time(builder, name, at);
        }
        Ok(())
    }

    /// Writes the images of operations, and appends as many of the operations as one entry has; gives how many.
    fn operations(
        &mut self,
        entries: &[Entry],
        operations: &mut DocumentBuilder,
    ) -> Result<usize, CommandError> {
        operations.begin_array("applyOps");
        let mut count = 0;
        for entry in entries {
            if count > 0 && operations.len() + entry.o.as_bytes().len() > MOST_BYTES {
                break;
            }
            let mut operation = DocumentBuilder::new();
            self.operation(entry, &mut operation)?;
            operations.push_item(count, &operation.finish());
            count += 1;
        }
        operations.end();
        Ok(count)
    }

    /// Writes a transaction as one entry, or as several that name the one before.
    fn transaction(&mut self, log: &Log, author: &Author) -> Result<(), CommandError> {
        let (mut rest, mut before) = (&log[..], 0);
        while !rest.is_empty() {
            let mut operations = DocumentBuilder::new();
            let count = self.operations(rest, &mut operations)?;
            rest = rest.get(count..).unwrap_or_default();
            match rest.is_empty() {
                false => operations.append("partialTxn", true),
                true if before > 0 => operations.append("count", log.len() as i64),
                true => &mut operations,
            };
            let (mut entry, mut tail) = (DocumentBuilder::new(), DocumentBuilder::new());
            append_author(&mut entry, Some(author));
            append_operations(&mut entry, operations);
            append_time(&mut tail, "prevOpTime", before);
            before = self.append(entry, tail)?;
        }
        Ok(())
    }

    /// Writes one entry, and gives its time. `tail` stands behind the time.
    fn append(
        &mut self,
        mut entry: DocumentBuilder,
        tail: DocumentBuilder,
    ) -> Result<u64, CommandError> {
        let Self(writer) = self;
        let now_millis = writer.catalog().now_millis();
        let time = writer.pager().clock().next(now_millis);
        entry.append("ts", time);
        entry.append("t", TERM).append("v", VERSION);
        entry.append("wall", ValueRef::DateTime(now_millis));
        entry.append_all(tail.finish().as_document());
        let entry = entry.finish();
        let at = time.to_bits();
        writer.append_entry(NAMESPACE, RecordId(at), entry.as_document())?;
        Ok(at)
    }
}

fn append_author(entry: &mut DocumentBuilder, author: Option<&Author>) {
    if let Some(author) = author {
        append_identity(entry, "lsid", &author.session);
        entry.append("txnNumber", author.number);
    }
}

fn append_operations(entry: &mut DocumentBuilder, operations: DocumentBuilder) {
    entry.append("op", "c").append("ns", "admin.$cmd");
    entry.append("o", &operations.finish());
}

/// Appends the place of an entry, or that there is none before.
fn append_time(builder: &mut DocumentBuilder, name: &str, at: u64) {
    builder
        .begin_document(name)
        .append("ts", Timestamp::from_bits(at));
    builder.append("t", if at == 0 { -1 } else { TERM }).end();
}
