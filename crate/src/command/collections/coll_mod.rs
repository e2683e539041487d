//! `collMod`: changes an index's expiry or visibility or makes it unique, a clustered collection's expiry, a capped
//! one's limits, and the validator. Manual: reference/command/collMod.

use super::images_option;
use super::kinds::{row, series};
use crate::bson::{Document, DocumentBuilder, MAX_DOCUMENT_SIZE, ValueRef, compare_documents};
use crate::catalog::collections::{CollectionKind, ExpiryChange, KindChanges};
use crate::catalog::index::specification::ID_INDEX_NAME;
use crate::catalog::index::validation::check_expiry;
use crate::catalog::{Collection, CollectionOptions, Index, RecordId, names};
use crate::command::context::{CommandContext, CommandResult};
use crate::command::reply::finish_ok;
use crate::command::request::{Params, Request};
use crate::command::write::validation::ValidationOptions;
use crate::env::Env;
use crate::error::{Code, CommandError};
use crate::expr::CompileContext;
use crate::state::CollectionWriter;
use crate::storage::Pager;
use std::cmp::Ordering;

const UNSUPPORTED: &[&str] = &["recordPreImages"];

/// The most bytes of `_id`s that stand against a unique index in an error.
const MOST_VIOLATIONS: usize = MAX_DOCUMENT_SIZE / 2;

/// The bytes of a RecordId behind a key.
const RECORD_ID: usize = size_of::<RecordId>();

/// The change that a request asks for in one index.
struct IndexChange<'a> {
    name: Option<&'a str>,
    key_pattern: Option<Document<'a>>,
    expire_after_seconds: ValueRef<'a>,
    hidden: Option<bool>,
    unique: Option<bool>,
    prepare_unique: Option<bool>,
}

fn invalid(message: impl Into<String>) -> CommandError {
    CommandError::new(Code::InvalidOptions, message)
}

pub(in crate::command) fn run(
    context: &mut CommandContext<'_>,
    request: &Request<'_>,
) -> CommandResult {
    let namespace = request.namespace()?;
    names::check_namespace(&namespace)?;
    let params = request.params();
    if let Some(named) = context.view().catalog.named(&namespace).cloned()
        && let Some(own) = row::commands_of(&named.options.kind)
    {
        return (own.modify)(context, request, &named);
    }
    let index = params.document("index")?.map(parse_index).transpose()?;
    let (size, max) = (params.integer("cappedSize")?, params.integer("cappedMax")?);
    let of_other_kind = row::asked(&params);
    let series = match params.document("timeseries")? {
        None => None,
        Some(given) => {
            let given = Params::new(given, "collMod.timeseries", None);
            let change = series::read_change(&given)?;
            given.finish()?;
            Some(change)
        }
    };
    let validation = ValidationOptions::read(&params, "collMod")?;
    let images = images_option::read(&params, &namespace)?;
    let expiry = read_expiry(&params)?;
    let changes = KindChanges {
        size,
        max,
        expiry,
        series,
    };
    let dry_run = params.safe_bool("dryRun")?.unwrap_or(false);
    for name in UNSUPPORTED {
        params.refuse(name)?;
    }
    params.finish()?;
    let compile = CompileContext::new(context.env, context.now_millis);
    let env = context.env;
    let mut writer = context.writer();
    let Some(mut target) = writer.collection(&namespace) else {
        return Err(nothing());
    };
    let is_buckets = target.collection().options.kind.buckets().is_some();
    if let Some(other) = of_other_kind.filter(|_| !is_buckets) {
        return Err(invalid(other.refusal));
    }
    if dry_run && { index.as_ref() }.is_none_or(|change| change.unique != Some(true)) {
        return Err(invalid(
            "dryRun mode is only supported when converting an index to unique",
        ));
    }
    let collection = target.collection();
    let kind = collection.options.kind.rules().changed(&changes)?;
    validation
        .check(&namespace, &collection.uuid, &compile)
        .map_err(|error| error.within("Parsing of collection validator failed"))?;
    let mut reply = DocumentBuilder::new();
    if let Some(change) = index {
        change_one_index(&mut target, &change, dry_run, &mut reply, env)?;
    }
    if dry_run {
        return Ok(finish_ok(reply));
    }
    if let Some(clustered) = kind.as_ref().and_then(CollectionKind::clustering)
        && target.collection().options.kind.clustering() != Some(clustered)
    {
        target.change_index(ID_INDEX_NAME, &|definition| {
            definition.expire_after_seconds = clustered.expire_after_seconds;
        })?;
    }
    if kind.is_some() || images.is_some() || !validation.is_empty() {
        let options = &target.collection().options;
        let changed = CollectionOptions {
            kind: kind.unwrap_or_else(|| options.kind.clone()),
            others: images_option::set_in(validation.replace_in(&options.others), images),
            collation: options.collation.clone(),
        };
        target.set_options(changed)?;
    }
    writer.write_changed_rows()?;
    Ok(finish_ok(reply))
}

