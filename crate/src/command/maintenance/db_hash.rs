//! `dbHash`: a digest of each collection and of the database. Manual: reference/command/dbHash.
//!
//! The digest of a collection is that of its documents in the order of their `_id`s, of a capped one in its own order.

use crate::algorithms::md5::Md5;
use crate::bson::DocumentBuilder;
use crate::catalog::stored::uuid_value;
use crate::catalog::{Collection, RecordId, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::identity::short_name;
use crate::command::reply::finish_ok;
use crate::command::request::Request;
use crate::error::{Code, CommandError};
use std::rc::Rc;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    // As on the server, a `collections` that is no array asks for every collection. Unknown fields are left alone.
    let wanted = params.value("collections").as_array();
    params.safe_bool("skipTempCollections")?;
    params.finish_open()?;
    let mut items = wanted.iter().flat_map(|wanted| wanted.iter());
    if let Some(other) = items.find(|one| one.as_text().is_none()) {
        let found = other.type_name();
        return Err(CommandError::new(
            Code::BadValue,
            format!("collections entries have to be strings, but one is of type {found}"),
        ));
    }
    let start = context.env.monotonic_millis();
    let view = context.view();
    let mut hashed: Vec<(&Rc<Collection>, String)> = Vec::new();
    for collection in view.catalog.collections_of(request.database) {
        let name = collection.name();
        let is_wanted = match &wanted {
            Some(wanted) if !wanted.is_empty() => {
                wanted.iter().any(|one| one.as_str() == Some(name))
            }
            // Those of the server's own that members of a replica set do not share are left out.
            _ => !names::is_system(name) || name == "system.js",
        };
        if is_wanted && collection.has_documents() {
            hashed.push((collection, digest(context, collection)?));
        }
    }
    let mut reply = DocumentBuilder::new();
    reply.append("host", short_name(context.env).as_str());
    let mut whole = Md5::default();
    reply.begin_document("collections");
    for (collection, digest) in &hashed {
        reply.append(collection.name(), digest.as_str());
        whole.update(digest.as_bytes());
    }
    reply.end();
    reply.begin_array("capped");
    let capped = hashed
        .iter()
        .filter(|(collection, _)| collection.options.kind.limits().is_some());
    for (position, (collection, _)) in capped.enumerate() {
        reply.push_item(position, collection.name());
    }
    reply.end();
    reply.begin_document("uuids");
    for (collection, _) in &hashed {
        reply.append(collection.name(), uuid_value(&collection.uuid));
    }
    reply.end();
    reply.append("md5", whole.text().as_str());
    let millis = (context.env.monotonic_millis() - start).max(0.0);
    reply.append_integer("timeMillis", millis as i64);
    Ok(finish_ok(reply))
}

fn digest(context: &CommandContext<'_>, collection: &Collection) -> Result<String, CommandError> {
    let pager = context.view().pages;
    let mut digest = Md5::default();
    // The order of insertion is one that members share where the oldest documents give way.
    let is_in_order = collection.options.kind.limits().is_some();
    let tree = match is_in_order {
        true => &collection.records,
        false => &collection.id_index().tree,
    };
    let mut cursor = tree.cursor();
    while cursor.next(pager)? {
        context.env.checkpoint()?;
        if is_in_order {
            digest.update(&cursor.value_ref(pager)?);
        } else if let Some(id) = RecordId::from_index_key(cursor.key())
            && let Some(document) = collection.read(pager, id)?
        {
            digest.update(&document);
        }
    }
    Ok(digest.text())
}
