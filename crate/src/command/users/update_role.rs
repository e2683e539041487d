//! `updateRole`: gives a role other privileges or roles. Manual: reference/command/updateRole.

use super::privileges::{append_privileges, privileges_in};
use super::store::{ROLES, append_roles, check_roles, inherited, roles_in, with_fields};
use crate::bson::DocumentBuilder;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let name = ROLES.name(&params, request.argument(), request.name)?;
    let (privileges, roles) = (params.array("privileges")?, params.array("roles")?);
    let restrictions = params.array("authenticationRestrictions")?;
    params.finish()?;
    if privileges.is_none() && roles.is_none() && restrictions.is_none() {
        return Err(CommandError::new(
            Code::BadValue,
            "Must specify at least one field to update in updateRole",
        ));
    }
    let role = ROLES.required(context, request.database, name)?;
    let mut fields = DocumentBuilder::new();
    if let Some(privileges) = privileges {
        append_privileges(&privileges_in(privileges)?, &mut fields);
    }
    if let Some(roles) = roles {
        let roles = roles_in(roles, request.database)?;
        check_roles(context, &roles)?;
        let own = (name.to_owned(), request.database.to_owned());
        if inherited(context, &roles)?.contains(&own) {
            return Err(CommandError::new(
                Code::InvalidRoleModification,
                format!(
                    "Granting roles to {name}@{} would introduce a cycle in the role graph",
                    request.database
                ),
            ));
        }
        append_roles("roles", &roles, &mut fields);
    }
    if let Some(restrictions) = restrictions {
        fields.append("authenticationRestrictions", restrictions);
    }
    let fields = fields.finish();
    let changed = with_fields(role.as_document(), fields.as_document());
    ROLES.put(context, changed.as_document())?;
    Ok(finish_ok(DocumentBuilder::new()))
}
