//! `dbStats`: counts and sizes of a database. Manual: reference/command/dbStats.
//!
//! There is no file system below, so `fsUsedSize` and `fsTotalSize` are left out.

use super::sizes;
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let scale = sizes::scale(&params)?;
    let free_storage = params.safe_bool("freeStorage")?.unwrap_or(false);
    params.finish()?;
    let (mut collections, mut objects, mut data, mut storage, mut indexes, mut index_size) =
        (0_i64, 0_i64, 0_i64, 0_i64, 0_i64, 0_i64);
    let mut views = 0_i64;
    for collection in context.view().catalog.collections_of(request.database) {
        if !collection.has_documents() {
            views += 1;
            continue;
        }
        collections += 1;
        objects += collection.count() as i64;
        data += collection.data_size() as i64;
        storage += sizes::of_records(collection);
        indexes += collection.indexes.len() as i64;
        index_size += sizes::of_indexes(collection);
    }
    let scaled = |size: i64| (size / scale) as f64;
    let mut reply = DocumentBuilder::new();
    reply.append("db", request.database);
    reply
        .append("collections", collections)
        .append("views", views)
        .append("objects", objects);
    reply.append(
        "avgObjSize",
        if objects == 0 {
            0.0
        } else {
            data as f64 / objects as f64
        },
    );
    reply
        .append("dataSize", scaled(data))
        .append("storageSize", scaled(storage));
    if free_storage {
        reply.append("freeStorageSize", 0.0);
    }
    reply
        .append("indexes", indexes)
        .append("indexSize", scaled(index_size));
    if free_storage {
        reply.append("indexFreeStorageSize", 0.0);
    }
    reply.append("totalSize", scaled(storage + index_size));
    if free_storage {
        reply.append("totalFreeStorageSize", 0.0);
    }
    reply.append("scaleFactor", scale);
    Ok(finish_ok(reply))
}
