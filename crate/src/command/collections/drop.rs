//! `drop`: removes a collection and its indexes. Manual: reference/command/drop.

use crate::bson::DocumentBuilder;
use crate::catalog::views::VIEWS_COLLECTION;
use crate::catalog::{names, uuid};
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use std::rc::Rc;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    let expected_uuid = params.uuid("collectionUUID")?;
    params.refuse("encryptedFields")?;
    params.finish()?;
    context
        .view()
        .catalog
        .check_uuid(&namespace, expected_uuid)?;
    let (database, name) = names::split(&namespace);
    if name == VIEWS_COLLECTION {
        drop_views(context, database)?;
    } else if name == names::PROFILE {
        if context.deployment.profiler.settings(database).level > 0 {
            return Err(CommandError::new(
                Code::IllegalOperation,
                "turn off profiling before dropping system.profile collection",
            ));
        }
    } else if names::is_system(name) {
        return Err(CommandError::new(
            Code::IllegalOperation,
            format!("can't drop system collection {namespace}"),
        ));
    }
    let Writing {
        mut writer,
        cursors,
        ..
    } = context.writing();
    let mut reply = DocumentBuilder::new();
    let buckets = writer.catalog().measured(&namespace);
    if let Some((buckets, _)) = buckets
        && let Some(dropped) = writer.drop_named(&buckets)?
    {
        cursors.end_namespace(&buckets, &uuid::dropped_reason(&dropped.uuid));
        reply.append("nIndexesWas", dropped.indexes.len() as i32 - 1);
    }
    if let Some(dropped) = writer.drop_named(&namespace)? {
        cursors.end_namespace(&namespace, &uuid::dropped_reason(&dropped.uuid));
        if dropped.has_documents() {
            reply.append("nIndexesWas", dropped.indexes.len() as i32);
        }
        reply.append("ns", namespace.as_str());
    }
    writer.write_changed_rows()?;
    Ok(finish_ok(reply))
}

/// Drops the views of a database, as dropping the collection that holds them does.
fn drop_views(context: &mut CommandContext<'_>, database: &str) -> Result<(), CommandError> {
    let views: Vec<Rc<str>> = { context.view().catalog }
        .collections_of(database)
        .filter(|named| !named.has_documents())
        .map(|view| Rc::clone(&view.namespace))
        .collect();
    let mut writer = context.writer();
    for view in views {
        writer.drop_named(&view)?;
    }
    Ok(())
}
