//! `create`: makes a collection. Manual: reference/command/create.
//!
//! Creating a collection that exists with the same options does nothing, as in the server.

use super::images_option;
use super::kinds::row;
use super::storage_options;
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::index::specification::is_id_pattern;
use crate::catalog::{CollectionOptions, uuid};
use crate::collation::Collation;
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request, Unstable};
use crate::command::write::validation::ValidationOptions;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;

/// Its fields that are not of version 1 of the Stable API.
pub(in crate::command) const UNSTABLE: Unstable = Unstable {
    items: None,
    context: "create",
    fields: &[
        "autoIndexId",
        "capped",
        "indexOptionDefaults",
        "max",
        "size",
        "storageEngine",
    ],
};

/// Options of kinds of collections that this build does not have.
const UNSUPPORTED: &[&str] = &["encryptedFields", "recordPreImages"];

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    let params = request.params();
    if let Some(own) = row::asked(&params) {
        return (own.create)(context, &namespace, params);
    }
    let validation = ValidationOptions::read(&params, "create")?;
    let mut options = parse_options(context, &params, &validation)?;
    let images = images_option::read(&params, &namespace)?;
    options.others = images_option::set_in(options.others, images);
    for name in UNSUPPORTED {
        params.refuse(name)?;
    }
    params.finish()?;
    if let Some(existing) = context.view().catalog.named(&namespace) {
        if *existing.options == options {
            return Ok(finish_ok(DocumentBuilder::new()));
        }
        return Err(row::exists_differently(existing));
    }
    let uuid = uuid::random(context.env);
    validation.check(
        &namespace,
        &uuid,
        &CompileContext::new(context.env, context.now_millis),
    )?;
    context.writer().create(&namespace, uuid, options)?;
    Ok(finish_ok(DocumentBuilder::new()))
}

fn parse_options(
    context: &CommandContext<'_>,
    params: &Params<'_>,
    validation: &ValidationOptions<'_>,
) -> Result<CollectionOptions, CommandError> {
    let kind = row::read(params)?;
    let collation = match params.collation()? {
        None => Collation::SIMPLE,
        Some(collation) => Collation::parse(collation, context.env)?,
    };
    let auto_index_id = params.safe_bool("autoIndexId")?;
    if auto_index_id == Some(false) {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "{autoIndexId: false} is not allowed: every collection has its _id index",
        ));
    }
    if params.safe_bool("temp")? == Some(true) {
        return Err(CommandError::new(
            Code::InvalidOptions,
            "the create command's 'temp' field is an invalid option",
        ));
    }
    params.integer("flags")?;
    if let Some(id_index) = params.document("idIndex")? {
        check_id_index(id_index)?;
    }
    let mut others = DocumentBuilder::new();
    storage_options::read(params, &mut others)?;
    if let Some(auto_index_id) = auto_index_id {
        others.append("autoIndexId", auto_index_id);
    }
    validation.append_to(&mut others);
    Ok(CollectionOptions {
        kind,
        others: others.finish(),
        collation,
    })
}

/// Checks the specification of the `_id` index: it may only name the index that every collection has anyway.
fn check_id_index(spec: Document<'_>) -> Result<(), CommandError> {
    match spec.get("key") {
        ValueRef::Document(key) if is_id_pattern(key) => {}
        other => {
            return Err(CommandError::new(
                Code::BadValue,
                format!("The field 'key' for an _id index must be {{_id: 1}}, but got {other}"),
            ));
        }
    }
    match spec
        .iter()
        .find(|element| !matches!(element.name, "key" | "name" | "v" | "ns"))
    {
        None => Ok(()),
        Some(element) => Err(CommandError::new(
            Code::InvalidIndexSpecificationOption,
            format!(
                "The field '{}' is not valid for an _id index specification. Specification: {spec}",
                element.name
            ),
        )),
    }
}