/// The error of a name that is no collection's.
pub fn nothing() -> CommandError {
    CommandError::new(Code::NamespaceNotFound, "ns does not exist")
}

/// The change of the expiry that a request asks for.
fn read_expiry(params: &Params<'_>) -> Result<ExpiryChange, CommandError> {
    let value = params.value("expireAfterSeconds");
    match value {
        ValueRef::Missing | ValueRef::Null => Ok(ExpiryChange::Keep),
        ValueRef::String(text) if text == "off" => Ok(ExpiryChange::Off),
        ValueRef::String(other) => Err(invalid(format!(
            "Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: '{other}'. Accepted value \
             is 'off'"
        ))),
        _ => match value.as_number() {
            Some(number) => Ok(ExpiryChange::Seconds(number.to_i64_saturating())),
            None => Err(params.wrong_type(
                "expireAfterSeconds",
                value,
                "string, long, int, decimal, double",
            )),
        },
    }
}

fn parse_index(document: Document<'_>) -> Result<IndexChange<'_>, CommandError> {
    let params = Params::new(document, "collMod.index", None);
    let change = IndexChange {
        name: params.string("name")?,
        key_pattern: params.document("keyPattern")?,
        expire_after_seconds: params.value("expireAfterSeconds"),
        hidden: params.safe_bool("hidden")?,
        unique: params.safe_bool("unique")?,
        prepare_unique: params.safe_bool("prepareUnique")?,
    };
    if let Some(number) = params.number("expireAfterSeconds")?
        && number.is_nan()
    {
        return Err(invalid(
            "TTL index 'expireAfterSeconds' option must not be NaN",
        ));
    }
    params.finish()?;
    match (change.name, change.key_pattern) {
        (Some(_), Some(_)) => {
            return Err(invalid("Cannot specify both key pattern and name."));
        }
        (None, None) => {
            return Err(invalid("Must specify either index name or key pattern."));
        }
        _ => {}
    }
    let flags = [change.hidden, change.unique, change.prepare_unique];
    if change.expire_after_seconds.is_nullish() && flags == [None; 3] {
        return Err(invalid(
            "no expireAfterSeconds, hidden, unique, or prepareUnique field",
        ));
    }
    Ok(change)
}

fn find_index<'c>(
    collection: &'c Collection,
    change: &IndexChange<'_>,
) -> Result<&'c Index, CommandError> {
    let not_found = |what: String| {
        CommandError::new(
            Code::IndexNotFound,
            format!("cannot find index {what} for ns {}", collection.namespace),
        )
    };
    if let Some(name) = change.name {
        return { collection.index_named(name) }
            .filter(|index| !index.definition.kind.is_clustered())
            .ok_or_else(|| not_found(name.to_owned()));
    }
    let key = change.key_pattern.unwrap_or(Document::EMPTY);
    let matching: Vec<&Index> = collection
        .indexes
        .iter()
        .filter(|index| {
            let definition = &index.definition;
            !definition.kind.is_clustered()
                && compare_documents(definition.key.as_document(), key) == Ordering::Equal
        })
        .collect();
    match matching.as_slice() {
        [] => Err(not_found(key.to_string())),
        [index] => Ok(index),
        [first, second, ..] => Err(CommandError::new(
            Code::AmbiguousIndexKeyPattern,
            format!(
                "index keyPattern {key} matches {} indexes, must use index name. Conflicting indexes:{}, {}",
                matching.len(),
                first.definition.to_bson().as_document(),
                second.definition.to_bson().as_document()
            ),
        )),
    }
}

