//! `dropRole`: removes a role, also from those that hold it. Manual: reference/command/dropRole.

use super::store::{ROLES, USERS, append_roles, roles_of, with_fields};
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let name = ROLES.name(&params, request.argument(), request.name)?;
    params.finish()?;
    let role = ROLES.required(context, request.database, name)?;
    ROLES.remove(context, role.as_document())?;
    let gone = (name.to_owned(), request.database.to_owned());
    for kind in [&USERS, &ROLES] {
        for document in kind.all(context)? {
            let mut held = roles_of(document.as_document());
            if !held.contains(&gone) {
                continue;
            }
            held.retain(|role| *role != gone);
            let mut fields = DocumentBuilder::new();
            append_roles("roles", &held, &mut fields);
            let fields = fields.finish();
            let changed = with_fields(document.as_document(), fields.as_document());
            kind.put(context, changed.as_document())?;
        }
    }
    Ok(finish_ok(DocumentBuilder::new()))
}
