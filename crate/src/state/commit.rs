//! The commit of a transaction: its changes are made once more on the present, as one unit.
//!
//! Where others have committed since the transaction began, its trees are not those of the present. So `commit` does
//! what its operations did, in their order, through the `Writer`: indexes, counts, moments and readers of `Changes` see
//! one unit like any other. Documents get new RecordIds: their natural order is that of the commits.
//!
//! Invariant: each operation finds the document that it found in the transaction, byte by byte, or the commit fails
//! with 112 `WriteConflict` and is undone. Claims see to that for the writers of this engine; another tab's are found
//! here.

use super::changes::{Kind, Operation};
use super::claims::conflict;
use super::transaction::Transaction;
use super::unit::Unit;
use super::write::Writer;
use crate::bson::Document;
use crate::catalog::{RecordId, WriteScratch};
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::storage::Located;

/// Makes the changes of a transaction in a unit on the present.
///
/// # Errors
/// 112 `WriteConflict`; errors of the page space and of the checkpoint. The unit is to be undone.
pub fn commit(
    unit: &mut Unit<'_>,
    transaction: &Transaction,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let mut scratch = WriteScratch::default();
    for operation in transaction.whole().operations() {
        env.checkpoint()?;
        make(unit.writer(), transaction, operation, &mut scratch, env).map_err(as_conflict)?;
    }
    Ok(())
}

/// What refuses an operation that was done once is what changed since.
fn as_conflict(error: CommandError) -> CommandError {
    const CHANGED: [Code; 4] = [
        Code::DuplicateKey,
        Code::NamespaceExists,
        Code::DatabaseDifferCase,
        Code::CannotIndexParallelArrays,
    ];
    match CHANGED.iter().any(|code| *code as i32 == error.code) {
        true => conflict(),
        false => error,
    }
}

fn make(
    mut writer: Writer<'_>,
    transaction: &Transaction,
    operation: &Operation,
    scratch: &mut WriteScratch,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let own = |namespace: &str| {
        let own = transaction.catalog().collection(namespace);
        own.ok_or_else(conflict)
    };
    match operation {
        Operation::Created(namespace) => {
            let own = own(namespace)?;
            if transaction.whole().has(namespace, Kind::Implied) {
                return writer.into_created(namespace, &mut || own.uuid).map(drop);
            }
            writer.create(namespace, own.uuid, (*own.options).clone())
        }
        Operation::Indexed(namespace, name) => {
            let index = own(namespace)?.index_named(name).ok_or_else(conflict)?;
            let definition = (*index.definition).clone();
            let mut collection = writer.collection(namespace).ok_or_else(conflict)?;
            collection.add_index(definition, env)
        }
        Operation::Inserted(namespace, document) => {
            let uuid = own(namespace)?.uuid;
            let mut collection = writer.collection(namespace).ok_or_else(conflict)?;
            if collection.collection().uuid != uuid {
                return Err(conflict());
            }
            collection.insert(document.as_document(), scratch)
        }
        Operation::Updated {
            namespace,
            before,
            after,
            paths,
        } => {
            let (before, after) = (before.as_document(), after.as_document());
            let uuid = own(namespace)?.uuid;
            let mut collection = writer.collection(namespace).ok_or_else(conflict)?;
            let found = find(&collection, uuid, before)?;
            collection.update(found, before, after, paths.as_deref(), scratch)
        }
        Operation::Deleted(namespace, document) => {
            let uuid = own(namespace)?.uuid;
            let mut collection = writer.collection(namespace).ok_or_else(conflict)?;
            let (id, _) = find(&collection, uuid, document.as_document())?;
            collection.delete(id, scratch).map(drop)
        }
        // No transaction can do these.
        Operation::Dropped(_)
        | Operation::DroppedDatabase(_)
        | Operation::Renamed { .. }
        | Operation::Unindexed(..)
        | Operation::Changed(_) => Err(conflict()),
    }
}

/// The record of a document, which must be in the collection as it is here.
fn find(
    writer: &super::CollectionWriter<'_>,
    uuid: [u8; 16],
    document: Document<'_>,
) -> Result<(RecordId, Located), CommandError> {
    let (pager, collection) = (writer.pager(), writer.collection());
    if collection.uuid != uuid {
        return Err(conflict());
    }
    if let Some(id) = collection.find_by_id(pager, document.get("_id"))?
        && let Some(located) = collection.locate(pager, id)?
        && *collection.read_at(pager, &located)? == *document.as_bytes()
    {
        return Ok((id, located));
    }
    Err(conflict())
}
