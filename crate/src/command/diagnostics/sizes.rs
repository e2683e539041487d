//! Sizes of collections and indexes in bytes, as the statistics commands give them.

use crate::bson::DocumentBuilder;
use crate::catalog::{Collection, Index};
use crate::command::request::Params;
use crate::error::{Code, CommandError};
use crate::storage::{PAGE_SIZE, Tree};

/// Bytes of a tree's pages.
pub(in crate::command) fn of_tree(tree: &Tree) -> i64 {
    (tree.page_count() as i64).saturating_mul(PAGE_SIZE as i64)
}

/// Bytes of all index pages.
pub(in crate::command) fn of_indexes(collection: &Collection) -> i64 {
    collection.own_indexes().map(of_index).sum()
}

/// Bytes of all pages of a collection.
pub(in crate::command) fn total(collection: &Collection) -> i64 {
    of_records(collection) + of_indexes(collection)
}

/// Reads `scale`, the divisor of sizes: 1024 for kilobytes.
///
/// # Errors
/// 2 `BadValue` below 1.
pub(in crate::command) fn scale(params: &Params<'_>) -> Result<i64, CommandError> {
    match params.integer("scale")? {
        None => Ok(1),
        Some(scale) if scale < 1 => Err(CommandError::new(
            Code::BadValue,
            format!("BSON field 'scale' value must be >= 1, actual value '{scale}'"),
        )),
        Some(scale) => Ok(scale),
    }
}

/// Appends a size divided by the scale.
pub(in crate::command) fn append_scaled(
    reply: &mut DocumentBuilder,
    name: &str,
    size: i64,
    scale: i64,
) {
    reply.append_integer(name, size / scale.max(1));
}

/// Appends the sizes and counts of a collection, divided by the scale, as `collStats` and `$collStats` answer them; of
/// buckets where a time series is asked for.
pub(in crate::command) fn append_storage(
    builder: &mut DocumentBuilder,
    collection: &Collection,
    scale: i64,
    is_series: bool,
) {
    let (size, count) = (collection.data_size() as i64, collection.count() as i64);
    append_scaled(builder, "size", size, scale);
    if is_series {
        // Its documents are the measurements, which nobody counts.
        builder.begin_document("timeseries");
        builder.append("bucketsNs", &*collection.namespace);
        builder.append_integer("bucketCount", count);
        if count > 0 {
            builder.append_integer("avgBucketSize", size / count);
        }
        builder.end();
    } else {
        builder.append_integer("count", count);
        if count > 0 {
            builder.append_integer("avgObjSize", size / count);
        }
    }
    builder.append("numOrphanDocs", 0);
    append_scaled(builder, "storageSize", of_records(collection), scale);
    builder.append("freeStorageSize", 0);
    { collection.options.kind.rules() }.append_statistics(builder, scale);
    builder.append("nindexes", collection.own_indexes().count() as i32);
    builder.begin_document("indexDetails").end();
    builder.begin_array("indexBuilds").end();
    append_scaled(builder, "totalIndexSize", of_indexes(collection), scale);
    append_scaled(builder, "totalSize", total(collection), scale);
    builder.begin_document("indexSizes");
    for index in collection.own_indexes() {
        append_scaled(builder, index.name(), of_index(index), scale);
    }
    builder.end();
    builder.append_integer("scaleFactor", scale);
}

/// The bytes of an index's pages, those of its strings' labels included.
pub(in crate::command) fn of_index(index: &Index) -> i64 {
    of_tree(&index.tree) + of_tree(&index.labels)
}

/// Bytes of the documents' pages, and of those that keep them in order.
pub(in crate::command) fn of_records(collection: &Collection) -> i64 {
    let order = match collection.is_in_id_order() {
        true => of_index(collection.id_index()),
        false => 0,
    };
    of_tree(&collection.records) + order
}
