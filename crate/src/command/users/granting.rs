//! Roles given to users and to other roles, and taken from them.

use super::store::{
    Kind, ROLES, append_roles, check_roles, inherited, roles_in, roles_of, with_fields,
};
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

/// Gives a user or a role the roles that a command names, or takes them away.
pub(super) fn change_roles(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    kind: &Kind,
    gives: bool,
) -> CommandResult {
    let params = request.params();
    let name = kind.name(&params, request.argument(), request.name)?;
    let wanted = roles_in(params.required_array("roles")?, request.database)?;
    params.finish()?;
    let document = kind.required(context, request.database, name)?;
    let mut held = roles_of(document.as_document());
    if gives {
        check_roles(context, &wanted)?;
        let own = (name.to_owned(), request.database.to_owned());
        if kind.field == ROLES.field && inherited(context, &wanted)?.contains(&own) {
            return Err(CommandError::new(
                Code::InvalidRoleModification,
                format!(
                    "Granting roles to {name}@{} would introduce a cycle in the role graph",
                    request.database
                ),
            ));
        }
        held.extend(
            wanted
                .into_iter()
                .filter(|role| !held.contains(role))
                .collect::<Vec<_>>(),
        );
    } else {
        held.retain(|role| !wanted.contains(role));
    }
    let mut fields = DocumentBuilder::new();
    append_roles("roles", &held, &mut fields);
    let fields = fields.finish();
    let changed = with_fields(document.as_document(), fields.as_document());
    kind.put(context, changed.as_document())?;
    Ok(finish_ok(DocumentBuilder::new()))
}
