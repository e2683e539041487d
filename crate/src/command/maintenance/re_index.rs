//! `reIndex`: builds a collection's indexes anew. Manual: reference/command/reIndex.

use crate::bson::{ArrayBuilder, DocumentBuilder};
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
    request.params().finish()?;
    context.view().catalog.refuse_view(&namespace)?;
    context.view().catalog.required(&namespace)?;
    let env = context.env;
    let mut reply = DocumentBuilder::new();
    if let Some(mut collection) = context.writer().into_collection(&namespace) {
        collection.rebuild_indexes(env)?;
        let indexes = &collection.collection().indexes;
        reply.append("nIndexesWas", indexes.len() as i32);
        reply.append("nIndexes", indexes.len() as i32);
        let mut all = ArrayBuilder::new();
        for index in indexes {
            all.push(&index.definition.to_bson());
        }
        reply.append("indexes", &all.finish());
    }
    Ok(finish_ok(reply))
}
