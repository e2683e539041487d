//! `collStats`: counts and sizes of a collection. Manual: reference/command/collStats.
//!
//! Storage sizes count whole pages. A collection that does not exist has nothing but zeros.

use super::sizes;
use crate::bson::DocumentBuilder;
use crate::catalog::names;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let scale = sizes::scale(&params)?;
    params.finish()?;
    let catalog = context.view().catalog;
    let stored = catalog.stored_name(&namespace);
    catalog.refuse_view(&stored)?;
    let mut reply = DocumentBuilder::new();
    reply.append("ns", namespace.as_str());
    let Some(collection) = catalog.collection(&stored) else {
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
    sizes::append_storage(&mut reply, collection, scale, stored != namespace);
    Ok(finish_ok(reply))
}
