//! `listIndexes`: the indexes of a collection. Manual: reference/command/listIndexes.

use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::catalog::names;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::list_cursor;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let batch_size = list_cursor::batch_size(&params, "listIndexes")?;
    let with_build_info = params.boolean("includeIndexBuildInfo")?.unwrap_or(false);
    // No index is ever seen half-built, so there is no build to name.
    params.boolean("includeBuildUUIDs")?;
    params.finish()?;
    let collection = context.view().catalog.required(&namespace)?;
    let documents: Vec<DocumentBuf> = collection
        .indexes
        .iter()
        .filter(|index| !index.definition.is_unlisted())
        .map(|index| {
            if !with_build_info {
                return index.definition.to_bson();
            }
            let mut builder = DocumentBuilder::new();
            builder.begin_document("spec");
            index.definition.append_to(&mut builder);
            builder.end();
            builder.finish()
        })
        .collect();
    list_cursor::reply(context, request, &namespace, documents, batch_size)
}
