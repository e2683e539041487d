//! The privileges of a role: actions on resources.

use super::store::{ROLES, with_fields};
use crate::bson::{Array, Document, DocumentBuf, DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};

/// A resource and its actions.
type Privilege = (DocumentBuf, Vec<String>);

/// The privileges of an array, those of one resource together.
///
/// # Errors
/// 9 `FailedToParse` for an item that is none.
pub(super) fn privileges_in(array: Array<'_>) -> Result<Vec<Privilege>, CommandError> {
    let mut all = Vec::new();
    for item in array.iter() {
        let privilege = item.as_document().unwrap_or(Document::EMPTY);
        let resource = privilege.get("resource").as_document();
        let actions = privilege.get("actions").as_array();
        let (Some(resource), Some(actions)) = (resource, actions) else {
            return Err(CommandError::new(
                Code::FailedToParse,
                "a privilege must have a 'resource', which is an object, and 'actions', which is an array",
            ));
        };
        let actions = { actions.iter() }.filter_map(|action| action.as_str().map(str::to_owned));
        add(&mut all, resource, actions.collect());
    }
    Ok(all)
}

fn place_of<'p>(all: &'p mut [Privilege], resource: Document<'_>) -> Option<&'p mut Privilege> {
    let bytes = resource.as_bytes();
    all.iter_mut()
        .find(|(known, _)| known.as_document().as_bytes() == bytes)
}

fn add(all: &mut Vec<Privilege>, resource: Document<'_>, actions: Vec<String>) {
    match place_of(all, resource) {
        None => all.push((resource.to_buf(), actions)),
        Some((_, known)) => {
            for action in actions {
                if !known.contains(&action) {
                    known.push(action);
                }
            }
        }
    }
}

pub(super) fn append_privileges(all: &[Privilege], builder: &mut DocumentBuilder) {
    builder.begin_array("privileges");
    for (position, (resource, actions)) in all.iter().enumerate() {
        builder.begin_document(&position.to_string());
        builder.append("resource", resource);
        builder.begin_array("actions");
        for (position, action) in actions.iter().enumerate() {
            builder.push_item(position, action.as_str());
        }
        builder.end().end();
    }
    builder.end();
}

/// Gives a role the privileges that a command names, or takes them away.
pub(super) fn change_privileges(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
    gives: bool,
) -> CommandResult {
    let params = request.params();
    let name = ROLES.name(&params, request.argument(), request.name)?;
    let wanted = privileges_in(params.required_array("privileges")?)?;
    params.finish()?;
    let document = ROLES.required(context, request.database, name)?;
    let held = document.as_document().get("privileges");
    let mut held = match held {
        ValueRef::Array(array) => privileges_in(array)?,
        _ => Vec::new(),
    };
    for (resource, actions) in wanted {
        match gives {
            true => add(&mut held, resource.as_document(), actions),
            false => {
                if let Some((_, known)) = place_of(&mut held, resource.as_document()) {
                    known.retain(|action| !actions.contains(action));
                }
            }
        }
    }
    held.retain(|(_, actions)| !actions.is_empty());
    let mut fields = DocumentBuilder::new();
    append_privileges(&held, &mut fields);
    let fields = fields.finish();
    let changed = with_fields(document.as_document(), fields.as_document());
    ROLES.put(context, changed.as_document())?;
    Ok(finish_ok(DocumentBuilder::new()))
}
