//! The oplog: `local.oplog.rs`, the changes of all units in the order in which they were kept.
//!
//! Follows the server's format: `{op, ns, ui, o, o2, ts, t, v, wall}`. Each unit's entries are written with its
//! changes, so that a crash leaves both or neither. A record's id is its `ts`, so a moment is found by one look-up.
//! Images of documents are no-op entries before the entry that names them. Invariants: the deployment has an oplog as
//! long as the collection is there; `ts` grows from entry to entry; the oldest entries go when the limits of the
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
    Ok(CollectionOptions::capped(CappedLimits::new(bytes, None)?))
}

impl Appender<'_> {
    /// Writes the first entry, which is of no change.
    pub fn begin(&mut self) -> Result<(), CommandError> {
        let mut note = DocumentBuilder::new();
        note.append("op", "n").append("ns", "");
        note.begin_document("o")
            .append("msg", "initiating set")
            .end();
        self.append(note).map(drop)
    }

    /// Writes the entries of a unit; those of a transaction, by its session and number, as one moment.
    pub fn log(
        &mut self,
        log: &Log,
        transaction: Option<(SessionId, i64)>,
    ) -> Result<(), CommandError> {
        match transaction {
            None => log.iter().try_for_each(|entry| self.single(entry)),
            Some((session, number)) => self.transaction(log, &session, number),
        }
    }

    fn single(&mut self, entry: &Entry) -> Result<(), CommandError> {
        let mut builder = DocumentBuilder::new();
        self.operation(entry, &mut builder)?;
        self.append(builder).map(drop)
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
        let images = [
            ("preImageOpTime", &entry.before),
            ("postImageOpTime", &entry.after),
        ];
        for (name, image) in images {
            let Some(image) = image else { continue };
            let mut note = DocumentBuilder::new();
            note.append("op", "n").append("ns", &*entry.namespace);
            note.append("o", image);
            let at = self.append(note)?;
            append_time(builder, name, at);
        }
        Ok(())
    }

    /// Writes a transaction as one entry, or as several that name the one before.
    fn transaction(
        &mut self,
        log: &Log,
        session: &SessionId,
        number: i64,
    ) -> Result<(), CommandError> {
        let (mut rest, mut before) = (&log[..], 0);
        while !rest.is_empty() {
            let mut operations = DocumentBuilder::new();
            operations.begin_array("applyOps");
            let mut count = 0;
            for entry in rest {
                if count > 0 && operations.len() + entry.o.as_bytes().len() > MOST_BYTES {
                    break;
                }
                let mut operation = DocumentBuilder::new();
                self.operation(entry, &mut operation)?;
                operations.push_item(count, &operation.finish());
                count += 1;
            }
            operations.end();
            rest = rest.get(count..).unwrap_or_default();
            match rest.is_empty() {
                false => operations.append("partialTxn", true),
                true if before > 0 => operations.append("count", log.len() as i64),
                true => &mut operations,
            };
            let mut builder = DocumentBuilder::new();
            append_identity(&mut builder, "lsid", session);
            builder.append("txnNumber", number);
            builder.append("op", "c").append("ns", "admin.$cmd");
            builder.append("o", &operations.finish());
            append_time(&mut builder, "prevOpTime", before);
            before = self.append(builder)?;
        }
        Ok(())
    }

    /// Writes one entry, and gives its time.
    fn append(&mut self, mut entry: DocumentBuilder) -> Result<u64, CommandError> {
        let Self(writer) = self;
        let now_millis = writer.catalog().now_millis();
        let time = writer.pager().clock().next(now_millis);
        entry.append("ts", time);
        entry.append("t", TERM).append("v", VERSION);
        entry.append("wall", ValueRef::DateTime(now_millis));
        let entry = entry.finish();
        let at = time.to_bits();
        writer.append_entry(NAMESPACE, RecordId(at), entry.as_document())?;
        Ok(at)
    }
}

/// Appends the place of an entry, or that there is none before.
fn append_time(builder: &mut DocumentBuilder, name: &str, at: u64) {
    builder
        .begin_document(name)
        .append("ts", Timestamp::from_bits(at));
    builder.append("t", if at == 0 { -1 } else { TERM }).end();
}
