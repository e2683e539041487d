//! `createIndexes`: builds indexes, over the documents that are there. Manual: reference/command/createIndexes.
//!
//! Every specification is checked before anything is built, and a failed build leaves nothing.

use super::coll_mod;
use super::kinds::series::{ORIGINAL, bucket_index};
use crate::algorithms::hexadecimal::uuid_text;
use crate::bson::{Document, DocumentBuf, DocumentBuilder, Number, ValueRef};
use crate::catalog::index::specification::is_id_pattern;
use crate::catalog::index::validation::is_known_option;
use crate::catalog::{Collection, IndexDefinition, names, uuid};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Request, Unstable};
use crate::command::topology::Topology;
use crate::error::{Code, CommandError};
use crate::query::PartialFilterCompiler;
use crate::query::partial::OfBuckets;

/// The options of an index that are not of version 1 of the Stable API.
pub(in crate::command) const UNSTABLE: Unstable = Unstable {
    items: Some("indexes"),
    context: "createIndexes.indexes",
    fields: &["background", "bucketSize", "sparse", "storageEngine"],
};

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    if !matches!(
        request.argument(),
        ValueRef::String(_) | ValueRef::Symbol(_)
    ) {
        return Err(CommandError::new(
            Code::BadValue,
            format!(
                "collection name has invalid type {}",
                request.argument().type_name()
            ),
        ));
    }
    let namespace = request.namespace()?;
    names::check_writable(&namespace)?;
    let params = request.params();
    let specs = params.required_array("indexes")?;
    let ignore_unknown = params
        .boolean("ignoreUnknownIndexOptions")?
        .unwrap_or(false);
    let quorum = params.value("commitQuorum");
    params.finish()?;
    let quorum = commit_quorum(quorum, request.topology)?;
    if specs.is_empty() {
        return Err(CommandError::new(
            Code::BadValue,
            "Must specify at least one index to create",
        ));
    }
    let default = context.collation(&namespace, None)?;
    let measured = context.view().catalog.measured(&namespace);
    let (namespace, series) = match measured {
        Some((buckets, series)) => (buckets, Some(series)),
        None => (namespace, None),
    };
    let compiler = PartialFilterCompiler { env: context.env };
    let is_in_id_order = { context.view().catalog.collection(&namespace) }
        .is_some_and(|collection| collection.is_in_id_order());
    let mut definitions = Vec::new();
    for (position, spec) in specs.iter().enumerate() {
        let Some(spec) = spec.as_document() else {
            return Err(params_type_error(position, spec));
        };
        let cleaned;
        let spec = if ignore_unknown {
            cleaned = without_unknown(spec);
            cleaned.as_document()
        } else {
            spec
        };
        if spec.get("clustered").is_truthy() {
            let is_own = spec.get("key").as_document().is_some_and(is_id_pattern);
            if !(is_own && is_in_id_order) {
                return Err(CommandError::location(
                    6_243_700,
                    "Cannot create index with option 'clustered' that is not the cluster key of its collection",
                ));
            }
            continue;
        }
        let over_buckets = match &series {
            Some(series) => Some(bucket_index(series, spec, (&default, context.env))?),
            None => None,
        };
        let Some((over_buckets, keeps_original)) = over_buckets else {
            definitions.push(IndexDefinition::parse(spec, &compiler, &default)?);
            continue;
        };
        let mut definition =
            IndexDefinition::parse(over_buckets.as_document(), &OfBuckets(&compiler), &default)?;
        if keeps_original {
            let mut others = DocumentBuilder::new();
            others.append_all(definition.others.as_document());
            others.append(ORIGINAL, spec);
            definition.others = others.finish();
        }
        definitions.push(definition);
    }
    let build_uuid = uuid::random(context.env);
    let collection_uuid = uuid::random(context.env);
    let env = context.env;
    let created = context.view().catalog.collection(&namespace).is_none();
    let is_within = context.unit.is_within();
    let is_new = created || context.writer().has_made(&namespace);
    let mut target = match series {
        None => { context.writer() }.into_created(&namespace, &mut || collection_uuid)?,
        Some(_) => { context.writer() }
            .into_collection(&namespace)
            .ok_or_else(coll_mod::nothing)?,
    };
    let own = |collection: &Collection| collection.own_indexes().count();
    let before = own(target.collection());
    let requested = definitions.len();
    let mut wanted = Vec::with_capacity(requested);
    for definition in definitions {
        if !target.collection().check_new_index(&definition)? {
            wanted.push(definition);
        }
    }
    if is_within && !wanted.is_empty() && !(is_new && target.collection().count() == 0) {
        return Err(CommandError::new(
            Code::OperationNotSupportedInTransaction,
            format!(
                "Cannot create new indexes on existing collection {namespace} in a multi-document transaction."
            ),
        ));
    }
    for definition in wanted {
        // Not there before: the same request asks for it twice.
        if target.collection().check_new_index(&definition)? {
            return Err(CommandError::new(
                Code::IndexAlreadyExists,
                format!("Identical index already exists: {}", definition.name),
            ));
        }
        target.add_index(definition, env).map_err(|error| {
            match target.collection().count() == 0 || error.code == Code::LockTimeout as i32 {
                true => error,
                false => build_failed(target.collection(), &build_uuid, error),
            }
        })?;
    }
    let after = own(target.collection());
    let has_documents = target.collection().count() > 0;
    let mut reply = DocumentBuilder::new();
    reply.append("numIndexesBefore", before as i32);
    reply.append("numIndexesAfter", after as i32);
    if after > before {
        reply.append("createdCollectionAutomatically", created);
        if request.topology.is_replica_set() && has_documents {
            reply.append("commitQuorum", quorum);
        }
        if after - before < requested {
            reply.append("note", "index already exists");
        }
    } else {
        reply.append("note", "all indexes already exist");
    }
    Ok(finish_ok(reply))
}

