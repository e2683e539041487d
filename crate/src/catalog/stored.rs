//! A collection's row in the catalog tree: its namespace as the key, a BSON document as the value.
//!
//! The document: `uuid`, `options`, `next` (RecordId), `records` (tree handle) and `indexes`, each with
//! `spec`, `tree`, with a collation `labels` (the tree of its strings' labels) and, when multikey, `paths` (a bit set
//! of path components for each field) or, of a wildcard index, `arrays` (the paths that hold arrays).

use super::collection::{Collection, Index, RecordId};
use super::filter::FilterCompiler;
use super::index::IndexDefinition;
use super::names;
use super::options::CollectionOptions;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::collation::Collation;
use crate::error::{CommandError, StorageError};
use crate::storage::Tree;
use std::rc::Rc;

/// The subtype of a UUID.
pub const UUID_SUBTYPE: u8 = 4;

/// A collection's row.
pub(super) fn write(collection: &Collection) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder.append("uuid", uuid_value(&collection.uuid));
    builder.begin_document("options");
    collection.options.append_to(&mut builder);
    collection.options.kind.rules().append_stored(&mut builder);
    builder.end();
    builder.append("next", collection.next_record.0 as i64);
    append_tree(&mut builder, "records", &collection.records);
    builder.begin_array("indexes");
    for (position, index) in collection.indexes.iter().enumerate() {
        builder.begin_document(&position.to_string());
        builder.begin_document("spec");
        index.definition.append_to(&mut builder);
        builder.end();
        append_tree(&mut builder, "tree", &index.tree);
        if index.labels.page_count() > 0 {
            append_tree(&mut builder, "labels", &index.labels);
        }
        if !index.array_paths.is_empty() {
            builder.begin_array("arrays");
            for (position, path) in index.array_paths.iter().enumerate() {
                builder.append(&position.to_string(), &**path);
            }
            builder.end();
        } else if index.multikey {
            builder.begin_array("paths");
            for (field, components) in index.multikey_paths.iter().enumerate() {
                builder.append(&field.to_string(), *components as i64);
            }
            builder.end();
        }
        builder.end();
    }
    builder.finish()
}

/// A UUID as a value.
pub fn uuid_value(uuid: &[u8; 16]) -> ValueRef<'_> {
    ValueRef::Binary {
        subtype: UUID_SUBTYPE,
        bytes: uuid,
    }
}

fn append_tree(builder: &mut DocumentBuilder, name: &str, tree: &Tree) {
    let bytes = tree.encode();
    builder.append(
        name,
        ValueRef::Binary {
            subtype: 0,
            bytes: &bytes,
        },
    );
}

fn corrupt(namespace: &str, what: &str) -> StorageError {
    StorageError::corrupt(
        0,
        format!("the catalog row of {namespace} has no valid {what}"),
    )
}

/// Reads a row that `write` wrote.
///
/// # Errors
/// `Corrupt` for a row that is not one.
// Apart, because a new deployment has no rows: a browser compiles a function when it is called.
#[inline(never)]
pub(super) fn read(
    key: &[u8],
    row: &[u8],
    compiler: &dyn FilterCompiler,
) -> Result<Collection, CommandError> {
    let namespace = String::from_utf8_lossy(key);
    if crate::bson::validate(row).is_err() {
        return Err(corrupt(&namespace, "BSON").into());
    }
    let row = Document::from_valid_bytes(row);
    let uuid = match row.get("uuid") {
        ValueRef::Binary { bytes, .. } => bytes.try_into().ok(),
        _ => None,
    };
    let next = row.get("next").as_exact_i64();
    let mut indexes = Vec::new();
    for item in row
        .get("indexes")
        .as_array()
        .map(|array| array.iter())
        .into_iter()
        .flatten()
    {
        let item = item
            .as_document()
            .ok_or_else(|| corrupt(&namespace, "index"))?;
        let spec = item
            .get("spec")
            .as_document()
            .ok_or_else(|| corrupt(&namespace, "index specification"))?;
        let paths = item.get("paths").as_array();
        let arrays = item.get("arrays").as_array();
        let mut definition = IndexDefinition::from_stored(spec, compiler)?;
        // The specification does not say so of an `_id` index.
        definition.sparse |= definition.is_id_index() && names::is_profile(&namespace);
        indexes.push(Index {
            definition: Rc::new(definition),
            tree: read_tree(&namespace, item.get("tree"))?,
            labels: match item.get("labels") {
                ValueRef::Missing => Tree::new(),
                labels => read_tree(&namespace, labels)?,
            },
            multikey: paths.is_some() || arrays.is_some(),
            array_paths: arrays
                .map(|arrays| arrays.iter())
                .into_iter()
                .flatten()
                .filter_map(|path| path.as_str().map(Box::from))
                .collect(),
            multikey_paths: paths
                .map(|paths| paths.iter())
                .into_iter()
                .flatten()
                .map(|components| components.as_exact_i64().unwrap_or(0) as u64)
                .collect(),
            facts_slot: Default::default(),
        });
    }
    let options = row.get("options").as_document().unwrap_or(Document::EMPTY);
    let collation = match options.get("collation").as_document() {
        None => Collation::SIMPLE,
        Some(document) => compiler.collation(document)?,
    };
    let options = CollectionOptions::from_bson(options, collation);
    if indexes.is_empty() && options.kind.view().is_none() {
        return Err(corrupt(&namespace, "_id index").into());
    }
    Ok(Collection {
        namespace: Rc::from(&*namespace),
        uuid: uuid.ok_or_else(|| corrupt(&namespace, "uuid"))?,
        options: Rc::new(options),
        records: read_tree(&namespace, row.get("records"))?,
        next_record: RecordId(next.ok_or_else(|| corrupt(&namespace, "next record"))? as u64),
        indexes,
        plans: Default::default(),
        scans: Default::default(),
    })
}

fn read_tree(namespace: &str, value: ValueRef<'_>) -> Result<Tree, StorageError> {
    match value {
        ValueRef::Binary { bytes, .. } => Tree::decode(bytes),
        _ => Err(corrupt(namespace, "tree")),
    }
}
