//! `validateDBMetadata`: views that version 1 of the Stable API does not have. Manual:
//! reference/command/validateDBMetadata.
//!
//! Indexes and validators of kinds that are not of version 1 cannot be made here.

use crate::bson::{DocumentBuilder, ValueRef};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::stable_api::check_stages;
use crate::command::request::{Params, Request};
use crate::error::{Code, CommandError};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let params = request.params();
    let api = Params::new(
        params.required_document("apiParameters")?,
        "validateDBMetadata.apiParameters",
        None,
    );
    let version = api.required_string("version")?;
    let strict = api.boolean("strict")?.unwrap_or(false);
    api.boolean("deprecationErrors")?;
    api.finish()?;
    let database = params.string("db")?;
    let collections = params.array("collections")?;
    params.finish()?;
    if version != "1" {
        return Err(CommandError::new(
            Code::APIVersionError,
            "API version must be \"1\"",
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
        for view in
            { catalog.collections_of(name) }.filter(|named| !named.has_documents() && strict)
        {
            let is_asked = collections
                .is_none_or(|named| named.iter().any(|one| one.as_str() == Some(view.name())));
            let found = check_stages(ValueRef::Array(view.view_pipeline())).err();
            if let (true, Some(error)) = (is_asked, found) {
                reply.begin_document(&count.to_string());
                reply.append("ns", &*view.namespace);
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
