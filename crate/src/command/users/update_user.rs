//! `updateUser`: changes a user's roles and other fields. Manual: reference/command/updateUser.

use super::store::{USERS, append_roles, check_roles, roles_in, with_fields};
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
    let name = USERS.name(&params, request.argument(), request.name)?;
    let password = params.string("pwd")?;
    let custom = params.document("customData")?;
    let roles = params.array("roles")?;
    let restrictions = params.array("authenticationRestrictions")?;
    let mechanisms = params.array("mechanisms")?;
    params.boolean("digestPassword")?;
    params.finish()?;
    if password.is_none() && mechanisms.is_none() && custom.is_none() && roles.is_none() {
        return Err(CommandError::new(
            Code::BadValue,
            "Must specify at least one field to update in updateUser",
        ));
    }
    let user = USERS.required(context, request.database, name)?;
    let mut fields = DocumentBuilder::new();
    if let Some(custom) = custom {
        fields.append("customData", custom);
    }
    if let Some(roles) = roles {
        let roles = roles_in(roles, request.database)?;
        check_roles(context, &roles)?;
        append_roles("roles", &roles, &mut fields);
    }
    if let Some(restrictions) = restrictions {
        fields.append("authenticationRestrictions", restrictions);
    }
    let fields = fields.finish();
    let changed = with_fields(user.as_document(), fields.as_document());
    USERS.put(context, changed.as_document())?;
    Ok(finish_ok(DocumentBuilder::new()))
}
