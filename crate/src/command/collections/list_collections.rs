//! `listCollections`: the collections of a database. Manual: reference/command/listCollections.

use crate::bson::{Document, DocumentBuf, DocumentBuilder};
use crate::catalog::stored::uuid_value;
use crate::catalog::{Collection, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::read::list_cursor;
use crate::command::request::Request;
use crate::query::Matcher;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    names::check_database(request.database)?;
    let params = request.params();
    let filter = params.document("filter")?;
    let name_only = params.safe_bool("nameOnly")?.unwrap_or(false);
    // Nobody signs in, so everybody may see everything.
    params.safe_bool("authorizedCollections")?;
    let batch_size = list_cursor::batch_size(&params, "listCollections")?;
    params.finish()?;
    let matcher = Matcher::compile_without_scripts(
        filter.unwrap_or(Document::EMPTY),
        &context.compile_context(None)?,
    )?;
    let mut documents = Vec::new();
    for collection in context.view().catalog.collections_of(request.database) {
        let document = describe(collection, name_only);
        if matcher.matches(document.as_document(), context.env)? {
            documents.push(document);
        }
    }
    let namespace = format!("{}.$cmd.listCollections", request.database);
    list_cursor::reply(context, request, &namespace, documents, batch_size)
}

/// A collection with its type, options and `_id` index.
pub(in crate::command) fn describe(collection: &Collection, name_only: bool) -> DocumentBuf {
    let mut builder = DocumentBuilder::new();
    builder
        .append("name", collection.name())
        .append("type", collection.options.kind.rules().type_name());
    if name_only {
        return builder.finish();
    }
    let has_documents = collection.has_documents();
    builder.begin_document("options");
    collection.options.append_to(&mut builder);
    builder.end();
    builder.begin_document("info");
    builder.append("readOnly", collection.options.kind.rules().is_read_only());
    if has_documents {
        builder.append("uuid", uuid_value(&collection.uuid));
    }
    builder.end();
    if has_documents && collection.shows_id_index() {
        builder.begin_document("idIndex");
        collection.id_index().definition.append_to(&mut builder);
        builder.end();
    }
    builder.finish()
}
