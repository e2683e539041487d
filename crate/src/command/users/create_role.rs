//! `createRole`: keeps a role, its privileges and the roles that it holds. Manual: reference/command/createRole.

use super::privileges::{append_privileges, privileges_in};
use super::store::{ROLES, append_roles, check_roles, is_built_in, roles_in};
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
    let privileges = privileges_in(params.required_array("privileges")?)?;
    let roles = roles_in(params.required_array("roles")?, request.database)?;
    let restrictions = params.array("authenticationRestrictions")?;
    params.finish()?;
    if is_built_in(name, request.database) {
        return Err(CommandError::new(
            Code::BadValue,
            "Cannot create roles with the same name as a built-in role",
        ));
    }
    let mut role = ROLES.begin(context, request.database, name)?;
    check_roles(context, &roles)?;
    append_privileges(&privileges, &mut role);
    append_roles("roles", &roles, &mut role);
    if let Some(restrictions) = restrictions {
        role.append("authenticationRestrictions", restrictions);
    }
    let role = role.finish();
    ROLES.put(context, role.as_document())?;
    Ok(finish_ok(DocumentBuilder::new()))
}
