//! `drop`: removes a collection and its indexes. Manual: reference/command/drop.

use crate::bson::DocumentBuilder;
use crate::catalog::views::VIEWS_COLLECTION;
use crate::catalog::{names, uuid};
use crate::command::context::{CommandContext, CommandResult};
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
    params.refuse("collectionUUID")?;
    params.refuse("encryptedFields")?;
    params.finish()?;
    let (database, name) = names::split(&namespace);
    if name == VIEWS_COLLECTION {
        drop_views(context, database)?;
    } else if names::is_system(name) {
        return Err(CommandError::new(
            Code::IllegalOperation,
            format!("can't drop system collection {namespace}"),
        ));
    }
    let store = context.unit.store_mut();
    let mut reply = DocumentBuilder::new();
    if let Some(dropped) = store.catalog.drop_collection(store.pages, &namespace)? {
        store
            .cursors
            .end_namespace(&namespace, &uuid::dropped_reason(&dropped.uuid));
        if !dropped.is_view() {
            reply.append("nIndexesWas", dropped.indexes.len() as i32);
        }
        reply.append("ns", namespace.as_str());
    }
    let catalog = store.catalog;
    catalog.write_changed_rows(store.pages)?;
    Ok(finish_ok(reply))
}

/// Drops the views of a database, as dropping the collection that holds them does.
fn drop_views(context: &mut CommandContext<'_>, database: &str) -> Result<(), CommandError> {
    let store = context.unit.store_mut();
    let views: Vec<Rc<str>> = store
        .catalog
        .collections_of(database)
        .filter(|named| named.is_view())
        .map(|view| Rc::clone(&view.namespace))
        .collect();
    for view in views {
        store.catalog.drop_collection(store.pages, &view)?;
    }
    Ok(())
}
