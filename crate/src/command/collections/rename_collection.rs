//! `renameCollection`: gives a collection another name, also in another database.
//! Manual: reference/command/renameCollection.

use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::{names, uuid};
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::reply::finish_ok;
use crate::command::request::{Request, invalid_uuid};
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let Some(from) = request.argument().as_text() else {
        return Err(CommandError::new(
            Code::TypeMismatch,
            format!(
                "BSON field 'renameCollection' is the wrong type '{}', expected type 'string'",
                request.argument().type_name()
            ),
        ));
    };
    let from = names::of(from)?;
    let params = request.params();
    let to = params.required_string("to")?;
    let mut expected_target = None;
    let drop_target = match params.value("dropTarget") {
        ValueRef::Missing | ValueRef::Null => false,
        ValueRef::Boolean(flag) => flag,
        // The UUID of the only collection that may be dropped.
        ValueRef::Binary { subtype: 4, bytes } => {
            expected_target = Some(bytes.try_into().map_err(|_| invalid_uuid())?);
            true
        }
        ValueRef::Binary { .. } => return Err(invalid_uuid()),
        other => match other.as_number() {
            Some(number) => !number.is_zero(),
            None => return Err(params.wrong_type("dropTarget", other, "bool, binData")),
        },
    };
    let expected_source = params.uuid("collectionUUID")?;
    // No collection here is a temporary one, which the option would leave so.
    params.boolean("stayTemp")?;
    params.refuse("encryptedFields")?;
    params.finish()?;
    check(from, "source")?;
    check(to, "target")?;
    if from == to {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "Can't rename a collection to itself",
        ));
    }
    if (names::split(from).0 == "local") != (names::split(to).0 == "local") {
        return Err(CommandError::new(
            Code::IllegalOperation,
            "Cannot rename collections between a replicated and an unreplicated database",
        ));
    }
    if expected_target.is_some() && names::split(from).0 != names::split(to).0 {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "dropTarget cannot be a UUID where a collection moves to another database",
        ));
    }
    let catalog = context.view().catalog;
    catalog.check_uuid(from, expected_source)?;
    catalog.check_uuid(to, expected_target)?;
    let new_uuid = uuid::random(context.env);
    let Writing {
        mut writer,
        cursors,
        ..
    } = context.writing();
    let catalog = writer.catalog();
    catalog.refuse_view(from)?;
    let Some(renamed) = catalog.collection(from).map(|collection| collection.uuid) else {
        return Err(CommandError::new(
            Code::NamespaceNotFound,
            format!("Source collection {from} does not exist"),
        ));
    };
    if catalog.view(to).is_some() {
        return Err(CommandError::new(
            Code::NamespaceExists,
            format!("a view already exists with that name: {to}"),
        ));
    }
    if catalog.collection(to).is_some() && !drop_target {
        return Err(CommandError::new(
            Code::NamespaceExists,
            "target namespace exists",
        ));
    }
    let (source, target) = (names::split(from).0, names::split(to).0);
    // Moving to another database is a copy in the server, so the collection is a new one.
    let moved = (source != target).then_some(new_uuid);
    if let Some(dropped) = writer.rename(from, to, moved)? {
        cursors.end_namespace(to, &uuid::dropped_reason(&dropped.uuid));
    }
    let reason = match source == target {
        true => format!(
            "collection renamed from '{from}' to '{to}'. UUID {}",
            uuid_text(&renamed)
        ),
        false => uuid::dropped_reason(&renamed),
    };
    cursors.end_namespace(from, &reason);
    writer.write_changed_rows()?;
    Ok(finish_ok(DocumentBuilder::new()))
}

fn check(namespace: &str, role: &str) -> Result<(), CommandError> {
    let (_, collection) = names::split(namespace);
    let illegal = |what: &str| {
        let message = format!("error with {role} namespace: {what}: {namespace}");
        Err(CommandError::new(Code::IllegalOperation, message))
    };
    if namespace.len() > names::MAX_NAMESPACE_BYTES {
        return illegal("Fully qualified namespace is too long");
    }
    if names::is_system(collection) {
        return illegal("cannot rename a system collection");
    }
    names::check_creatable(namespace).map_err(|error| {
        if collection.is_empty() {
            CommandError::new(
                Code::InvalidNamespace,
                format!("Invalid {role} namespace: {namespace}"),
            )
        } else {
            error
        }
    })
}
