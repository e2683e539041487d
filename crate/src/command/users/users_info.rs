//! `usersInfo`: the users that are kept. Manual: reference/command/usersInfo.
//!
//! Privileges of built-in roles are not known, so that none are shown.

use super::credentials::append_mechanisms;
use super::store::USERS;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::query::Matcher;

/// Whether a stored user or role is one of those that a command's first field asks for: one by name, some of an array,
/// those of the database, or of all.
pub(super) fn is_asked(
    wanted: ValueRef<'_>,
    field: &str,
    database: &str,
    one: Document<'_>,
) -> bool {
    let is_named = |name: &str, of: &str| {
        one.get(field).as_str() == Some(name) && one.get("db").as_str() == Some(of)
    };
    match wanted {
        ValueRef::Array(all) => { all.iter() }.any(|wanted| match wanted.as_document() {
            None => wanted.as_str().is_some_and(|name| is_named(name, database)),
            Some(_) => is_asked(wanted, field, database, one),
        }),
        ValueRef::Document(named) if named.get("forAllDBs").is_truthy() => true,
        ValueRef::Document(named) => {
            let of = named.get("db").as_str().unwrap_or(database);
            named
                .get(field)
                .as_str()
                .is_some_and(|name| is_named(name, of))
        }
        other => match other.as_str() {
            Some(name) => is_named(name, database),
            None => one.get("db").as_str() == Some(database),
        },
    }
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let credentials = params.boolean("showCredentials")?.unwrap_or(false);
    let custom = params.boolean("showCustomData")?.unwrap_or(true);
    let restrictions = params
        .boolean("showAuthenticationRestrictions")?
        .unwrap_or(false);
    let privileges = params.boolean("showPrivileges")?.unwrap_or(false);
    let filter = params.document("filter")?;
    params.finish()?;
    let wanted = request.argument();
    let is_sound = match wanted {
        ValueRef::Array(all) => are_names(all.iter()),
        other => {
            other.as_str().is_some() || other.as_number().is_some() || other.as_document().is_some()
        }
    };
    if !is_sound {
        return Err(CommandError::new(
            Code::BadValue,
            "User and role names must be either strings or objects",
        ));
    }
    if privileges {
        return Err(CommandError::new(
            Code::NotImplemented,
            "'usersInfo.showPrivileges' is not supported: nothing here asks for privileges",
        ));
    }
    let compile = context.compile_context(None)?;
    let matcher = Matcher::compile(filter.unwrap_or(Document::EMPTY), &compile)?;
    let mut users: Vec<DocumentBuf> = Vec::new();
    for user in USERS.all(context)? {
        let user = user.as_document();
        if !is_asked(wanted, USERS.field, request.database, user) {
            continue;
        }
        let mut shown = DocumentBuilder::new();
        for field in user.iter() {
            let is_shown = match field.name {
                "credentials" => credentials,
                "customData" => custom,
                "authenticationRestrictions" => restrictions,
                _ => true,
            };
            if is_shown {
                shown.append_raw(field.raw);
            }
        }
        append_mechanisms(user, &mut shown);
        let shown = shown.finish();
        if matcher.matches(shown.as_document(), context.env)? {
            users.push(shown);
        }
    }
    let mut reply = DocumentBuilder::new();
    reply.begin_array("users");
    for (position, user) in users.iter().enumerate() {
        reply.push_item(position, ValueRef::Document(user.as_document()));
    }
    reply.end();
    Ok(finish_ok(reply))
}

/// Whether all items are names or documents.
fn are_names<'a>(mut items: impl Iterator<Item = ValueRef<'a>>) -> bool {
    items.all(|item| item.as_str().is_some() || item.as_document().is_some())
}