fn change_one_index(
    target: &mut CollectionWriter<'_>,
    change: &IndexChange<'_>,
    dry_run: bool,
    reply: &mut DocumentBuilder,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let seconds = match change.expire_after_seconds {
        value if value.is_nullish() => None,
        value => Some(check_expiry(value).map_err(|error| invalid(error.message.as_str()))?),
    };
    let collection = target.collection();
    // The clustered index is the order of the documents, and `find_index` does not find it.
    let is_of_order = |index: &&Index| {
        let definition = &index.definition;
        let is_named = change.name == Some(definition.shown_name());
        let key = change.key_pattern.unwrap_or(Document::EMPTY);
        let is_keyed = compare_documents(definition.key.as_document(), key).is_eq();
        definition.kind.is_clustered() && (is_named || is_keyed)
    };
    if change.hidden.is_some() && collection.indexes.iter().any(|index| is_of_order(&index)) {
        return Err(CommandError::location(
            6_011_800,
            "The 'hidden' option is not supported for a clusteredIndex",
        ));
    }
    let index = find_index(collection, change)?;
    let name = index.name().to_owned();
    let old_seconds = index.definition.expire_after_seconds;
    let was_hidden = index.definition.hidden;
    if seconds.is_some() && old_seconds.is_none() {
        if index.definition.is_id_index() {
            return Err(invalid("the _id field does not support TTL indexes"));
        }
        if index.definition.fields.len() != 1 {
            return Err(invalid(
                "TTL indexes are single-field indexes, compound indexes do not support TTL",
            ));
        }
    }
    if change.hidden.is_some() && index.definition.is_id_index() {
        return Err(CommandError::new(Code::BadValue, "can't hide _id index"));
    }
    let is_of_buckets = collection.options.kind.buckets().is_some();
    if change.hidden.is_some() && names::is_system(collection.name()) && !is_of_buckets {
        return Err(CommandError::new(
            Code::BadValue,
            "Can't hide index on system collection",
        ));
    }
    let (is_unique, was_prepared) = (index.definition.unique, index.definition.prepare_unique);
    if change.unique == Some(false) {
        return Err(CommandError::new(
            Code::BadValue,
            "Cannot make index non-unique",
        ));
    }
    let converts = change.unique.is_some() && !is_unique;
    if converts && !was_prepared {
        return Err(invalid(
            "Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.",
        ));
    }
    let prepares = { change.prepare_unique }.filter(|flag| *flag != was_prepared && !is_unique);
    if prepares.is_some() && (converts || change.hidden.is_some() || seconds.is_some()) {
        return Err(invalid(
            "prepareUnique cannot be combined with any other modification",
        ));
    }
    if is_of_buckets && (converts || prepares.is_some()) {
        return Err(invalid(
            "Unique indexes are not supported on time-series collections",
        ));
    }
    if converts {
        check_each_key_once(collection, index, target.pager(), env)?;
    }
    if dry_run {
        return Ok(());
    }
    if converts {
        target.change_index(&name, &|definition| {
            definition.unique = true;
            definition.prepare_unique = false;
        })?;
        reply.append("unique_new", true);
    }
    if let Some(flag) = prepares {
        target.change_index(&name, &|definition| definition.prepare_unique = flag)?;
        reply
            .append("prepareUnique_old", was_prepared)
            .append("prepareUnique_new", flag);
    }
    if let Some(seconds) = seconds
        && old_seconds != Some(seconds)
    {
        if let Some(old) = old_seconds {
            reply.append("expireAfterSeconds_old", old);
        }
        reply.append("expireAfterSeconds_new", seconds);
        target.change_index(&name, &|definition| {
            definition.expire_after_seconds = Some(seconds)
        })?;
    }
    if let Some(hidden) = change.hidden
        && hidden != was_hidden
    {
        reply
            .append("hidden_old", was_hidden)
            .append("hidden_new", hidden);
        target.change_index(&name, &|definition| definition.hidden = hidden)?;
    }
    Ok(())
}

/// Refuses to make an index unique that has a key more than once.
///
/// # Errors
/// 359 `CannotConvertIndexToUnique`, with the `_id`s of the documents that share a key, up to 8 MB of them.
fn check_each_key_once(
    collection: &Collection,
    index: &Index,
    pager: &Pager,
    env: &dyn Env,
) -> Result<(), CommandError> {
    let mut violations = DocumentBuilder::new();
    violations.begin_array("violations");
    let (mut count, mut shared) = (0, Vec::new());
    let mut before: Vec<u8> = Vec::new();
    let mut cursor = index.tree.cursor();
    let mut on_entry = cursor.first(pager)?;
    loop {
        env.checkpoint()?;
        let key = if on_entry { cursor.key() } else { &[] };
        let (value, id) = key.split_at(key.len().saturating_sub(RECORD_ID));
        let is_same =
            on_entry && value == before.split_at(before.len().saturating_sub(RECORD_ID)).0;
        if is_same && shared.is_empty() {
            shared.extend(RecordId::from_index_key(&before));
        }
        if is_same {
            shared.extend(RecordId::from_bytes(id));
        } else if !shared.is_empty() {
            violations
                .begin_document(&count.to_string())
                .begin_array("ids");
            for (position, id) in shared.drain(..).enumerate() {
                let document = collection.read(pager, id)?.unwrap_or_default();
                if violations.len() < MOST_VIOLATIONS && !document.is_empty() {
                    let id = Document::from_valid_bytes(&document).get("_id");
                    violations.append(&position.to_string(), id);
                }
            }
            violations.end().end();
            count += 1;
        }
        if !on_entry || violations.len() >= MOST_VIOLATIONS {
            break;
        }
        before.clear();
        before.extend_from_slice(key);
        on_entry = cursor.next(pager)?;
    }
    if count == 0 {
        return Ok(());
    }
    violations.end();
    let reason = match violations.len() < MOST_VIOLATIONS {
        true => "Please resolve conflicting documents before running collMod again.",
        false => {
            "Too many conflicting documents were detected. Please resolve them and rerun collMod."
        }
    };
    Err(CommandError::new(
        Code::CannotConvertIndexToUnique,
        format!("Cannot convert the index to unique. {reason}"),
    )
    .with_details(violations.finish().into_bytes()))
}
