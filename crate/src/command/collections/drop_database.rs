//! `dropDatabase`: removes every collection of a database. Manual: reference/command/dropDatabase.

use crate::bson::DocumentBuilder;
use crate::catalog::uuid;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    params.finish()?;
    if request.argument().as_exact_i64() != Some(1) {
        return Err(CommandError::location(
            5_255_100,
            "Have to pass 1 as 'drop' parameter",
        ));
    }
    if request.database == "admin" {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "Dropping the 'admin' database is prohibited.",
        ));
    }
    let store = context.unit.store_mut();
    let namespaces: Vec<String> = store
        .catalog
        .collections_of(request.database)
        .map(|collection| collection.namespace.to_string())
        .collect();
    let mut reply = DocumentBuilder::new();
    if !namespaces.is_empty() {
        for namespace in &namespaces {
            if let Some(dropped) = store.catalog.drop_collection(store.pages, namespace)? {
                store
                    .cursors
                    .end_namespace(namespace, &uuid::dropped_reason(&dropped.uuid));
            }
        }
        reply.append("dropped", request.database);
    }
    Ok(finish_ok(reply))
}
