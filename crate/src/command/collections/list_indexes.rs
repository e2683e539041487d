//! `listIndexes`: the indexes of a collection. Manual: reference/command/listIndexes.

use super::kinds::series::measurement_index;
use crate::bson::{DocumentBuf, DocumentBuilder};
use crate::catalog::names;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::list_cursor;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

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
    let with_uuids = params.boolean("includeBuildUUIDs")?.unwrap_or(false);
    params.finish()?;
    if with_build_info && with_uuids {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "The includeBuildUUIDs flag and includeIndexBuildInfo flag cannot both be set to true",
        ));
    }
    let catalog = context.view().catalog;
    let series = { catalog.named(&namespace) }.and_then(|named| named.options.kind.measured());
    let collection = catalog.required(&catalog.stored_name(&namespace))?;
    let is_of_buckets = collection.options.kind.buckets().is_some();
    let documents: Vec<DocumentBuf> = collection
        .indexes
        .iter()
        .filter(|index| !index.definition.is_unlisted())
        .filter(|index| !(is_of_buckets && index.definition.is_id_index()))
        .filter_map(|index| {
            let spec = index.definition.to_bson();
            let spec = match series {
                Some(series) => measurement_index(series, spec.as_document())?,
                None => spec,
            };
            if !with_build_info {
                return Some(spec);
            }
            let mut builder = DocumentBuilder::new();
            builder.append("spec", &spec);
            Some(builder.finish())
        })
        .collect();
    list_cursor::reply(context, request, &namespace, documents, batch_size)
}