/// How many members are to be ready before an index is; there is one.
fn commit_quorum(given: ValueRef<'_>, topology: Topology) -> Result<ValueRef<'_>, CommandError> {
    let refused = |code: Code, message: &str| Err(CommandError::new(code, message));
    match given {
        ValueRef::Missing => Ok(ValueRef::from("votingMembers")),
        _ if !topology.is_replica_set() => {
            refused(Code::BadValue, "Standalones can't specify commitQuorum")
        }
        ValueRef::String(text) if text == "majority" || text == "votingMembers" => Ok(given),
        ValueRef::String(mode) => Err(CommandError::new(
            Code::UnknownReplWriteConcern,
            format!(
                "No write concern mode named '{}' found in replica set configuration",
                mode.lossy()
            ),
        )),
        _ => match given.as_number().map(Number::to_i64_saturating) {
            Some(0 | 1) => Ok(given),
            Some(2..=50) => refused(
                Code::UnsatisfiableCommitQuorum,
                "Commit quorum cannot be satisfied with the current replica set configuration",
            ),
            Some(_) => refused(
                Code::FailedToParse,
                "commitQuorum has to be a non-negative number and not greater than 50",
            ),
            None => refused(
                Code::FailedToParse,
                "commitQuorum has to be a number or a string",
            ),
        },
    }
}

#[cold]
#[inline(never)]
fn params_type_error(position: usize, value: ValueRef<'_>) -> CommandError {
    CommandError::new(
        Code::TypeMismatch,
        format!(
            "BSON field 'createIndexes.indexes.{position}' is the wrong type '{}', expected type 'object'",
            value.type_name()
        ),
    )
}

/// The specification without options that no index knows.
#[inline(never)]
fn without_unknown(spec: Document<'_>) -> DocumentBuf {
    let is_id = spec.get("key").as_document().is_some_and(is_id_pattern);
    let mut builder = DocumentBuilder::new();
    for element in spec.iter() {
        let known = if is_id {
            matches!(element.name, "key" | "name" | "v" | "ns" | "collation")
        } else {
            is_known_option(element.name)
        };
        if known {
            builder.append_raw(element.raw);
        }
    }
    builder.finish()
}

#[cold]
#[inline(never)]
fn build_failed(collection: &Collection, build: &[u8; 16], error: CommandError) -> CommandError {
    let message = format!(
        "Index build failed: {}: Collection {} ( {} ) :: caused by :: {}",
        uuid_text(build),
        collection.namespace,
        uuid_text(&collection.uuid),
        error.message
    );
    error.with_message(message)
}
