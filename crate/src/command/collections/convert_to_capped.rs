//! `convertToCapped`: makes a collection capped, keeping its newest documents and only its `_id` index.
//! Manual: reference/command/convertToCapped.

use crate::bson::DocumentBuilder;
use crate::catalog::{CappedLimits, names, uuid};
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let limits = size_limit(params.integer("size")?)?;
    // The server's parser of this command leaves unknown fields alone.
    params.finish_open()?;
    if names::is_system(names::split(&namespace).1) {
        return Err(CommandError::new(
            Code::BadValue,
            format!("cannot convert the system collection {namespace}"),
        ));
    }
    let env = context.env;
    let new_uuid = uuid::random(env);
    let Writing {
        mut writer,
        cursors,
        ..
    } = context.writing();
    writer.catalog().refuse_view(&namespace)?;
    let Some(source) = writer.catalog().collection(&namespace).cloned() else {
        return Err(CommandError::new(
            Code::NamespaceNotFound,
            format!("source collection {namespace} does not exist"),
        ));
    };
    writer.convert_to_capped(&source, new_uuid, limits, env)?;
    cursors.end_namespace(&namespace, &uuid::dropped_reason(&source.uuid));
    Ok(finish_ok(DocumentBuilder::new()))
}

/// Checks the size that `convertToCapped` and `cloneCollectionAsCapped` must be given.
pub(in crate::command) fn size_limit(size: Option<i64>) -> Result<CappedLimits, CommandError> {
    match size {
        Some(size) if size > 0 => CappedLimits::new(size, None),
        _ => Err(CommandError::new(
            Code::InvalidOptions,
            "Capped collection size must be greater than zero",
        )),
    }
}
