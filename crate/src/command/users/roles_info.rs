//! `rolesInfo`: the roles that are kept, and those that each database has by itself. Manual:
//! reference/command/rolesInfo.

use super::store::{ROLES, RoleName, append_roles, built_in, inherited, is_built_in, roles_of};
use super::users_info::is_asked;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let restrictions = params
        .boolean("showAuthenticationRestrictions")?
        .unwrap_or(false);
    let privileges = params.value("showPrivileges").is_truthy();
    let shows_built_in = params.boolean("showBuiltinRoles")?.unwrap_or(false);
    params.finish()?;
    let wanted = request.argument();
    let mut reply = DocumentBuilder::new();
    reply.begin_array("roles");
    let mut count = 0;
    for role in ROLES.all(context)? {
        let role = role.as_document();
        if !is_asked(wanted, ROLES.field, request.database, role) {
            continue;
        }
        let held = roles_of(role);
        let all = inherited(context, &held)?;
        if privileges
            && all
                .iter()
                .any(|(role, database)| is_built_in(role, database))
        {
            return Err(not_known());
        }
        reply.begin_document(&count.to_string());
        for field in role.iter() {
            let is_shown = match field.name {
                "privileges" => privileges,
                "authenticationRestrictions" => restrictions,
                _ => true,
            };
            if is_shown {
                reply.append_raw(field.raw);
            }
        }
        reply.append("isBuiltin", false);
        append_roles("inheritedRoles", &all, &mut reply);
        reply.end();
        count += 1;
    }
    let by_name = !matches!(
        wanted,
        ValueRef::Int32(_) | ValueRef::Int64(_) | ValueRef::Double(_)
    );
    for name in built_in(request.database).filter(|_| by_name || shows_built_in) {
        let mut role = DocumentBuilder::new();
        role.append("role", name).append("db", request.database);
        let role = role.finish();
        if !is_asked(wanted, ROLES.field, request.database, role.as_document()) {
            continue;
        }
        if privileges {
            return Err(not_known());
        }
        append_built_in(role.as_document(), count, &mut reply);
        count += 1;
    }
    reply.end();
    Ok(finish_ok(reply))
}

fn append_built_in(role: Document<'_>, position: usize, reply: &mut DocumentBuilder) {
    let none: &[RoleName] = &[];
    reply.begin_document(&position.to_string());
    reply.append_all(role);
    reply.append("isBuiltin", true);
    append_roles("roles", none, reply);
    append_roles("inheritedRoles", none, reply);
    reply.end();
}

fn not_known() -> CommandError {
    CommandError::new(
        Code::NotImplemented,
        "'rolesInfo.showPrivileges' is not supported for built-in roles, whose privileges nothing here asks for",
    )
}
