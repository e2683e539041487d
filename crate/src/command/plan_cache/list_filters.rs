//! `planCacheListFilters`: the index filters of a collection. Manual: reference/command/planCacheListFilters.

use crate::bson::DocumentBuilder;
use crate::catalog::names;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::planner::memory;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    context.view().catalog.refuse_view(&namespace)?;
    // As on the server the commands on the plan cache leave unknown fields alone.
    request.params().finish_open()?;
    let mut reply = DocumentBuilder::new();
    reply.begin_array("filters");
    if let Some(collection) = context.view().catalog.collection(&namespace) {
        memory::with(collection, |memory| {
            for (position, filter) in memory.filters().iter().enumerate() {
                reply.begin_document(&position.to_string());
                reply.append_all(filter.described.as_document());
                reply.append("indexes", &filter.indexes).end();
            }
        });
    }
    reply.end();
    Ok(finish_ok(reply))
}
