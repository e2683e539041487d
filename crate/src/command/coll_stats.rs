//! `collStats`: counts and sizes of a collection. Manual: reference/command/collStats.
//!
//! Storage sizes count whole pages. A collection that does not exist has nothing but zeros.

use super::context::{CommandContext, CommandResult};
use super::params::Request;
use super::reply::finish_ok;
use super::sizes::{self, append_scaled};
use crate::bson::DocumentBuilder;
use crate::catalog::names;

pub(super) fn run(context: &mut CommandContext<'_>, request: &Request<'_>) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let scale = sizes::scale(&params)?;
    params.finish()?;
    context.deployment.catalog.refuse_view(&namespace)?;
    let mut reply = DocumentBuilder::new();
    reply.append("ns", namespace.as_str());
    let Some(collection) = context.deployment.catalog.collection(&namespace) else {
        for name in [
            "size",
            "count",
            "numOrphanDocs",
            "storageSize",
            "totalSize",
            "nindexes",
            "totalIndexSize",
        ] {
            reply.append(name, 0);
        }
        reply.begin_document("indexDetails").end();
        reply.begin_document("indexSizes").end();
        reply.append_integer("scaleFactor", scale);
        return Ok(finish_ok(reply));
    };
    let (size, count) = (collection.data_size() as i64, collection.count() as i64);
    append_scaled(&mut reply, "size", size, scale);
    reply.append_integer("count", count);
    if count > 0 {
        reply.append_integer("avgObjSize", size / count);
    }
    reply.append("numOrphanDocs", 0);
    append_scaled(
        &mut reply,
        "storageSize",
        sizes::of_tree(&collection.records),
        scale,
    );
    reply.append("freeStorageSize", 0);
    reply.append("capped", collection.is_capped());
    if let Some(limits) = collection.options.capped {
        reply.append_integer("max", limits.max);
        append_scaled(&mut reply, "maxSize", limits.size, scale);
    }
    reply.append("nindexes", collection.indexes.len() as i32);
    reply.begin_document("indexDetails").end();
    reply.begin_array("indexBuilds").end();
    append_scaled(
        &mut reply,
        "totalIndexSize",
        sizes::of_indexes(collection),
        scale,
    );
    append_scaled(&mut reply, "totalSize", sizes::total(collection), scale);
    reply.begin_document("indexSizes");
    for index in &collection.indexes {
        append_scaled(&mut reply, index.name(), sizes::of_tree(&index.tree), scale);
    }
    reply.end();
    reply.append_integer("scaleFactor", scale);
    Ok(finish_ok(reply))
}
