//! `killCursors`: closes open cursors. Manual: reference/command/killCursors.

use crate::bson::{ArrayBuilder, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    request.collection()?;
    let params = request.params();
    let cursors = params.required_array("cursors")?;
    params.finish()?;
    let mut ids = Vec::new();
    for (position, value) in cursors.iter().enumerate() {
        // Null items are passed over.
        if value.is_nullish() {
            continue;
        }
        let ValueRef::Int64(id) = value else {
            return Err(CommandError::new(
                Code::TypeMismatch,
                format!(
                    "BSON field 'killCursors.cursors.{position}' is the wrong type '{}', expected \
                     type 'long'",
                    value.type_name()
                ),
            ));
        };
        ids.push(id);
    }
    let mut killed = ArrayBuilder::new();
    let mut not_found = ArrayBuilder::new();
    for id in ids {
        if context.unit.cursors_mut().kill(id) {
            killed.push(id);
        } else {
            not_found.push(id);
        }
    }
    let mut reply = DocumentBuilder::new();
    reply.append("cursorsKilled", &killed.finish());
    reply.append("cursorsNotFound", &not_found.finish());
    reply.begin_array("cursorsAlive").end();
    reply.begin_array("cursorsUnknown").end();
    Ok(finish_ok(reply))
}
