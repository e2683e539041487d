//! `quireRestore`: brings everything, one database or one collection back as it was at a moment.
//!
//! `{quireRestore: <number or name>, database: <string>, collection: <string>}`. Collections that do not differ are
//! left alone; the moment stays. Invariant: it is done wholly or not at all, as every command.

use crate::bson::DocumentBuilder;
use crate::catalog::{Collection, names, uuid};
use crate::command::context::{CommandContext, CommandResult, Writing};
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use crate::state::kept;
use std::rc::Rc;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let database = params.string("database")?;
    let collection = params.string("collection")?;
    params.finish()?;
    let namespace = match (database, collection) {
        (None, Some(_)) => {
            return Err(CommandError::new(
                Code::InvalidOptions,
                "quireRestore takes 'collection' only together with 'database'",
            ));
        }
        (Some(database), collection) => {
            names::check_database(database)?;
            collection.map(|collection| format!("{database}.{collection}"))
        }
        (None, None) => None,
    };
    let kept = kept::find(context.unit.pages_mut(), request.argument())?;
    let env = context.env;
    let past = kept.catalog(context.view().pages, env)?;
    let Writing {
        mut writer,
        cursors,
        ..
    } = context.writing();
    let mut namespaces = writer.catalog().namespaces_with(&past, database);
    if let Some(namespace) = &namespace {
        namespaces.retain(|one| **one == **namespace);
        if namespaces.is_empty() {
            return Err(CommandError::new(
                Code::NamespaceNotFound,
                format!("ns does not exist: {namespace}"),
            ));
        }
    }
    // Collections that go come first: they make room for names that differ from theirs only in case.
    let (stay, go): (Vec<_>, Vec<_>) =
        { namespaces.into_iter() }.partition(|namespace| past.named(namespace).is_some());
    let mut restored = Vec::new();
    for namespace in go.into_iter().chain(stay) {
        let before = writer.catalog().named(&namespace).cloned();
        if !writer.restore(&namespace, &past, env)? {
            continue;
        }
        let uuid_of = |collection: &Rc<Collection>| collection.uuid;
        let after = writer.catalog().named(&namespace).map(uuid_of);
        if let Some(uuid) = before
            .as_ref()
            .map(uuid_of)
            .filter(|uuid| after != Some(*uuid))
        {
            cursors.end_namespace(&namespace, &uuid::dropped_reason(&uuid));
        }
        restored.push(namespace);
    }
    let mut reply = DocumentBuilder::new();
    reply.append_integer("number", kept.moment.number as i64);
    reply.begin_array("restored");
    for (position, namespace) in restored.iter().enumerate() {
        reply.append(&position.to_string(), &**namespace);
    }
    reply.end();
    Ok(finish_ok(reply))
}
