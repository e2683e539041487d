//! `create`: makes a collection. Manual: reference/command/create.
//!
//! Creating a collection that exists with the same options does nothing, as in the server.

use super::{images_option, view_definition};
use crate::bson::{Document, DocumentBuilder, ValueRef};
use crate::catalog::index::specification::{ID_INDEX_NAME, is_id_pattern};
use crate::catalog::{Clustered, CollectionOptions, uuid};
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
const UNSUPPORTED: &[&str] = &[
    "encryptedFields",
    "indexOptionDefaults",
    "recordPreImages",
    "storageEngine",
    "timeseries",
];

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    let params = request.params();
    if !params.value("viewOn").is_missing() || !params.value("pipeline").is_missing() {
        return view_definition::create(context, &namespace, params);
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
        return Err(view_definition::exists_differently(existing));
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
    let clustered = clustered(params)?;
    let capped = params.safe_bool("capped")?.unwrap_or(false);
    let size = params.integer("size")?;
    let max = params.integer("max")?;
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
    if let Some(auto_index_id) = auto_index_id {
        others.append("autoIndexId", auto_index_id);
    }
    validation.append_to(&mut others);
    Ok(CollectionOptions {
        capped: CollectionOptions::parse_capped(capped, size, max)?,
        others: others.finish(),
        collation,
        clustered,
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

/// The clustered index that is asked for, and when its documents expire.
fn clustered(params: &Params<'_>) -> Result<Option<Clustered>, CommandError> {
    let seconds = params.integer("expireAfterSeconds")?;
    let Some(index) = params.document("clusteredIndex")? else {
        return match seconds {
            None => Ok(None),
            Some(_) => Err(CommandError::new(
                Code::InvalidOptions,
                "'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' \
                 option is specified",
            )),
        };
    };
    let fields = Params::new(index, "create.clusteredIndex", None);
    let key = fields.required_document("key")?;
    let unique = match fields.boolean("unique")? {
        Some(unique) => unique,
        None => return Err(fields.missing("unique")),
    };
    let name = fields.string("name")?.unwrap_or(ID_INDEX_NAME);
    let version = fields.integer("v")?;
    fields.finish()?;
    let refuse = |code, message: &str| Err(CommandError::location(code, message));
    if !unique {
        return refuse(
            5_979_700,
            "The clusteredIndex option requires unique: true to be specified",
        );
    }
    if !is_id_pattern(key) {
        return refuse(
            5_979_701,
            "The clusteredIndex option is only supported for key: {_id: 1}",
        );
    }
    if version.is_some_and(|version| version != 2) {
        return refuse(
            5_979_704,
            "The only supported version of the clusteredIndex option is 2",
        );
    }
    if params.value("autoIndexId").as_bool() == Some(false) {
        return refuse(
            6_026_501,
            "The 'clusteredIndex' option is not supported with {autoIndexId: false}",
        );
    }
    if !params.value("size").is_missing() {
        return refuse(
            6_049_200,
            "the 'size' field is not supported for clustered collections",
        );
    }
    if !params.value("max").is_missing() {
        return refuse(
            6_049_204,
            "the 'max' field is not supported for clustered collections",
        );
    }
    if params.safe_bool("capped")?.unwrap_or(false) {
        return refuse(6_049_201, "a clustered collection cannot be capped");
    }
    Clustered::check_expiry(seconds)?;
    Ok(Some(Clustered {
        name: name.into(),
        expire_after_seconds: seconds,
    }))
}
