//! `dropDatabase`: removes every collection of a database. Manual: reference/command/dropDatabase.

use crate::bson::DocumentBuilder;
use crate::catalog::uuid;
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::state::oplog;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let number = params.integer("dropDatabase")?.unwrap_or_else(|| {
        params.lack("dropDatabase");
        1
    });
    params.finish()?;
    if number != 1 {
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
    if request.database == "local" && oplog::is_on(context.view().catalog) {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "Cannot drop 'local' database while replication is active",
        ));
    }
    context.deployment.profiler.forget(request.database);
    let Writing {
        mut writer,
        cursors,
        ..
    } = context.writing();
    let dropped = writer.drop_database(request.database)?;
    for one in &dropped {
        cursors.end_namespace(&one.namespace, &uuid::dropped_reason(&one.uuid));
    }
    Ok(finish_ok(DocumentBuilder::new()))
}
