//! `cloneCollectionAsCapped`: copies a collection's newest documents into a new capped one.
//! Manual: reference/command/cloneCollectionAsCapped.

use super::convert_to_capped::size_limit;
use crate::bson::DocumentBuilder;
use crate::catalog::{names, uuid};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let from = request.namespace()?;
    names::check_namespace(&from)?;
    let params = request.params();
    let to = format!(
        "{}.{}",
        request.database,
        params.required_string("toCollection")?
    );
    let limits = size_limit(params.integer("size")?)?;
    // The server's parser of this command leaves unknown fields alone.
    params.finish_open()?;
    names::check_creatable(&to)?;
    // Buckets are no collection of documents, and none can be made alone.
    if names::split(&from).1.starts_with(names::BUCKETS) {
        names::check_creatable(&from)?;
    }
    let env = context.env;
    let new_uuid = uuid::random(env);
    let catalog = context.view().catalog;
    catalog.refuse_view(&from)?;
    let Some(source) = catalog.collection(&from).cloned() else {
        return Err(CommandError::new(
            Code::NamespaceNotFound,
            format!("cloneCollectionAsCapped source collection {from} does not exist"),
        ));
    };
    catalog.refuse_view(&to)?;
    if catalog.named(&to).is_some() {
        return Err(CommandError::new(
            Code::NamespaceExists,
            format!(
                "cloneCollectionAsCapped failed - destination collection {to} already exists. source \
                 collection: {from}"
            ),
        ));
    }
    { context.writer() }.clone_as_capped(&source, &to, new_uuid, limits, env)?;
    Ok(finish_ok(DocumentBuilder::new()))
}
