//! `createUser`: keeps a user and the roles of that user. Manual: reference/command/createUser.
//!
use super::credentials::Asked;
use super::store::{USERS, append_roles, check_roles, roles_in};
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
    let roles = roles_in(params.required_array("roles")?, request.database)?;
    let restrictions = params.array("authenticationRestrictions")?;
    params.finish()?;
    let refused = |message: &str| Err(CommandError::new(Code::BadValue, message));
    match (asked.password, request.database) {
        (Some(_), "$external") => {
            return refused(
                "Cannot set the password for users defined on the '$external' database",
            );
        }
        (None, database) if database != "$external" => {
            return refused(
                "Must provide a 'pwd' field for all user documents, except those with '$external' as the user's \
                 source db",
            );
        }
        (Some(""), _) => return refused("Password cannot be empty"),
        _ => {}
    }
    let mut user = USERS.begin(context, request.database, name)?;
    check_roles(context, &roles)?;
    if asked.password.is_some() {
        user.append("credentials", &asked.made(name, context.env)?);
    } else {
        user.begin_document("credentials");
        user.append("external", true).end();
    }
    if let Some(custom) = custom {
        user.append("customData", custom);
    }
    append_roles("roles", &roles, &mut user);
    if let Some(restrictions) = restrictions {
        user.append("authenticationRestrictions", restrictions);
    }
    let user = user.finish();
    USERS.put(context, user.as_document())?;
    Ok(finish_ok(DocumentBuilder::new()))
}
