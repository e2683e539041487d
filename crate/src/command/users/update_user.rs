//! `updateUser`: changes a user's roles and other fields. Manual: reference/command/updateUser.

use super::credentials::{Asked, kept};
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
    let asked = Asked::read(&params)?;
    let custom = params.document("customData")?;
    let roles = params.array("roles")?;
    let restrictions = params.array("authenticationRestrictions")?;
    params.finish()?;
    let is_of_sign_in = asked.password.is_some() || asked.mechanisms.is_some();
    if !is_of_sign_in && custom.is_none() && roles.is_none() {
        return Err(CommandError::new(
            Code::BadValue,
            "Must specify at least one field to update in updateUser",
        ));
    }
    let user = USERS.required(context, request.database, name)?;
    let mut fields = DocumentBuilder::new();
    match (asked.password, &asked.mechanisms) {
        (Some(""), _) => {
            return Err(CommandError::new(
                Code::BadValue,
                "Password cannot be empty",
            ));
        }
        (Some(_), _) if request.database == "$external" => {
            return Err(CommandError::new(
                Code::BadValue,
                "Cannot set the password for users defined on the '$external' database",
            ));
        }
        (Some(_), _) => drop(fields.append("credentials", &asked.made(name, context.env)?)),
        (None, Some(wanted)) => {
            fields.append("credentials", &kept(user.as_document(), wanted)?);
        }
        (None, None) => {}
    }
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
