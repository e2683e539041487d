//! `validateDBMetadata`: views and indexes that version 1 of the Stable API does not have. Manual:
//! reference/command/validateDBMetadata, reference/stable-api.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::catalog::{Collection, Index, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::stable_api::check_stages;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};
use std::rc::Rc;

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let api = params.required_document("apiParameters")?;
    let database = params.string("db")?;
    let collection = params.string("collection")?;
    params.finish()?;
    let api = Params::new(api, "validateDBMetadata.apiParameters", None);
    let version = api.required_string("version")?;
    let strict = api.boolean("strict")?.unwrap_or(false);
    api.boolean("deprecationErrors")?;
    api.finish()?;
    // Another version's metadata is not looked at.
    let strict = strict && version == "1";
    if let Some(name) = collection.filter(|name| !names::is_sound(name)) {
        return Err(CommandError::new(
            Code::InvalidNamespace,
            format!("Invalid collection name: '{name}'"),
        ));
    }
    let catalog = context.view().catalog;
    let mut reply = DocumentBuilder::new();
    reply.begin_array("apiVersionErrors");
    let mut count = 0;
    for name in catalog.databases() {
        if database.is_some_and(|database| database != name) {
            continue;
        }
        let asked = |named: &&Rc<Collection>| collection.is_none_or(|name| name == named.name());
        for named in { catalog.collections_of(name) }.filter(asked) {
            for error in beyond_version_one(named).into_iter().filter(|_| strict) {
                reply.begin_document(&count.to_string());
                reply.append("ns", &*named.namespace);
                reply.append("code", error.code);
                reply.append("codeName", error.code_name().as_str());
                reply.append("errmsg", error.message.as_str()).end();
                count += 1;
            }
        }
    }
    reply.end();
    Ok(finish_ok(reply))
}

/// What version 1 of the Stable API does not have of a collection's indexes, or of a view's stages.
fn beyond_version_one(named: &Collection) -> Vec<CommandError> {
    if !named.has_documents() {
        let stages = ValueRef::Array(named.view_pipeline());
        return check_stages(stages).err().into_iter().collect();
    }
    let is_beyond = |index: &&Index| {
        let key = index.definition.key.as_document();
        index.definition.sparse || key.iter().any(|field| field.value.as_str() == Some("text"))
    };
    { named.indexes.iter().filter(is_beyond) }
        .map(|index| {
            CommandError::new(
                Code::APIStrictError,
                format!(
                    "The index with name {} is not allowed in API version 1.",
                    index.name()
                ),
            )
        })
        .collect()
}
